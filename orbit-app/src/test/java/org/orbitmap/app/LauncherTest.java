package org.orbitmap.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a small project of its own, with a Maven and a Java that only pretend. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class LauncherTest {
  private static final Path ROOT = Path.of(System.getProperty("orbit.root", ".."));

  @TempDir Path folder;
  private Path project;
  private Path tools;

  @BeforeEach
  void layOut() throws IOException {
    project = Files.createDirectories(folder.resolve("a project"));
    tools = Files.createDirectories(folder.resolve("bin"));
    Files.copy(ROOT.resolve("orbit"), project.resolve("orbit"));
    script(project.resolve("orbit"), Files.readString(ROOT.resolve("orbit")));
    Files.writeString(project.resolve("pom.xml"), "<project/>");
    Files.createDirectories(project.resolve(".mvn"));
    Files.createDirectories(project.resolve("orbit-app/src/main/java"));
    Files.writeString(project.resolve("orbit-app/pom.xml"), "<project/>");
    Files.writeString(project.resolve("orbit-app/src/main/java/A.java"), "class A {}");
    Files.writeString(folder.resolve("lib.jar"), "");
    script(
        tools.resolve("mvn"),
        """
        #!/usr/bin/env bash
        echo "$*" >>"$BUILDS"
        [[ ! -f fail ]] || { echo "[ERROR] /src/A.java:[1,2] ';' expected"; exit 1; }
        echo "[INFO] Building Orbit app 0.1.0   [7/7]"
        sleep 0.3
        mkdir -p orbit-app/target
        touch orbit-app/target/orbit-app-0.1.0.jar
        printf '%s' "$LIB" >orbit-app/target/classpath
        """);
    java("17.0.9");
  }

  /**
   * Spark is built, fetched and put on the class path when a cluster is asked for, and only then.
   */
  @Test
  void aClusterIsBuiltWhenItIsAskedFor() throws Exception {
    Files.createDirectories(project.resolve("orbit-spark/target"));
    Files.writeString(project.resolve("orbit-spark/pom.xml"), "<project/>");
    Files.writeString(project.resolve("orbit-spark/target/orbit-spark-0.1.0.jar"), "");
    Files.writeString(project.resolve("orbit-spark/target/orbit-spark-all.jar"), "");
    Path spark = Files.writeString(folder.resolve("spark.jar"), "");
    Path lib = folder.resolve("lib.jar");
    Files.writeString(project.resolve("orbit-spark/target/classpath"), lib + ":" + spark);
    Path runs = Files.writeString(folder.resolve("runs.jar"), "");
    Files.writeString(project.resolve("orbit-spark/target/executors"), lib + ":" + runs);
    script(
        tools.resolve("java"),
        """
        #!/usr/bin/env bash
        if [[ $1 == -version ]]; then echo 'openjdk version "17.0.9"' >&2; exit; fi
        echo "$*"
        """);
    Run plain = orbit("map", "x");
    assertThat(plain.out()).doesNotContain("spark");
    Run there = orbit("map", "x", "--cluster", "local[2]");
    assertThat(there.code()).as(there.err()).isZero();
    String own =
        project.toRealPath().resolve(".orbit/cluster/lib/orbit-spark-0.1.0.jar").toString();
    assertThat(there.out())
        .contains("-cp %s:%s:%s:%s org.orbitmap.app.Main map x".formatted(own, lib, spark, runs))
        .contains("-Dorbit.cluster.jars=%s:%s:%s ".formatted(own, lib, runs))
        .contains("--add-opens=java.base/java.nio=ALL-UNNAMED");
    assertThat(builds()).hasSize(2);
    assertThat(builds().get(0)).contains("-pl orbit-app ");
    assertThat(builds().get(1)).contains("-pl orbit-spark ");
    orbit("map", "x", "--cluster=local[2]");
    orbit("map", "x");
    assertThat(builds()).hasSize(2);
    // Processes of this machine are sent nothing: they start from a folder with all jars.
    assertThat(project.resolve(".orbit/cluster/spark/jars/runs.jar")).exists();
    script(tools.resolve("java"), "#!/usr/bin/env bash\necho \"$SPARK_HOME $*\"\n");
    for (String master :
        List.of("--cluster local-cluster[2,1,900]", "--cluster=local-cluster[1,1,900]")) {
      Run apart = orbit(("map x " + master).split(" ", -1));
      assertThat(apart.out())
          .startsWith(project.toRealPath().resolve(".orbit/cluster/spark") + " ")
          .doesNotContain("orbit.cluster.jars");
    }
  }

  @Test
  void buildsOnceAndAgainWhenASourceChanges() throws Exception {
    Run first = orbit("--version");
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out()).contains("org.orbitmap.app.Main --version");
    assertThat(first.err()).contains("building (first use", "app (7 of 7)", "built in");
    Run second = orbit("--version");
    assertThat(second.err()).isEmpty();
    assertThat(builds()).hasSize(1);

    Path source = project.resolve("orbit-app/src/main/java/A.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));
    orbit("x");
    assertThat(builds()).hasSize(2);
    // Settle, then remove a file: the folder's time tells.
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().minusSeconds(60)));
    orbit("x");
    int settled = builds().size();
    orbit("x");
    assertThat(builds()).hasSize(settled);
    Files.delete(source);
    orbit("x");
    assertThat(builds()).hasSize(settled + 1);
    // A library that is gone from the local repository.
    Files.move(folder.resolve("lib.jar"), folder.resolve("gone.jar"));
    orbit("x");
    assertThat(builds()).hasSize(settled + 2);
  }

  @Test
  void worksFromAnyFolderAndThroughLinks() throws Exception {
    orbit("x");
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere/deep"));
    Files.createSymbolicLink(elsewhere.resolve("o"), Path.of("../../a project/orbit"));
    Run run = run(elsewhere, List.of("./o", "map", "relative path.png"));
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("map relative path.png", "cwd=" + elsewhere.toRealPath());
    assertThat(run.err()).isEmpty();
  }

  @Test
  void twoAtOnceBuildOnce() throws Exception {
    Process a = start(project, List.of("./orbit", "one"));
    Process b = start(project, List.of("./orbit", "two"));
    Run first = finish(a);
    Run second = finish(b);
    assertThat(first.code() + second.code()).as(first.err() + second.err()).isZero();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void aFailedBuildIsToldAndTriedAgain() throws Exception {
    Files.writeString(project.resolve("fail"), "");
    Run run = orbit("x");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("';' expected", "the build failed", "build.log");
    Files.delete(project.resolve("fail"));
    assertThat(orbit("x").code()).isZero();
  }

  @Test
  void quietBuildsQuietly() throws Exception {
    Run run = orbit("x", "-q");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(builds()).hasSize(1);
    Files.delete(folder.resolve("lib.jar"));
    Files.writeString(project.resolve("fail"), "");
    Run failed = orbit("x", "--quiet");
    assertThat(failed.code()).isEqualTo(2);
    assertThat(failed.err()).contains("the build failed").doesNotContain("building");
  }

  @Test
  void saysWhatIsMissing() throws Exception {
    java("11.0.2");
    assertThat(orbit("x").err()).contains("expected Java 17 or newer, found 11");
    java("17.0.9");
    Files.delete(tools.resolve("mvn"));
    assertThat(orbit("x").err()).contains("expected Maven 3.8 or newer");
    Files.delete(tools.resolve("java"));
    Run run = orbit("x");
    assertThat(run.err()).contains("found no java");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void testsGetTheDataFolderAndTheArguments() throws Exception {
    Files.createDirectories(folder.resolve("data"));
    Run run = run(folder, List.of("./a project/orbit", "test", "-pl", "orbit-core"), "data");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(builds())
        .containsExactly(
            "-B verify -Dorbit.data=" + folder.toRealPath().resolve("data") + " -pl orbit-core");
    assertThat(run(project, List.of("./orbit", "x"), "/nowhere").err())
        .contains("ORBIT_DATA: expected a folder, found '/nowhere'");
  }

  private void java(String version) throws IOException {
    script(
        tools.resolve("java"),
        """
        #!/usr/bin/env bash
        if [[ $1 == -version ]]; then echo 'openjdk version "%s"' >&2; exit; fi
        echo "${@: -3} cwd=$(pwd -P)"
        """
            .formatted(version));
  }

  private List<String> builds() throws IOException {
    Path log = folder.resolve("builds");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  private Run orbit(String... args) throws Exception {
    return run(project, Stream.concat(Stream.of("./orbit"), Stream.of(args)).toList());
  }

  private Run run(Path cwd, List<String> command, String... data) throws Exception {
    return finish(start(cwd, command, data));
  }

  private Process start(Path cwd, List<String> command, String... data) throws IOException {
    // Only what a bare system has: the tools of this test, and links to the usual ones.
    for (String tool :
        "bash env sed find flock readlink tee ln grep head rm mkdir cp mv touch sleep id uname dirname true"
            .split(" ", -1)) {
      Path link = tools.resolve(tool);
      for (String bin : List.of("/usr/bin", "/bin")) {
        if (!Files.exists(link) && Files.exists(Path.of(bin, tool))) {
          Files.createSymbolicLink(link, Path.of(bin, tool));
        }
      }
    }
    for (String browser : List.of("chromium", "chromedriver")) {
      script(tools.resolve(browser), "#!/usr/bin/env bash\n");
    }
    ProcessBuilder builder = new ProcessBuilder(command).directory(cwd.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    builder.environment().put("BUILDS", folder.resolve("builds").toString());
    builder.environment().put("LIB", folder.resolve("lib.jar").toString());
    if (data.length > 0) {
      builder.environment().put("ORBIT_DATA", data[0]);
    }
    return builder.start();
  }

  private static Run finish(Process process) throws Exception {
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), out, err);
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
