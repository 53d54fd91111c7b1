package org.orbitmap.mesh.spectral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.TestMeshes;

class SpectrumTest {
  private static Laplacian laplacian(Mesh mesh) {
    return Laplacian.of(Surface.of(mesh));
  }

  /** l(l+1), each 2l+1 times, at order two in the length of the edges. */
  @Test
  void theSphereHasItsEigenvalues() {
    double[] errors = new double[3];
    for (int cuts = 2; cuts <= 4; cuts++) {
      double[] found = laplacian(TestMeshes.sphere(cuts)).spectrum(16).values();
      int i = 0;
      for (int l = 0; l <= 3; l++) {
        for (int m = -l; m <= l; m++) {
          double exact = l * (l + 1);
          errors[cuts - 2] =
              Math.max(errors[cuts - 2], Math.abs(found[i++] - exact) / Math.max(1, exact));
        }
      }
    }
    assertThat(errors[2]).isLessThan(0.01);
    for (int i = 0; i < 2; i++) {
      assertThat(Math.log(errors[i] / errors[i + 1]) / Math.log(2)).as("order").isGreaterThan(1.8);
    }
  }

  /** π²(i² + j²) with a free border. */
  @Test
  void theSquareHasItsEigenvalues() {
    double[] exact =
        IntStream.range(0, 36)
            .mapToDouble(i -> Math.PI * Math.PI * ((i / 6) * (i / 6) + (i % 6) * (i % 6)))
            .sorted()
            .limit(15)
            .toArray();
    double[] errors = new double[2];
    for (int i = 0; i < 2; i++) {
      double[] found = laplacian(TestMeshes.sheet(20 << i, 20 << i)).spectrum(15).values();
      for (int j = 1; j < exact.length; j++) {
        errors[i] = Math.max(errors[i], Math.abs(found[j] / exact[j] - 1));
      }
    }
    assertThat(errors[1]).isLessThan(0.01);
    assertThat(Math.log(errors[0] / errors[1]) / Math.log(2)).as("order").isGreaterThan(1.8);
  }

  @Test
  void pairsAreSortedOrthonormalAndSolveTheEquation() {
    Laplacian l = laplacian(TestMeshes.body(4));
    Spectrum s = l.spectrum(120);
    assertThat(s.values()).isSorted();
    assertThat(Arrays.stream(s.residuals(l)).max().orElseThrow()).isLessThan(1e-7);
    for (int i = 0; i < s.size(); i++) {
      double[] c = s.project(s.functions()[i]);
      for (int j = 0; j < s.size(); j++) {
        assertThat(c[j]).isEqualTo(i == j ? 1 : 0, within(1e-9));
      }
    }
    assertThat(l.spectrum(120)).as("the same again").isEqualTo(s);
  }

  /** The dense way and Lanczos see the same matrix; a sphere has every eigenvalue several times. */
  @Test
  void noEigenvalueIsPassedOver() {
    Laplacian l = laplacian(TestMeshes.sphere(3));
    double[] all = l.spectrum(300).values();
    assertThat(l.spectrum(100).values())
        .satisfies(
            some -> {
              for (int i = 0; i < 100; i++) {
                assertThat(some[i]).isEqualTo(all[i], within(1e-7 * (1 + all[i])));
              }
            });
  }

  @Test
  void everyComponentHasItsConstant() {
    Mesh two = TestMeshes.both(TestMeshes.sphere(3), TestMeshes.sphere(3));
    assertThat(Arrays.stream(Surface.of(two).components()).max().orElseThrow()).isEqualTo(1);
    double[] found = laplacian(two).spectrum(8).values();
    assertThat(found[1]).isLessThan(1e-9);
    for (int i = 2; i < 8; i++) {
      assertThat(found[i]).isEqualTo(2, within(0.05));
    }
  }

  /** Needle triangles: flips of edges make the weights positive and the eigenvalues better. */
  @Test
  void delaunayHelpsBadTriangles() {
    Mesh sheet = TestMeshes.sheet(24, 24);
    Mesh sheared = TestMeshes.moved(sheet, x -> new double[] {x[0] + 3 * x[1], x[1], 0});
    Surface before = Surface.of(sheared);
    Surface after = before.delaunay();
    assertThat(after.area()).isEqualTo(before.area(), within(1e-6));
    Surface closed =
        Surface.of(
            TestMeshes.moved(
                TestMeshes.sphere(3), x -> new double[] {x[0], x[1] + 4 * x[0], x[2]}));
    assertThat(positiveOffDiagonal(Laplacian.of(closed))).isGreaterThan(0.5);
    assertThat(positiveOffDiagonal(Laplacian.of(closed.delaunay()))).isLessThan(1e-9);
    assertThat(closed.delaunay().area()).isEqualTo(closed.area(), within(1e-6));
    // Fine triangles of the same parallelogram, nearly equilateral, give the reference.
    double[] fine =
        Laplacian.of(
                Surface.of(
                        TestMeshes.moved(
                            TestMeshes.sheet(96, 96), x -> new double[] {x[0] + 3 * x[1], x[1], 0}))
                    .delaunay())
            .spectrum(6)
            .values();
    double plain = error(Laplacian.of(before).spectrum(6).values(), fine);
    assertThat(error(Laplacian.of(after).spectrum(6).values(), fine)).isLessThan(plain);
  }

