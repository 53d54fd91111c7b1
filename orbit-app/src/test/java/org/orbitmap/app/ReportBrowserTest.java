package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.orbitmap.app.report.CloudFigure;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.ReportTest;
import org.orbitmap.app.report.ReproductionReportTest;
import org.orbitmap.app.report.RobustnessReportTest;
import org.orbitmap.app.report.RotationFigure;
import org.orbitmap.app.sample.Samples;

/** Reports in a real browser: light, dark, on paper and on a phone. */
class ReportBrowserTest {
  @TempDir static Path folder;

  private static ChromeDriver browser;

  @BeforeAll
  static void open() {
    browser = Browser.open(folder);
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.quit();
    }
  }

  private static Report report(String name) {
    return switch (name) {
      case "robustness" -> RobustnessReportTest.whole();
      case "reproduction" -> ReproductionReportTest.example();
      case "figures" ->
          CloudFigure.of(3)
              .addTo(RotationFigure.of(Samples.boat(64), 0, 37, 201).addTo(Report.of("Figures")));
      default -> ReportTest.example();
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"everything", "robustness", "reproduction", "figures"})
  void opensEverywhereWithoutAnError(String name) throws IOException {
    Path page = report(name).writeTo(folder.resolve(name + ".html")).page();
    for (String scheme : List.of("light", "dark")) {
      Browser.pretend(browser, "", scheme);
      browser.get(page.toUri().toString());
      Browser.shoot(browser, "report-%s-%s".formatted(name, scheme), 1280, 3000);
      assertThat(browser.findElement(By.tagName("h1")).isDisplayed()).isTrue();
      assertThat(number("return document.querySelectorAll('svg, img').length")).isPositive();
      // Every image can be drawn, and no text has become markup.
      assertThat(
              number(
                  "return [...document.images].filter(i => !i.complete || !i.naturalWidth).length"))
          .isZero();
      assertThat(number("return document.querySelectorAll('b, script').length")).isZero();
    }
    Browser.shoot(browser, "report-%s-phone".formatted(name), 390, 3000);
    assertReadableOnAPhone();
    Browser.pretend(browser, "print", "");
    Browser.shoot(browser, "report-%s-print".formatted(name), 800, 3000);
    Browser.pretend(browser, "", "");
    assertThat(Browser.console(browser)).isEmpty();
  }

  /** Tables scroll in their boxes, to the last column, and the first one stays in sight. */
  private static void assertReadableOnAPhone() {
    assertThat(number("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(390);
    Object faults =
        browser.executeScript(
            """
            const faults = [];
            for (const box of document.querySelectorAll('.scroll')) {
              const inside = box.getBoundingClientRect();
              if (inside.left < 0 || inside.right > innerWidth) faults.push('a box sticks out');
              box.scrollLeft = 1e6;
              const row = [...box.querySelectorAll('tbody tr:first-child > *')]
                  .map(cell => cell.getBoundingClientRect());
              const last = row[row.length - 1];
              if (last.right > inside.right + 1 || last.left < inside.left) faults.push('last column');
              if (Math.abs(row[0].left - inside.left) > 1) faults.push('first column');
              if (row[0].width < 60 || row[0].width > inside.width / 2)
                faults.push('the first column is ' + row[0].width);
              if (parseFloat(getComputedStyle(box.querySelector('td')).fontSize) < 12) faults.push('small');
            }
            return faults;
            """);
    assertThat((List<?>) faults).isEmpty();
  }

  private static long number(String script) {
    return (Long) browser.executeScript(script);
  }
}
