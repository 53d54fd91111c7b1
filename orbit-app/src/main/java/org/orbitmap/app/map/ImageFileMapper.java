package org.orbitmap.app.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.orbitmap.image.Image;
import org.orbitmap.image.Placement;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.QuarterTurnMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.InputFile;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ImageFormat;
import org.orbitmap.io.image.ReadImage;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.UprightMapping;

/**
 * Brings image files to their canonical pose.
 *
 * @param mapping which pose that is
 * @param resampling how images on a grown canvas are computed
 * @param canvas how large the canonical image is
 * @param format how canonical images are written
 * @param epsilon the change of an image, in the L2 norm, to certify rotations against; NaN for none
 * @param settings all of this as users name it
 */
public record ImageFileMapper(
    OrbitMapping<?, Image> mapping,
    Resampling resampling,
    Canvas canvas,
    ImageFormat format,
    double epsilon,
    Map<String, String> settings)
    implements FileMapper {
  /** How large a canonical image is. */
  public enum Canvas {
    /** As large as the input; corners are lost. */
    SAME,
    /** The square that holds every rotation of the input ({@link Placement#grown}). */
    GROW
  }

  @Override
  public String kind() {
    return "an image";
  }

  @Override
  public boolean accepts(Path file) {
    return ImageFiles.isImage(file);
  }

  @Override
  public String outputName(String fileName) {
    int dot = fileName.lastIndexOf('.');
    return (dot < 1 ? fileName : fileName.substring(0, dot)) + format.ending(fileName);
  }

  @Override
  public Mapped map(InputFile input, Path output) throws IOException {
    Path file = input.path();
    ReadImage read = ImageFiles.open(input);
    Image image = read.image();
    Map<String, Object> report = new LinkedHashMap<>();
    Image canonical;
    if (mapping instanceof RotationMapping rotation) {
      Pose pose = rotation.pose(image);
      report.putAll(PoseFields.of(pose.rotation()));
      report.put("margin", pose.margin());
      OptionalDouble bound =
          Double.isNaN(epsilon) ? OptionalDouble.empty() : pose.certifiedDegrees(epsilon);
      report.put("certifiedDegrees", bound.isPresent() ? bound.getAsDouble() : null);
      canonical =
          canvas == Canvas.GROW
              ? grown(report, image)
              : rotation.action().act(pose.rotation(), image);
    } else if (mapping instanceof UprightMapping<?> upright) {
      canonical = upright(upright, image, report);
    } else {
      Canonical<?, Image> c = mapping.map(image);
      report.putAll(PoseFields.of(c.element()));
      report.put("margin", c.margin());
      // Quarter turns lose nothing on any canvas.
      boolean grow = canvas == Canvas.GROW && !(mapping instanceof QuarterTurnMapping);
      canonical = grow ? grown(report, image) : c.point();
    }
    report.put("size", List.of(image.height(), image.width()));
    report.put("canvas", List.of(canonical.height(), canonical.width()));
    List<String> remarks = new ArrayList<>(read.remarks());
    if (format.lossy(file.getFileName().toString())) {
      remarks.add("written as JPEG of quality %d".formatted(format.quality(input)));
    }
    if (!remarks.isEmpty()) {
      report.put("remarks", remarks);
    }
    byte[] bytes = format.encode(canonical, input, read.bits());
    return new Mapped(report, Map.of(output, out -> out.write(bytes)));
  }

  /** The upright image; the margin is the smaller one of the two that follow it. */
  private <G> Image upright(UprightMapping<G> m, Image image, Map<String, Object> report) {
    UprightMapping.Found<G> found = m.pose(image);
    G element = found.elements().get(0);
    report.putAll(PoseFields.of(element));
    report.put("margin", Math.min(found.margin(), found.gap()));
    report.put("baseMargin", found.margin());
    report.put("gap", found.gap());
    return canvas == Canvas.GROW ? grown(report, image) : m.action().act(element, image);
  }

  private Image grown(Map<String, Object> pose, Image image) {
    return PoseFields.placement(pose, image.height(), image.width())
        .grown()
        .toCanonical(image, resampling);
  }
}
