package org.orbitmap.app.option;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;

/**
 * JSON documents from records, maps and lists: keys in the order of declaration, indented, and
 * always valid: a number that is NaN or infinite is written as {@code null}.
 */
public final class Json {
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  /** The document as text, without a final line break. */
  public static String write(Object value) {
    StringWriter text = new StringWriter();
    write(value, text);
    return text.toString();
  }

  /** Writes the document, without a final line break, as it goes; does not close the writer. */
  public static void write(Object value, Writer out) {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    write(
        value,
        out,
        new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
  }

  /** The document on one line, without a line break. */
  public static String line(Object value) {
    StringWriter text = new StringWriter();
    write(value, text, null);
    return text.toString();
  }

  /** Documents in UTF-8, each on a line that ends with a line break. */
  public static byte[] lines(Iterable<?> values) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream(1 << 13);
    try (JsonGenerator out = new FiniteOnly(MAPPER.getFactory().createGenerator(lines))) {
      out.setRootValueSeparator(null);
      for (Object value : values) {
        MAPPER.writeValue(out, value);
        out.writeRaw('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines.toByteArray();
  }

  private static void write(Object value, Writer to, PrettyPrinter layout) {
    try (JsonGenerator out = new FiniteOnly(MAPPER.getFactory().createGenerator(to))) {
      out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      if (layout != null) {
        out.setPrettyPrinter(layout);
      }
      MAPPER.writeValue(out, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The shared mapper, for reading. */
  public static ObjectMapper mapper() {
    return MAPPER;
  }

  private static final class FiniteOnly extends JsonGeneratorDelegate {
    FiniteOnly(JsonGenerator out) {
      super(out, true);
    }

    @Override
    public void writeNumber(double v) throws IOException {
      if (Double.isFinite(v)) {
        super.writeNumber(v);
      } else {
        writeNull();
      }
    }

    @Override
    public void writeNumber(float v) throws IOException {
      if (Float.isFinite(v)) {
        super.writeNumber(v);
      } else {
        writeNull();
      }
    }

    @Override
    public void writeArray(double[] array, int offset, int length) throws IOException {
      writeStartArray(array, length);
      for (int i = offset; i < offset + length; i++) {
        writeNumber(array[i]);
      }
      writeEndArray();
    }
  }
}
