package org.orbitmap.app.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.InputFile;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.cloud.array.NpyFormat;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.mapping.SpectralEmbedding;
import org.orbitmap.mesh.mapping.SpectralMapping;
import org.orbitmap.mesh.spectral.CanonicalBasis;
import org.orbitmap.mesh.spectral.Surface;

/**
 * Brings files of meshes to their canonical spectral embedding: an array of vertices × functions,
 * or in a format of meshes the first three functions as coordinates.
 *
 * @param functions how many eigenfunctions
 * @param format how results are written
 */
public record SpectralFileMapper(int functions, CloudFormat format) implements FileMapper {
  /** Below this the choice is called ambiguous. */
  private static final double AMBIGUOUS = 1e-3;

  @Override
  public String kind() {
    return "a mesh";
  }

  @Override
  public boolean accepts(Path file) {
    return CloudFiles.isCloud(file);
  }

  @Override
  public String outputName(String fileName) {
    return CloudFileMapper.outputName(fileName, format);
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("group", "isometry");
    settings.put("eigen", Integer.toString(functions));
    settings.put("format", format.label());
    return settings;
  }

  @Override
  public Mapped map(InputFile input, Path output) throws IOException {
    Mesh mesh = CloudFiles.readMesh(input.path());
    CanonicalBasis basis;
    try {
      basis = CanonicalBasis.of(Surface.of(mesh), functions);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    SpectralEmbedding embedding = SpectralMapping.embedding(basis);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("vertices", mesh.vertices().size());
    report.put("functions", functions);
    report.put("eigenvalues", Arrays.stream(basis.values()).boxed().toList());
    report.put("gap", basis.gap());
    report.put("moment", basis.moment());
    report.put("margin", basis.margin());
    report.put("ambiguous", basis.margin() < AMBIGUOUS);
    if (basis.margin() < AMBIGUOUS) {
      report.put(
          "warning",
          "the surface has a symmetry or equal eigenvalues: expected a margin of %s at least, found"
                  .formatted(AMBIGUOUS)
              + " %.1e; other signs or bases are as good".formatted(basis.margin()));
    }
    return new Mapped(report, Map.of(output, content(output, mesh, embedding)));
  }

  private AtomicFiles.Body content(Path output, Mesh mesh, SpectralEmbedding embedding) {
    if (format == CloudFormat.NPY) {
      return NpyFormat.matrix(embedding.points());
    }
    if (functions < 3) {
      throw UserError.expected("--eigen", "3 or more for a mesh of the first three", functions, "");
    }
    float[] c = new float[3 * embedding.vertices()];
    for (int i = 0; i < c.length; i++) {
      c[i] = (float) embedding.coordinates()[i % 3][i / 3];
    }
    Mesh shown = mesh.with(new PointCloud(3, c), false);
    return CloudFiles.content(output, format, List.of(PlacedMesh.of(shown)));
  }
}
