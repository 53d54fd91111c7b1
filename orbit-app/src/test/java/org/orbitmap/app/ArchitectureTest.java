package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages use each other in one direction only, and none outgrows its reader. */
class ArchitectureTest {
  /**
   * What each package may use beside itself, all below {@code org.orbitmap}. A package stands below
   * those that it uses, so that there is no cycle.
   */
  private static final String PACKAGES =
      """
      group           :
      orbit           : group
      eval            : orbit
      vector          : group orbit
      extension       :
      image           : group orbit eval
      image.mapping   : group orbit eval image
      lanes           : image
      cloud           : group orbit eval
      cloud.mapping   : group orbit cloud
      mesh            : group orbit cloud
      mesh.spectral   : mesh
      mesh.match      : mesh.spectral
      mesh.mapping    : group orbit mesh mesh.spectral
      model           : group orbit eval extension image image.mapping cloud cloud.mapping
      network         : extension image model
      network.front   : extension image network
      network.steerable : group orbit image network
      network.zoo     : extension image model network network.front network.steerable
      network.run     : cloud image network
      upright         : group orbit eval image image.mapping cloud cloud.mapping model network \
                        network.run network.zoo

      testkit         : group orbit eval vector image image.mapping cloud cloud.mapping network upright \
                        mesh mesh.mapping mesh.spectral
      testkit.file    :
      testkit.network : image model network network.run network.steerable network.zoo testkit

      io              :
      io.image        : orbit image io
      io.cloud.codec  : cloud mesh io
      io.cloud.array  : cloud mesh io io.cloud.codec
      io.cloud        : cloud mesh io io.cloud.codec io.cloud.array
      io.data         : eval extension image cloud model io io.image
      io.photo        : image model io io.image io.data
      io.data.source  : group eval extension image cloud mesh io io.image io.cloud io.data io.photo
      io.network      : orbit image model network upright io

      djl             : orbit image io.image
      spark           : group orbit eval image image.mapping cloud mesh model io io.image io.cloud io.cloud.codec

      nn.tensor       : network io
      nn.layer        : group orbit image image.mapping cloud cloud.mapping model network upright nn.tensor
      nn.model        : group orbit eval image cloud.mapping model network network.zoo upright io io.network io.data nn.tensor nn.layer
      nn.scheme       : group extension image cloud model io.image io.data io.photo nn.tensor nn.layer nn.model
      nn.train        : eval image model network network.zoo upright io io.network io.data nn.tensor nn.layer nn.model \
                        nn.scheme
      nn.bench        : eval image model network network.zoo io io.data nn.tensor nn.layer nn.model \
                        nn.scheme nn.train
      nn.fit          : group image image.mapping cloud cloud.mapping model network network.zoo upright io \
                        io.network io.data nn.tensor nn.layer nn.model nn.train

      onnx.graph      : model io
      onnx.run        : eval model onnx.graph
      onnx.export     : image model network network.run io onnx.graph
      onnx.wrap       : group orbit eval image image.mapping cloud.mapping model network network.zoo upright io \
                        io.image onnx.graph onnx.run onnx.export

      paper           : eval image image.mapping cloud model io io.data io.data.source io.network nn.fit nn.tensor nn.model \
                        nn.scheme nn.train
      paper.table     : eval image cloud model io nn.bench nn.model nn.scheme nn.train paper

      paper.mesh      : group io.data.source mesh mesh.spectral mesh.match

      app.option      : eval image model io io.data io.data.source
      app.cell        : io model onnx.graph onnx.run app.option
      app.sample      : orbit eval image cloud cloud.mapping mesh model io.image io.data io.data.source \
                        nn.model nn.train onnx.graph onnx.run onnx.wrap
      app.report      : group eval image image.mapping cloud cloud.mapping mesh io io.image paper \
                        paper.table app.option
      app.map         : group orbit eval image image.mapping cloud cloud.mapping mesh mesh.spectral \
                        mesh.mapping model upright io io.image io.cloud io.cloud.array io.cloud.codec app.option
      app.match       : group eval image cloud mesh mesh.spectral mesh.match io io.cloud io.cloud.array \
                        io.data.source paper.mesh app.option app.report
      app.model       : orbit eval image image.mapping model network network.zoo io io.data io.network nn.tensor nn.model nn.train \
                        onnx.graph onnx.run onnx.wrap onnx.export paper paper.table app.option
      app.fit         : eval image io.cloud io.data io.data.source io.image nn.fit app.option app.report
      app.audit       : group orbit eval image cloud model io io.data io.data.source app.option \
                        app.report app.model
      app.train       : eval io io.data io.network model network network.zoo nn.model nn.train paper paper.table \
                        app.option app.model app.audit
      app.serve.http  : io app.option
      app.serve.model : eval image image.mapping cloud model upright io onnx.graph onnx.run onnx.wrap \
                        app.serve.http
      app.serve.api   : group eval image image.mapping cloud cloud.mapping mesh mesh.spectral mesh.match \
                        app.match model io.image \
                        io.cloud io.data io.data.source onnx.graph onnx.run app.option app.cell \
                        app.sample app.report app.map app.audit app.serve.http app.serve.model
      app.bench       : eval image image.mapping model io io.image onnx.graph onnx.run onnx.wrap
      app.command     : group orbit eval image image.mapping cloud cloud.mapping mesh model upright testkit testkit.network io \
                        io.image io.cloud io.data io.photo io.data.source nn.tensor nn.model nn.train nn.fit nn.bench onnx.graph \
                        onnx.run onnx.wrap paper paper.table app.option app.bench app.cell app.sample app.report app.map app.match app.model app.fit app.audit \
                        app.serve.http app.serve.model app.serve.api
      app.soak        : eval image cloud mesh upright testkit.file io io.image io.cloud io.cloud.codec io.data \
                        io.network nn.train onnx.graph app.option app.sample
      app             : io app.option app.match app.command app.soak app.train

      benchmarks      : group orbit image image.mapping cloud cloud.mapping
      """;

