package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What must hold of every report that a command writes. */
public final class Page {
  private Page() {}

  /** One file that asks for nothing else, without broken numbers, with the given headings. */
  public static String assertWhole(Path file, String... headings) throws IOException {
    assertThat(file).isNotEmptyFile();
    String html = Files.readString(file);
    assertThat(html.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http:", "https:");
    assertThat(text(html)).doesNotContain("src=\"/", "href=", "<script", "NaN", "Infinity");
    for (String heading : headings) {
      assertThat(html).contains(">" + heading + "<");
    }
    assertThat(html).contains(">command<", ">version<", ">Where this comes from<");
    return html;
  }

  /** The page without the bytes of its images, whose letters may spell anything. */
  private static String text(String html) {
    return html.replaceAll("(data:image/png;base64,)[A-Za-z0-9+/=]+", "$1");
  }
}
