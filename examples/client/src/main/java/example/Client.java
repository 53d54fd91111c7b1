package example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.orbit.Canonical;

/**
 * Asks a server for the canonical pose of an image, as any program in any language can, and compares
 * the answer with what the library gives: {@code Client http://localhost:8080 photo.png}.
 */
public final class Client {
  private Client() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path file = Path.of(args[1]);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(args[0] + "/api/canonical"))
            .header("Content-Type", "image/png")
            .header("Accept", "image/png")
            .POST(BodyPublishers.ofFile(file))
            .build();
    HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(answer.statusCode() + ": " + new String(answer.body()));
    }
    double degrees =
        Double.parseDouble(answer.headers().firstValue("Orbit-Angle-Degrees").orElseThrow());
    Image found = ImageFiles.decode(file, answer.body(), ImageFiles.MAX_PIXELS);
    Canonical<?, Image> own = RotationMapping.disc().map(ImageFiles.read(file));
    double worst = 0;
    for (int i = 0; i < found.data().length; i++) {
      worst = Math.max(worst, Math.abs(found.data()[i] - own.point().data()[i]));
    }
    System.out.printf("rotated by: %.1f degrees%n", degrees);
    System.out.println("as here: " + (worst <= 0.5 / 255 + 1e-6));
  }
}
