package org.orbitmap.io;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A list of any length in little memory: values are added at the end and read from the start, any
 * number of times. The first megabyte stays in memory, a longer list goes to a temporary file.
 *
 * @param <T> the values
 */
public final class Spool<T> implements Iterable<T>, AutoCloseable {
  private static final int IN_MEMORY = 1 << 20;

  /**
   * How values are written and read.
   *
   * @param <T> the values
   */
  public interface Codec<T> {
    /** Writes a value. */
    void write(T value, DataOutputStream out) throws IOException;

    /** Reads what was written. */
    T read(DataInputStream in) throws IOException;
  }

  private final Codec<T> codec;
  private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
  private final List<Closeable> open = new ArrayList<>();
  private DataOutputStream out = new DataOutputStream(memory);
  private Path file;
  private long size;

  public Spool(Codec<T> codec) {
    this.codec = codec;
  }

  /** Adds a value; who reads already does not see it. */
  public void add(T value) throws IOException {
    if (file == null && memory.size() > IN_MEMORY) {
      file = Files.createTempFile("orbit", ".spool");
      out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
      open.add(out);
      memory.writeTo(out);
      memory.reset();
    }
    codec.write(value, out);
    size++;
  }

  /** How many values there are. */
  public long size() {
    return size;
  }

  @Override
  public Iterator<T> iterator() {
    try {
      out.flush();
      InputStream bytes =
          file == null
              ? new ByteArrayInputStream(memory.toByteArray())
              : new BufferedInputStream(Files.newInputStream(file), 1 << 16);
      open.add(bytes);
      return new Reader(new DataInputStream(bytes), size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Reader implements Iterator<T> {
    private final DataInputStream in;
    private long left;

    Reader(DataInputStream in, long left) {
      this.in = in;
      this.left = left;
    }

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public T next() {
      if (left <= 0) {
        throw new NoSuchElementException();
      }
      try {
        T value = codec.read(in);
        left--;
        if (left == 0) {
          in.close();
        }
        return value;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Nothing is left of it. */
  @Override
  public void close() throws IOException {
    for (Closeable stream : open) {
      stream.close();
    }
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
