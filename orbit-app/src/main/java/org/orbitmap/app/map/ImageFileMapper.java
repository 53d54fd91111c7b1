package org.orbitmap.app.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Brings image files to their canonical pose.
 *
 * @param mapping which pose that is
 * @param epsilon the change of an image, in the L2 norm, to certify rotations against; NaN for none
 */
public record ImageFileMapper(OrbitMapping<?, Image> mapping, double epsilon)
    implements FileMapper {
  @Override
  public boolean accepts(Path file) {
    return ImageFiles.isImage(file);
  }

  @Override
  public String outputName(String fileName) {
    int dot = fileName.lastIndexOf('.');
    return (dot < 1 ? fileName : fileName.substring(0, dot)) + ".png";
  }

  @Override
  public Map<String, Object> map(Path file, Path output) throws IOException {
    Image image = ImageFiles.read(file);
    if (mapping instanceof RotationMapping rotation) {
      Pose pose = rotation.pose(image);
      Map<String, Object> report = new LinkedHashMap<>(PoseFields.of(pose.rotation()));
      report.put("margin", pose.margin());
      OptionalDouble bound =
          Double.isNaN(epsilon) ? OptionalDouble.empty() : pose.certifiedDegrees(epsilon);
      report.put("certifiedDegrees", bound.isPresent() ? bound.getAsDouble() : null);
      ImageFiles.writePng(output, rotation.action().act(pose.rotation(), image));
      return report;
    }
    Canonical<?, Image> canonical = mapping.map(image);
    Map<String, Object> report = new LinkedHashMap<>(PoseFields.of(canonical.element()));
    report.put("margin", canonical.margin());
    ImageFiles.writePng(output, canonical.point());
    return report;
  }
}
