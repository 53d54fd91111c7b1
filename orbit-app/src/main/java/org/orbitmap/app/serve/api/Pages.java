package org.orbitmap.app.serve.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.app.serve.http.Server;

/** The files of the page, all of them in the jar and in memory. */
public final class Pages {
  private static final List<String> FILES =
      List.of(
          "index.html",
          "studio.css",
          "studio.js",
          "image.js",
          "solid.js",
          "poses.js",
          "upload.js",
          "draw.js",
          "api.js",
          "icon.svg",
          "openapi.json");

  private record Page(String mediaType, byte[] content, String tag) {}

  private Pages() {}

  static void addTo(Server server) {
    Map<String, Page> pages = new LinkedHashMap<>();
    for (String name : FILES) {
      byte[] content = resource(name);
      pages.put("/" + name, new Page(mediaType(name), content, tag(content)));
    }
    pages.put("/", pages.get("/index.html"));
    pages.put("/favicon.ico", pages.get("/icon.svg"));
    pages.forEach((path, page) -> server.get(path, request -> answer(request, page)));
  }

  private static Response answer(Request request, Page page) {
    boolean known = page.tag().equals(request.header().apply("If-None-Match"));
    Response response =
        known
            ? new Response(304, page.mediaType(), new byte[0], Map.of())
            : Response.of(page.mediaType(), page.content());
    return response.with("ETag", page.tag()).with("Cache-Control", "no-cache");
  }

  private static String mediaType(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> "application/json";
    };
  }

  private static String tag(byte[] content) {
    java.util.zip.CRC32C sum = new java.util.zip.CRC32C();
    sum.update(content);
    return '"' + HexFormat.of().toHexDigits(sum.getValue(), 8) + "-" + content.length + '"';
  }

  public static byte[] resource(String name) {
    try (InputStream in = Pages.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
