package org.orbitmap.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that are built in and members that are found. */
class RegistryTest {
  /** What the members are. */
  public interface Letter extends Named {}

  record BuiltIn(String name) implements Letter {}

  /** A member of a user. */
  public static final class Found implements Letter {
    @Override
    public String name() {
      return "c";
    }
  }

  private static final Registry<Letter> LETTERS =
      Registry.of(Letter.class, "letter", List.of(new BuiltIn("a"), new BuiltIn("b")));

  private final ClassLoader usual = Thread.currentThread().getContextClassLoader();

  @AfterEach
  void back() {
    Thread.currentThread().setContextClassLoader(usual);
  }

  /** The thread's loader with a service file that names a class. */
  private static void extend(Path folder, String className) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(Letter.class.getName()), className);
    Thread.currentThread()
        .setContextClassLoader(
            new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, RegistryTest.class.getClassLoader()));
  }

  @Test
  void builtInOnesFirst(@TempDir Path folder) throws IOException {
    assertThat(LETTERS.names()).containsExactly("a", "b");
    Thread.currentThread().setContextClassLoader(null);
    assertThat(LETTERS.names()).containsExactly("a", "b");
    extend(folder, Found.class.getName());
    assertThat(LETTERS.names()).containsExactly("a", "b", "c");
    assertThat(LETTERS.named("c")).isInstanceOf(Found.class);
  }

  @Test
  void byNameInAnyCase() {
    assertThat(LETTERS.named(" B ")).isEqualTo(new BuiltIn("b"));
    assertThatThrownBy(() -> LETTERS.named("d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("letter: expected one of a, b, found d");
  }

  @Test
  void whatCannotBeLoadedIsNamed(@TempDir Path folder) throws IOException {
    extend(folder, "org.orbitmap.NoSuchLetter");
    assertThatThrownBy(LETTERS::all)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("letter: expected extensions that can be loaded")
        .hasMessageContaining("NoSuchLetter");
  }

  @Test
  void aNameForEach() {
    Registry<Letter> twice =
        Registry.of(Letter.class, "letter", List.of(new BuiltIn("a"), new BuiltIn("a")));
    assertThatThrownBy(twice::all)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("both called a");
  }
}
