package org.orbitmap.app.report;

import com.github.weisj.jsvg.SVGDocument;
import com.github.weisj.jsvg.parser.LoaderContext;
import com.github.weisj.jsvg.parser.SVGLoader;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.swing.JComponent;
import org.orbitmap.image.Image;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.image.ImageFiles;

/**
 * One HTML file that can be mailed, opened offline and printed; light or dark as the reader likes.
 * Its figures are also written beside it, as SVG and PNG.
 *
 * <pre>{@code
 * Report.of("Evaluation of my network")
 *     .lead("Clean, average and worst accuracy over 360 angles.")
 *     .table(Table.of("Accuracy", "model", "clean", "worst").row("plain", "91.2", "4.0"))
 *     .figure(new Figure.Polar("Accuracy by angle", "A circle is invariance.", curves))
 *     .provenance(Map.of("command", "orbit evaluate …"))
 *     .writeTo(Path.of("report.html"));
 * }</pre>
 *
 * <p>A report is a value: each method returns a longer one.
 */
public final class Report {
  private final String title;
  private final String lead;
  private final List<Object> blocks;
  private final Map<String, String> provenance;

  /** A short fact, set large: a number and what it is. */
  private record Fact(String value, String meaning) {}

  private record Heading(String text) {}

  private record Paragraph(String text) {}

  /**
   * What was written.
   *
   * @param page the HTML file
   * @param figures SVG and PNG files, in the order of the figures
   * @param note why something is missing; empty if nothing is
   */
  public record Written(Path page, List<Path> figures, String note) {}

  private Report(String title, String lead, List<Object> blocks, Map<String, String> provenance) {
    this.title = title;
    this.lead = lead;
    this.blocks = blocks;
    this.provenance = provenance;
  }

  /** A report with a title and nothing else. */
  public static Report of(String title) {
    return new Report(title, "", List.of(), Map.of());
  }

  /** One or two sentences under the title. */
  public Report lead(String text) {
    return new Report(title, text, blocks, provenance);
  }

  /** A number, set large, and what it means. */
  public Report fact(String value, String meaning) {
    return and(new Fact(value, meaning));
  }

  /** Starts a section. */
  public Report section(String heading) {
    return and(new Heading(heading));
  }

  /** A paragraph. */
  public Report text(String text) {
    return and(new Paragraph(text));
  }

  /** A table. */
  public Report table(Table table) {
    return and(table);
  }

  /** A chart. */
  public Report figure(Figure figure) {
    return and(figure);
  }

  /** Images. */
  public Report gallery(Gallery gallery) {
    return gallery.items().isEmpty() ? this : and(gallery);
  }

  /** Where the numbers come from: command, version, seed, digest of the data. */
  public Report provenance(Map<String, String> facts) {
    Map<String, String> all = new LinkedHashMap<>(provenance);
    all.putAll(facts);
    return new Report(title, lead, blocks, all);
  }

  private Report and(Object block) {
    List<Object> more = new ArrayList<>(blocks);
    more.add(block);
    return new Report(title, lead, List.copyOf(more), provenance);
  }

  /**
   * Writes the page, and its figures into a folder beside it: {@code report.html} and {@code
   * report-figures/*.svg, *.png}. Each file appears whole or not at all.
   */
  public Written writeTo(Path page) throws IOException {
    AtomicFiles.write(page, html());
    String stem = page.getFileName().toString().replaceFirst("\\.html?$", "");
    Path folder = page.resolveSibling(stem + "-figures");
    List<Path> written = new ArrayList<>();
    String note = "";
    Set<String> names = new LinkedHashSet<>();
    for (Object block : blocks) {
      if (!(block instanceof Figure figure)) {
        continue;
      }
      String name = figure.fileName();
      for (int i = 2; !names.add(name); i++) {
        name = figure.fileName() + "-" + i;
      }
      String svg = figure.svg(Palette.PRINT);
      Path file = folder.resolve(name + ".svg");
      AtomicFiles.write(file, svg);
      written.add(file);
      try {
        byte[] png = png(svg, figure.size());
        Path raster = folder.resolve(name + ".png");
        AtomicFiles.write(raster, out -> out.write(png));
        written.add(raster);
      } catch (LinkageError | InternalError | RuntimeException e) {
        // A Java runtime without fonts cannot draw text; the SVG is complete all the same.
        note = "no PNG figures: this Java runtime could not draw text (" + e.getMessage() + ")";
      }
    }
    return new Written(page, List.copyOf(written), note);
  }

