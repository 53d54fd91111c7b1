package org.orbitmap.paper;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.orbitmap.io.AtomicFiles;

/**
 * What is measured of a table so far: for each row and seed, the counts of every finished chunk of
 * test inputs, each in a file of its own.
 *
 * @param folder where the files are
 */
record Cells(Path folder) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private Path file(Row row, int seed, int chunk) {
    return folder
        .resolve("%s-seed%d".formatted(row.id(), seed))
        .resolve("chunk-%04d.json".formatted(chunk));
  }

  boolean has(Row row, int seed, int chunk) throws IOException {
    return read(row, seed, chunk).isPresent();
  }

  /** A chunk; nothing if it is missing or damaged, so that it is measured again. */
  private Optional<Counts> read(Row row, int seed, int chunk) throws IOException {
    Path file = file(row, seed, chunk);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(JSON.readValue(Files.readAllBytes(file), Counts.class))
          .filter(Counts::whole);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  void write(Row row, int seed, int chunk, Counts counts) throws IOException {
    AtomicFiles.write(file(row, seed, chunk), JSON.writeValueAsString(counts) + "\n");
  }

  /** The counts of the chunks from the first on, up to the first that is missing or damaged. */
  Counts total(Row row, int seed, int chunks) throws IOException {
    Counts all = Counts.NONE;
    for (int chunk = 0; chunk < chunks; chunk++) {
      Optional<Counts> next = read(row, seed, chunk);
      if (next.isEmpty()) {
        break;
      }
      all = all.plus(next.get());
    }
    return all;
  }
}
