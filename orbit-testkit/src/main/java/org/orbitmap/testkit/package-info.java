/**
 * The law kit: the laws of groups, actions, orbit mappings and networks as values that can be
 * checked; broken ones that it must catch; and assertions for users' own tests. It needs no test
 * framework.
 */
package org.orbitmap.testkit;