  private static final List<String> LIBRARIES =
      List.of("core", "vector", "testkit", "io", "djl", "spark", "nn", "onnx", "paper");

  /** All modules with code; the rest of the table's packages belong to one of them. */
  private static final List<String> MODULES =
      Stream.concat(LIBRARIES.stream(), Stream.of("app", "benchmarks")).toList();

  private static final int MOST_CLASSES = 16;
  private static final int MOST_LINES = 450;

  /** What the doc comment of a longer class says, with the reason behind it. */
  private static final Pattern REASON = Pattern.compile("(?i)\\blong\\s+(\\*\\s+)?because\\b");

  private static final Path ROOT = Path.of(System.getProperty("orbit.root", ".."));
  private static final Pattern PACKAGE =
      Pattern.compile("^package org\\.orbitmap\\.([\\w.]+);", Pattern.MULTILINE);
  private static final Pattern USED =
      Pattern.compile("\\borg\\.orbitmap((?:\\.[a-z][a-z0-9]*)+)\\.[A-Z]");
  private static final Pattern LITERAL_OR_COMMENT =
      Pattern.compile("\"(?:\\\\.|[^\"\\\\\\n])*\"|/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
  private static final Pattern FLAG = Pattern.compile("\"[^\"\\n]*?--[a-z][^\"\\n]*\"");

  /** A class in its file. */
  private record Source(String module, Path file, String text) {
    String own() {
      Matcher m = PACKAGE.matcher(text);
      assertThat(m.find()).as("%s: a package below org.orbitmap", file).isTrue();
      return m.group(1);
    }

    /** The text without its comments. */
    String code() {
      return LITERAL_OR_COMMENT
          .matcher(text)
          .replaceAll(m -> m.group().startsWith("/") ? "" : Matcher.quoteReplacement(m.group()));
    }

    Set<String> uses() {
      Set<String> used = new TreeSet<>();
      Matcher m = USED.matcher(code());
      while (m.find()) {
        used.add(m.group(1).substring(1));
      }
      used.remove(own());
      return used;
    }
  }

  private static List<Source> sources(List<String> modules) throws IOException {
    List<Source> all = new ArrayList<>();
    for (String module : modules) {
      try (Stream<Path> files = Files.walk(ROOT.resolve("orbit-" + module + "/src/main/java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
          if (!file.endsWith("package-info.java")) {
            all.add(new Source(module, file, Files.readString(file)));
          }
        }
      }
    }
    assertThat(all).hasSizeGreaterThan(modules.size());
    return all;
  }

  private static Map<String, Set<String>> allowed() {
    Map<String, Set<String>> table = new LinkedHashMap<>();
    PACKAGES
        .lines()
        .filter(l -> !l.isBlank())
        .forEach(
            l -> {
              String[] row = l.split(":", -1);
              Set<String> uses = new TreeSet<>(List.of(row[1].strip().split("\\s+")));
              uses.remove("");
              assertThat(table.put(row[0].strip(), uses)).as(l).isNull();
            });
    return table;
  }

  @Test
  void theTableHasNoCycle() {
    Set<String> above = new TreeSet<>();
    allowed()
        .forEach(
            (name, uses) -> {
              assertThat(above).as("%s stands below what it uses", name).containsAll(uses);
              above.add(name);
            });
  }

  @Test
  void everyPackageUsesOnlyWhatItMay() throws IOException {
    Map<String, Set<String>> table = allowed();
    List<String> wrong = new ArrayList<>();
    for (Source source : sources(MODULES)) {
      Set<String> may = table.get(source.own());
      if (may == null) {
        wrong.add("%s: %s is not in the table".formatted(source.file(), source.own()));
        continue;
      }
      Set<String> more = source.uses();
      more.removeAll(may);
      if (!more.isEmpty()) {
        wrong.add("%s: %s uses %s".formatted(source.file(), source.own(), more));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void noPackageHasTooManyClasses() throws IOException {
    Map<String, Integer> sizes = new TreeMap<>();
    sources(MODULES).forEach(s -> sizes.merge(s.own(), 1, Integer::sum));
    assertThat(sizes)
        .allSatisfy((name, n) -> assertThat(n).as(name).isLessThanOrEqualTo(MOST_CLASSES));
  }

  @Test
  void aLongClassSaysWhy() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Source source : sources(MODULES)) {
      long lines = source.text().lines().count();
      if (lines > MOST_LINES && !REASON.matcher(source.text()).find()) {
        wrong.add("%s: %d lines".formatted(source.file(), lines));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void onlyTheAppKnowsTheCommandLine() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Source source : sources(LIBRARIES)) {
      String code = source.code();
      if (code.contains("System.exit(") || code.contains("import picocli")) {
        wrong.add(source.file().toString());
      }
      Matcher flag = FLAG.matcher(code);
      while (flag.find()) {
        wrong.add("%s: %s".formatted(source.file(), flag.group()));
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** So that all of them are on the same device. */
  @Test
  void tensorsAreMadeInOnePlace() throws IOException {
    Pattern making =
        Pattern.compile("torch\\.(tensor|zeros|ones|empty|full|arange|eye|rand\\w*|from_blob)\\(");
    for (Source source : sources(List.of("nn"))) {
      assertThat(making.matcher(source.code()).find())
          .as(source.file().toString())
          .isEqualTo(source.file().endsWith("Tensors.java"));
    }
  }
}
