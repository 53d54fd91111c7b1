package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * What is published: the poms say what Maven Central asks for, and who takes one module gets no
 * more than it needs. {@code .ci/artefacts} builds it all and resolves it as users do.
 */
class ArtefactsTest {
  private static final Path ROOT = Path.of(System.getProperty("orbit.root", ".."));

  /** A pom, as it is written. */
  private record Pom(Element project) {
    static Pom of(String module) throws Exception {
      Path file = ROOT.resolve(module).resolve("pom.xml");
      return new Pom(
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement());
    }

    /** The elements at a path below the project. */
    List<Element> all(String path) {
      List<Element> found = List.of(project);
      for (String name : path.split("/", -1)) {
        found = found.stream().flatMap(e -> children(e, name).stream()).toList();
      }
      return found;
    }

    String text(String path) {
      List<Element> found = all(path);
      assertThat(found).as(path).isNotEmpty();
      return found.get(0).getTextContent().strip();
    }

    /** What comes with the module: group and artefact of dependencies that users get, too. */
    Set<String> brings() {
      Set<String> names = new TreeSet<>();
      for (Element d : all("dependencies/dependency")) {
        List<Element> scope = children(d, "scope");
        boolean ours =
            !scope.isEmpty()
                && Set.of("test", "provided").contains(scope.get(0).getTextContent().strip());
        boolean optional = !children(d, "optional").isEmpty();
        if (!ours && !optional) {
          names.add(
              children(d, "groupId").get(0).getTextContent()
                  + ":"
                  + children(d, "artifactId").get(0).getTextContent());
        }
      }
      return names;
    }
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element e && e.getTagName().equals(name)) {
        found.add(e);
      }
    }
    return found;
  }

  private static List<String> modules() throws Exception {
    return Pom.of("").all("modules/module").stream()
        .map(e -> e.getTextContent().strip())
        .filter(m -> !m.equals("orbit-benchmarks"))
        .toList();
  }

  /** All that a module brings, through other modules, too. */
  private static Set<String> closure(String module) throws Exception {
    Set<String> all = new TreeSet<>(Pom.of("").brings());
    for (String name : Pom.of(module).brings()) {
      all.add(name);
      if (name.startsWith("org.orbitmap:")) {
        all.addAll(closure(name.substring(name.indexOf(':') + 1)));
      }
    }
    return all;
  }

  @Test
  void thePomsSayWhatMavenCentralAsks() throws Exception {
    for (String module : List.of("", "orbit-bom")) {
      Pom pom = Pom.of(module);
      for (String path :
          List.of(
              "name",
              "description",
              "url",
              "licenses/license/name",
              "licenses/license/url",
              "developers/developer/name",
              "scm/connection",
              "scm/url")) {
        assertThat(pom.text(path)).as("%s: %s", module, path).isNotEmpty();
      }
    }
    for (String module : modules()) {
      assertThat(Pom.of(module).text("name")).isNotEmpty();
      assertThat(Pom.of(module).text("description")).isNotEmpty();
    }
  }

  @Test
  void everyModuleHasANameOfItsOwnForTheModulePath() throws Exception {
    Set<String> names = new TreeSet<>();
    for (String module : modules()) {
      if (!module.equals("orbit-bom")) {
        String name = Pom.of(module).text("properties/orbit.module");
        assertThat(name).isEqualTo("org.orbitmap." + module.substring("orbit-".length()));
        assertThat(names.add(name)).isTrue();
      }
    }
  }

  @Test
  void theBomListsEveryModule() throws Exception {
    Pom bom = Pom.of("orbit-bom");
    assertThat(bom.all("parent")).as("importing it brings nobody else's versions").isEmpty();
    assertThat(bom.text("version")).isEqualTo(Pom.of("").text("version"));
    List<String> listed =
        bom.all("dependencyManagement/dependencies/dependency/artifactId").stream()
            .map(e -> e.getTextContent().strip())
            .toList();
    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            modules().stream().filter(m -> !m.equals("orbit-bom")).toList());
  }

  @Test
  void whoTakesOneModuleGetsNoMoreThanItNeeds() throws Exception {
    assertThat(closure("orbit-core")).isEmpty();
    assertThat(closure("orbit-testkit")).containsExactly("org.orbitmap:orbit-core");
    assertThat(closure("orbit-onnx"))
        .contains("com.microsoft.onnxruntime:onnxruntime")
        .noneMatch(d -> d.startsWith("org.bytedeco:"));
    assertThat(closure("orbit-nn")).anyMatch(d -> d.equals("org.bytedeco:pytorch"));
  }

  @Test
  void theExamplesUseThisVersion() throws Exception {
    String version = Pom.of("").text("version");
    try (var folders = Files.list(ROOT.resolve("examples"))) {
      for (Path folder : folders.filter(Files::isDirectory).toList()) {
        Pom pom = Pom.of("examples/" + folder.getFileName());
        assertThat(pom.text("properties/orbit.version")).as("%s", folder).isEqualTo(version);
      }
    }
  }
}