  private static double error(double[] found, double[] exact) {
    return IntStream.range(1, found.length)
        .mapToDouble(i -> Math.abs(found[i] / exact[i] - 1))
        .max()
        .orElseThrow();
  }

  private static double positiveOffDiagonal(Laplacian l) {
    double most = 0;
    SparseMatrix k = l.stiffness();
    for (int i = 0; i < k.size(); i++) {
      for (int e = k.start()[i]; e < k.start()[i + 1]; e++) {
        most = k.column()[e] == i ? most : Math.max(most, k.value()[e]);
      }
    }
    return most;
  }

  @Test
  void massesAddUpToTheArea() {
    Surface s = Surface.of(TestMeshes.body(3));
    for (Laplacian.Mass kind : Laplacian.Mass.values()) {
      Laplacian l = Laplacian.of(s, kind);
      assertThat(l.area()).isEqualTo(s.area(), within(1e-9 * s.area()));
      assertThat(Arrays.stream(l.mass()).min().orElseThrow()).isPositive();
    }
    assertThat(Surface.of(TestMeshes.sheet(3, 2)).borderEdges()).isEqualTo(10);
    assertThat(s.borderEdges()).isZero();
  }

  /** Turned inside out, with some triangles over, or not at all: the surface is the same. */
  @Test
  void trianglesAreTurnedToTheOutside() {
    Mesh body = TestMeshes.body(2);
    int[] t = body.triangles().clone();
    for (int i = 0; i < t.length; i += 9) {
      int swap = t[i];
      t[i] = t[i + 1];
      t[i + 1] = swap;
    }
    Surface s = Surface.of(new Mesh(body.vertices(), t));
    assertThat(s.oriented()).isTrue();
    for (int i = 0; i < t.length; i++) {
      int from = s.triangles()[i];
      int to = s.triangles()[Surface.next(i)];
      assertThat(
              IntStream.range(0, t.length)
                  .anyMatch(
                      h -> body.triangles()[h] == from && body.triangles()[Surface.next(h)] == to))
          .isTrue();
    }
  }

  @Test
  void theLastEntriesOfEigenvectorsAreThoseOfTheWhole() {
    SplittableRandom random = new SplittableRandom(5);
    double[][] a = new double[30][30];
    for (int i = 0; i < 30; i++) {
      for (int j = 0; j <= i; j++) {
        a[i][j] = random.nextDouble() - 0.5;
        a[j][i] = a[i][j];
      }
    }
    double[][] b = Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
    double[][] c = Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
    DenseEigen whole = DenseEigen.of(b);
    DenseEigen last = DenseEigen.last(c, 4);
    assertThat(last.values).containsExactly(whole.values, within(1e-14));
    for (int i = 0; i < 30; i++) {
      double[] x = whole.vectors[i];
      assertThat(last.vectors[i]).containsExactly(Arrays.copyOfRange(x, 26, 30), within(1e-12));
      for (int r = 0; r < 30; r++) {
        double sum = 0;
        for (int j = 0; j < 30; j++) {
          sum += a[r][j] * x[j];
        }
        assertThat(sum).isEqualTo(whole.values[i] * x[r], within(1e-13));
      }
    }
  }

