package org.orbitmap.paper.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.orbitmap.io.data.source.Tosca;
import org.orbitmap.mesh.match.SurfaceMatcher;

/** One pair of the real data, where it is there. */
class IsometryStudyTest {
  @Test
  void aBentHorseIsMatched() throws IOException {
    Path meshes = Path.of(System.getProperty("orbit.data", ""), "meshes");
    assumeTrue(Files.isDirectory(meshes), "no meshes of TOSCA here");
    IsometryStudy study = new IsometryStudy(meshes, SurfaceMatcher.DEFAULT);
    Tosca.Pair pair = new Tosca.Pair("horse0", "horse6");
    IsometryStudy.PairResult found = study.measure(pair);
    assertThat(found.meanError()).isBetween(0.005, 0.05);
    assertThat(found.told()).isTrue();
    assertThat(found.within()).isGreaterThan(0.8);
    assertThat(found.margin()).isBetween(0.0, 1.0);
    // A map from elsewhere: the truth, then the same with left and right exchanged.
    int[] onA = Tosca.correspondence(meshes, pair.a(), false);
    int[] mirrored = Tosca.correspondence(meshes, pair.a(), true);
    int[] onB = Tosca.correspondence(meshes, pair.b(), false);
    int[] right = new int[Tosca.mesh(meshes, pair.b()).vertices().size()];
    int[] wrong = right.clone();
    for (int i = onB.length - 1; i >= 0; i--) {
      right[onB[i]] = onA[i];
      wrong[onB[i]] = mirrored[i];
    }
    assertThat(study.measure(pair, right).meanError()).isLessThan(0.005);
    assertThat(study.measure(pair, wrong).told()).isFalse();
    assertThatThrownBy(() -> study.measure(pair, new int[3])).hasMessageContaining("found 3");
    wrong[7] = 1_000_000;
    assertThatThrownBy(() -> study.measure(pair, wrong)).hasMessageContaining("1000000");
  }
}
