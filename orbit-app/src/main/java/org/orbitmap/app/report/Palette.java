package org.orbitmap.app.report;

import java.util.List;

/**
 * The colours of a figure.
 *
 * @param text labels
 * @param soft axes and minor labels
 * @param grid grid lines
 * @param paper the background
 * @param series one colour for each series; they differ for colour-blind readers too
 */
record Palette(String text, String soft, String grid, String paper, List<String> series) {
  /** Colours that follow the page, light or dark. */
  static final Palette PAGE =
      new Palette(
          "var(--text)",
          "var(--soft)",
          "var(--grid)",
          "none",
          List.of("var(--s0)", "var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)", "var(--s5)"));

  /** Fixed colours on white, for a paper or a slide. */
  static final Palette PRINT =
      new Palette(
          "#1c2024",
          "#60646c",
          "#dfe2e6",
          "#ffffff",
          List.of("#c8501e", "#1f66c1", "#11805c", "#9a4a9e", "#8a6a00", "#5b6470"));

  /** Dashes, so that series can be told apart in grey as well. */
  private static final List<String> DASHES =
      List.of("none", "none", "6 3", "2 3", "8 3 2 3", "1 2");

  String series(int i) {
    return series.get(i % series.size());
  }

  static String dash(int i) {
    return DASHES.get(i % DASHES.size());
  }
}
