package org.orbitmap.app.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.QuarterTurnMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.image.mapping.SimilarityMapping;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.orbit.Canonical;

/**
 * Brings image files to their canonical pose.
 *
 * @param group one of {@link #GROUPS}
 * @param rule how the pose is found
 * @param resampling how the canonical image is computed
 * @param epsilon the change of an image, in the L2 norm, to certify against; NaN for none
 */
public record ImageFileMapper(String group, PoseRule rule, Resampling resampling, double epsilon)
    implements FileMapper {
  /** The groups that act on images, by the names users choose them by. */
  public static final List<String> GROUPS = List.of("so2", "c4", "o2", "sim2");

  public ImageFileMapper {
    if (!GROUPS.contains(group.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "group: expected one of %s for images, found %s".formatted(GROUPS, group));
    }
  }

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
    Map<String, Object> report = new LinkedHashMap<>();
    Image canonical =
        switch (group.toLowerCase(Locale.ROOT)) {
          case "c4" -> {
            Canonical<QuarterTurn, Image> c = new QuarterTurnMapping(rule).map(image);
            report.put("angleDegrees", 90.0 * c.element().turns());
            report.put("margin", c.margin());
            yield c.point();
          }
          case "o2" -> {
            Canonical<Orthogonal2, Image> c = new OrthogonalMapping(rule, resampling).map(image);
            report.put("angleDegrees", c.element().rotation().degrees());
            report.put("mirrored", c.element().mirrored());
            report.put("margin", c.margin());
            yield c.point();
          }
          case "sim2" -> {
            Canonical<Similarity2, Image> c = new SimilarityMapping(resampling).map(image);
            report.put("angleDegrees", c.element().rotation().degrees());
            report.put("scale", c.element().scale());
            report.put("shift", new double[] {c.element().x(), c.element().y()});
            report.put("margin", c.margin());
            yield c.point();
          }
          default -> {
            RotationMapping mapping = new RotationMapping(rule, resampling);
            Pose pose = mapping.pose(image);
            Rotation2 element = pose.rotation();
            report.put("angleDegrees", element.degrees());
            report.put("margin", pose.margin());
            OptionalDouble bound =
                Double.isNaN(epsilon) ? OptionalDouble.empty() : pose.certifiedDegrees(epsilon);
            report.put("certifiedDegrees", bound.isPresent() ? bound.getAsDouble() : null);
            yield mapping.action().act(element, image);
          }
        };
    ImageFiles.writePng(output, canonical);
    return report;
  }
}