  /** The page as text. */
  public String html() {
    Html h = new Html();
    h.trusted("<!doctype html>\n");
    h.open("html", "lang", "en").open("head").empty("meta", "charset", "utf-8");
    h.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    h.empty("meta", "name", "color-scheme", "content", "light dark");
    h.empty(
        "meta",
        "http-equiv",
        "Content-Security-Policy",
        "content",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
    h.element("title", title).open("style").trusted(style()).close("style").close("head");
    h.open("body").open("main").open("header").element("h1", title);
    if (!lead.isEmpty()) {
      h.element("p", lead, "class", "lead");
    }
    h.close("header");
    for (int i = 0; i < blocks.size(); i++) {
      Object block = blocks.get(i);
      boolean fact = block instanceof Fact;
      if (fact && (i == 0 || !(blocks.get(i - 1) instanceof Fact))) {
        h.open("dl", "class", "facts");
      }
      write(h, block);
      if (fact && (i + 1 == blocks.size() || !(blocks.get(i + 1) instanceof Fact))) {
        h.close("dl");
      }
    }
    if (!provenance.isEmpty()) {
      h.open("footer").element("h2", "Where this comes from").open("dl");
      provenance.forEach((k, v) -> h.element("dt", k).element("dd", v));
      h.close("dl").close("footer");
    }
    return h.close("main").close("body").close("html").trusted("\n").toString();
  }

  private static void write(Html h, Object block) {
    if (block instanceof Heading heading) {
      h.element("h2", heading.text());
    } else if (block instanceof Paragraph paragraph) {
      h.element("p", paragraph.text());
    } else if (block instanceof Fact fact) {
      h.open("div").element("dt", fact.meaning()).element("dd", fact.value()).close("div");
    } else if (block instanceof Table table) {
      write(h, table);
    } else if (block instanceof Figure figure) {
      h.open("figure").element("h3", figure.title());
      h.open("div", "class", "chart").trusted(figure.svg(Palette.PAGE)).close("div");
      h.element("figcaption", figure.caption()).close("figure");
    } else if (block instanceof Gallery gallery) {
      h.open("section").element("h3", gallery.title()).element("p", gallery.note());
      boolean wide =
          gallery.items().stream().allMatch(i -> i.image().width() > 2 * i.image().height());
      h.open("ul", "class", wide ? "gallery wide" : "gallery");
      for (Gallery.Item item : gallery.items()) {
        h.open("li");
        h.empty("img", "src", dataUri(item.image()), "alt", item.headline());
        h.element("strong", item.headline()).element("span", item.detail()).close("li");
      }
      h.close("ul").close("section");
    }
  }

  private static void write(Html h, Table table) {
    h.open("section").element("h3", table.title());
    h.open(
        "div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", table.title());
    h.open("table").open("thead").open("tr");
    for (int i = 0; i < table.columns().size(); i++) {
      boolean numbers = i > 0 && table.numeric(i);
      h.element("th", table.columns().get(i), "scope", "col", "class", numbers ? "n" : "t");
    }
    h.close("tr").close("thead").open("tbody");
    for (List<String> row : table.rows()) {
      h.open("tr");
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        if (i == 0) {
          h.element("th", cell, "scope", "row");
        } else {
          h.element("td", cell, "class", table.numeric(i) ? "n" : "t");
        }
      }
      h.close("tr");
    }
    h.close("tbody").close("table").close("div");
    if (!table.note().isEmpty()) {
      h.element("p", table.note(), "class", "note");
    }
    h.close("section");
  }

  /** The image as an address that holds all of it. */
  public static String dataUri(Image image) {
    return "data:image/png;base64," + Base64.getEncoder().encodeToString(ImageFiles.png(image));
  }

  /** The drawing at twice its size, as PNG. */
  static byte[] png(String svg, double[] size) throws IOException {
    SVGDocument document =
        new SVGLoader()
            .load(
                new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)),
                null,
                LoaderContext.createDefault());
    if (document == null) {
      throw new IOException("a figure could not be drawn");
    }
    int w = (int) Math.ceil(2 * size[0]);
    int h = (int) Math.ceil(2 * size[1]);
    BufferedImage image = new BufferedImage(w, h, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    g.scale(2, 2);
    document.render((JComponent) null, g);
    g.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  private static String style() {
    try (InputStream in = Report.class.getResourceAsStream("report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("report.css is missing from the jar", e);
    }
  }
}
