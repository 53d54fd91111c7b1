package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's chromium without a window; tests are skipped, loudly, where it is not installed. */
public final class Browser {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

  private Browser() {}

  /** Starts it with a profile in the given folder. */
  public static ChromeDriver open(Path folder) {
    if (!Files.exists(CHROMIUM) || !Files.exists(DRIVER)) {
      System.err.println(
          "*** THE BROWSER TESTS DO NOT RUN: install chromium and chromium-driver ***");
    }
    Assumptions.assumeTrue(Files.exists(CHROMIUM) && Files.exists(DRIVER), "no chromium here");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--user-data-dir=" + folder.resolve("profile"));
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    return new ChromeDriver(
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build(), options);
  }

  /** What the console said since it was last asked. */
  public static List<String> console(ChromeDriver browser) {
    return browser.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(Object::toString)
        .toList();
  }

  /** Pretends another medium and colour scheme; empty texts take that back. */
  public static void pretend(ChromeDriver browser, String medium, String scheme) {
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            medium,
            "features",
            scheme.isEmpty()
                ? List.of()
                : List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Sets the size, checks that nothing sticks out sideways, and keeps an image. */
  public static void shoot(ChromeDriver browser, String name, int width, int height) {
    browser.manage().window().setSize(new Dimension(width, height));
    Object sideways =
        browser.executeScript(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assertThat(sideways).as("sideways scrolling of " + name).isEqualTo(0L);
    try {
      Path shots = Path.of(System.getProperty("orbit.root", "."), "orbit-app/target/screenshots");
      Files.createDirectories(shots);
      Files.write(shots.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