  @Test
  void badMeshesAreRefused() {
    PointCloud four = new PointCloud(3, new float[] {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
    refused(Mesh.of(four), "expected triangles", "4 points");
    refused(new Mesh(four, new int[] {0, 1, 1}), "expected triangles", "4 points");
    refused(new Mesh(four, new int[] {0, 1, 2}), "every vertex in a triangle", "1 of 4", "3");
    refused(
        new Mesh(
            new PointCloud(3, new float[] {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1}),
            new int[] {0, 1, 2, 0, 1, 3, 0, 1, 4}),
        "at most two triangles",
        "not manifold");
    refused(new Mesh(new PointCloud(3, new float[9]), new int[] {0, 1, 2}), "an area");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> laplacian(TestMeshes.sphere(1)).spectrum(1000))
        .withMessageContaining("1 … 42");
  }

  private static void refused(Mesh mesh, String... parts) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Surface.of(mesh))
        .satisfies(e -> assertThat(e).message().contains(parts));
  }

  /** A triangle as flat as a line gets a small area, and nothing becomes infinite. */
  @Test
  void flatTrianglesAreMollified() {
    Mesh sheet = TestMeshes.sheet(6, 6);
    float[] c = sheet.vertices().coordinates().clone();
    c[3 * 24] = c[3 * 23]; // two vertices at one place
    c[3 * 24 + 1] = c[3 * 23 + 1];
    Laplacian l = laplacian(sheet.with(new PointCloud(3, c), false));
    double[] found = l.spectrum(4).values();
    assertThat(found[1]).isEqualTo(Math.PI * Math.PI, within(0.5));
  }

  @Test
  void signaturesDoNotChangeWithMotionAndSize() {
    Mesh body = TestMeshes.body(3);
    Mesh moved =
        TestMeshes.moved(body, x -> new double[] {5 - 3 * x[1], 3 * x[0] + 2, 3 * x[2] - 7});
    Spectrum s = laplacian(body).spectrum(60);
    Spectrum t = laplacian(moved).spectrum(60);
    close(Signatures.heatKernel(s, 8), Signatures.heatKernel(t, 8));
    close(Signatures.waveKernel(s, 8), Signatures.waveKernel(t, 8));
    close(new double[][] {Signatures.shapeDna(s)}, new double[][] {Signatures.shapeDna(t)});
    double[] mean = s.unitArea().project(Signatures.waveKernel(s, 8)[3]);
    assertThat(Math.abs(mean[0])).as("1 in the mean").isEqualTo(1, within(1e-6));
    assertThat(Signatures.globalPoint(s)).hasDimensions(59, s.vertices());
  }

  private static void close(double[][] a, double[][] b) {
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < a[i].length; j++) {
        assertThat(b[i][j]).isEqualTo(a[i][j], within(1e-4 * (1 + Math.abs(a[i][j]))));
      }
    }
  }

  private static final String SCIPY =
      """
      import sys, numpy as np, scipy.sparse as sp, scipy.sparse.linalg as la
      n, k = int(sys.argv[2]), int(sys.argv[3])
      t = np.loadtxt(sys.argv[1] + '/k.txt'); m = np.loadtxt(sys.argv[1] + '/m.txt')
      K = sp.csc_matrix((t[:, 2], (t[:, 0].astype(int), t[:, 1].astype(int))), shape=(n, n))
      w = la.eigsh(K, k, M=sp.diags(m).tocsc(), sigma=-0.5, tol=1e-13, return_eigenvectors=False)
      print(' '.join(repr(float(x)) for x in sorted(w)))
      """;

  /** The same matrices in SciPy, where it is. */
  @Test
  void agreesWithScipy(@TempDir Path folder) throws Exception {
    Laplacian l = laplacian(TestMeshes.body(4));
    SparseMatrix k = l.stiffness();
    int n = k.size();
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      for (int e = k.start()[i]; e < k.start()[i + 1]; e++) {
        entries.add(i + " " + k.column()[e] + " " + k.value()[e]);
      }
    }
    Files.write(folder.resolve("k.txt"), entries);
    Files.write(
        folder.resolve("m.txt"),
        Arrays.stream(l.mass()).mapToObj(Double::toString).collect(Collectors.toList()));
    Files.writeString(folder.resolve("run.py"), SCIPY);
    String answer = scipy(folder, n, 60);
    assumeTrue(!answer.isBlank(), "no SciPy here");
    double[] theirs =
        Arrays.stream(answer.strip().split(" ")).mapToDouble(Double::parseDouble).toArray();
    double[] ours = l.spectrum(60).values();
    for (int i = 1; i < 60; i++) {
      assertThat(ours[i]).isEqualTo(theirs[i], within(1e-8 * theirs[i]));
    }
  }

  private static String scipy(Path folder, int n, int k) throws InterruptedException {
    try {
      Process p =
          new ProcessBuilder(
                  List.of(
                      "/usr/bin/python3",
                      folder.resolve("run.py").toString(),
                      folder.toString(),
                      "" + n,
                      "" + k))
              .redirectError(folder.resolve("errors.txt").toFile())
              .start();
      try (InputStream out = p.getInputStream()) {
        String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        return p.waitFor() == 0 ? text : "";
      }
    } catch (UncheckedIOException | IOException e) {
      return "";
    }
  }
}
