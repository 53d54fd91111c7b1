package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.orbitmap.testkit.OrbitAssertions.assertInvariant;
import static org.orbitmap.testkit.OrbitAssertions.assertLaws;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.testkit.Laws;
import org.orbitmap.testkit.Space;
import org.orbitmap.testkit.Subject;

/** One's own mapping and model, held to their promise by the law kit. */
class LibraryTest {
  private final Ring ring = new Ring(5);

  @Test
  void theMappingKeepsTheLaws() {
    assertLaws(Laws.all(Subject.of("a ring", ring.action(), Space.vectors(5), 0), ring));
  }

  @Test
  void theMappedModelKeepsItsAnswer() {
    var rotations = new ImageRotation(Resampling.BILINEAR);
    var images = List.of(Main.spot(5), Main.spot(7));
    assertInvariant(RotationMapping.disc().invariant(Main::model), rotations, images)
        .labels()
        .atLeast(1);
    assertThrows(
        AssertionError.class,
        () -> assertInvariant(Main::model, rotations, images).labels().atLeast(0.9));
  }

  @Test
  void worstCase() {
    assertEquals(0, Main.audit(Main::model).accuracy().worst());
    assertEquals(1, Main.audit(RotationMapping.disc().invariant(Main::model)).accuracy().worst());
  }
}
