package org.orbitmap.paper.mesh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.orbitmap.group.Product;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.io.data.source.Tosca;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.MeshAction;
import org.orbitmap.mesh.spectral.Laplacian;
import org.orbitmap.mesh.spectral.Signatures;
import org.orbitmap.mesh.spectral.Surface;

/**
 * Which animal is it? Leave-one-out nearest neighbours among TOSCA's poses, by the eigenvalues
 * (Shape-DNA) and by plain coordinates.
 *
 * <p>The poses come aligned and numbered alike, and then coordinates answer, too. What tells an
 * invariant from coordinates is a motion of each pose by itself: {@link MeshAction} rotates, shifts
 * and renumbers it, which leaves it the same shape.
 *
 * @param shapes how many
 * @param draws of the motions, over which the shares below are means
 * @param cases as they come, rotated and shifted, and renumbered as well
 */
public record ShapeRetrieval(int shapes, int draws, List<Case> cases) {
  /** How many eigenvalues are compared. */
  private static final int DNA = 30;

  private static final int DRAWS = 4;

  /**
   * The shares of shapes whose nearest neighbour is of their own kind.
   *
   * @param name what was done to each shape
   * @param spectral by the eigenvalues
   * @param plain by the coordinates of the vertices, centred and scaled to area 1
   */
  public record Case(String name, double spectral, double plain) {}

  private record Shapes(List<String> names, List<Mesh> meshes) {}

  private enum Move {
    NONE("as they come"),
    RIGID("rotated and shifted"),
    RENUMBERED("rotated, shifted and renumbered");

    private final String title;

    Move(String title) {
      this.title = title;
    }

    private Mesh of(Mesh mesh, RandomGenerator random) {
      var action = new MeshAction(SimilarityGroup.se(3), mesh.vertices().size());
      var g = action.group().sample(random);
      return switch (this) {
        case NONE -> mesh;
        case RIGID ->
            action.act(new Product.Pair<>(g.first(), action.group().identity().second()), mesh);
        case RENUMBERED -> action.act(g, mesh);
      };
    }
  }

  /** Measures it on the meshes of a folder. */
  public static ShapeRetrieval of(Path folder, long seed) throws IOException {
    List<String> names = Tosca.names(folder);
    List<Mesh> meshes = new ArrayList<>();
    for (String name : names) {
      meshes.add(Tosca.mesh(folder, name));
    }
    Shapes shapes = new Shapes(names, meshes);
    List<Case> cases = new ArrayList<>();
    for (Move move : Move.values()) {
      cases.add(measured(shapes, move, move == Move.NONE ? 1 : DRAWS, seed));
    }
    return new ShapeRetrieval(names.size(), DRAWS, cases);
  }

  private static Case measured(Shapes shapes, Move move, int draws, long seed) {
    double spectral = 0;
    double plain = 0;
    for (int draw = 0; draw < draws; draw++) {
      SplittableRandom random = new SplittableRandom(seed + draw);
      List<Mesh> moved = shapes.meshes().stream().map(m -> move.of(m, random.split())).toList();
      List<Surface> surfaces = moved.parallelStream().map(Surface::of).toList();
      List<double[]> dna =
          surfaces.parallelStream()
              .map(s -> Signatures.shapeDna(Laplacian.of(s).spectrum(DNA + 1)))
              .toList();
      List<double[]> places = new ArrayList<>();
      for (int i = 0; i < moved.size(); i++) {
        places.add(placed(moved.get(i), surfaces.get(i).area()));
      }
      spectral += right(shapes.names(), dna) / draws;
      plain += right(shapes.names(), places) / draws;
    }
    return new Case(move.title, spectral, plain);
  }

  private static double[] placed(Mesh mesh, double area) {
    float[] c = mesh.vertices().coordinates();
    double[] mean = new double[3];
    for (int i = 0; i < c.length; i++) {
      mean[i % 3] += 3.0 * c[i] / c.length;
    }
    double[] x = new double[c.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = (c[i] - mean[i % 3]) / Math.sqrt(area);
    }
    return x;
  }

  private static double right(List<String> names, List<double[]> features) {
    int right = 0;
    for (int i = 0; i < names.size(); i++) {
      int best = -1;
      double least = Double.POSITIVE_INFINITY;
      for (int j = 0; j < names.size(); j++) {
        double d = distance(features.get(i), features.get(j));
        if (j != i && d < least) {
          least = d;
          best = j;
        }
      }
      right += Tosca.animal(names.get(i)).equals(Tosca.animal(names.get(best))) ? 1 : 0;
    }
    return (double) right / names.size();
  }

  /** Over what both have: meshes differ by a vertex or two. */
  private static double distance(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < Math.min(x.length, y.length); i++) {
      sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sum;
  }
}
