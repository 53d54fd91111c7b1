package org.orbitmap.app.serve.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.io.image.ImageFiles;

/**
 * Images of the user's own that the page shows as samples. Only these files are served.
 *
 * @param files where they are
 */
record OwnImages(List<Path> files) {
  /** What the page shows of each: its name, and the folder it is in, which may be its class. */
  List<Map<String, String>> names() {
    List<Map<String, String>> names = new ArrayList<>();
    for (Path file : files) {
      Map<String, String> one = new LinkedHashMap<>();
      one.put("name", file.getFileName().toString());
      Path folder = file.toAbsolutePath().normalize().getParent();
      one.put("folder", folder.getFileName() == null ? "" : folder.getFileName().toString());
      names.add(one);
    }
    return names;
  }

  /** {@code GET /api/images/{number}}: one of them, as a PNG. */
  Response file(Request request) throws IOException {
    String number = request.path().get("number");
    if (!number.matches("\\d{1,3}") || Integer.parseInt(number) >= files.size()) {
      throw new Problem(404, "image: expected a number below " + files.size());
    }
    return Response.of(
        "image/png", ImageFiles.png(ImageFiles.read(files.get(Integer.parseInt(number)))));
  }
}
