/** What stands in front of any network: learned corrections of the pose, learned augmentation. */
package org.orbitmap.network.front;
