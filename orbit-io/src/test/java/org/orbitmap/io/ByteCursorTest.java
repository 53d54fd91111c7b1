package org.orbitmap.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines, words and numbers of text, the ends of each, and the errors that name a line. */
class ByteCursorTest {
  private static final Path FILE = Path.of("a.txt");

  private static ByteCursor over(String text) {
    return new ByteCursor(FILE, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void linesEndInEveryUsualWay() {
    ByteCursor in = over("one\ntwo\r\nthree\rfour\n\nfive");
    assertThat(in.length()).isEqualTo(25);
    for (String line : new String[] {"one", "two", "three", "four", "", "five"}) {
      assertThat(in.line()).isEqualTo(line);
    }
    assertThat(in.remaining()).isZero();
    assertThat(in.line()).isNull();
    assertThat(in.error("more", 3)).hasMessage("a.txt: expected more in line 6, found 3");
    ByteCursor last = over("one\r");
    assertThat(last.line()).isEqualTo("one");
    assertThat(last.line()).isNull();
  }

  @Test
  void linesWithoutWordsAreSkipped() throws FormatException {
    ByteCursor in = over("# first\r\n \t\n\rone # rest\n;two,,three\n#last");
    assertThat(in.nextLine('#')).isTrue();
    assertThat(in.error("x", "y")).hasMessageContaining("in line 4,");
    assertThat(in.hasWord('#')).isTrue();
    assertThat(in.word()).isEqualTo("one");
    assertThat(in.hasWord('#')).isFalse();
    assertThat(in.hasWord('%')).isTrue();
    in.skipLine();
    assertThat(in.nextLine('#')).isTrue();
    assertThat(in.error("x", "y")).hasMessageContaining("in line 5,");
    assertThat(in.word()).isEqualTo("two");
    assertThat(in.word()).isEqualTo("three");
    assertThat(in.hasWord('#')).isFalse();
    assertThatThrownBy(in::word)
        .isInstanceOf(FormatException.class)
        .hasMessage("a.txt: expected another word in line 5, found the end of the line");
    assertThat(in.nextLine('#')).isFalse();
    assertThat(in.remaining()).isZero();
    assertThat(in.nextLine('#')).isFalse();
    in.skipLine();
    assertThat(in.hasWord('#')).isFalse();
    assertThat(over("  ").nextLine('#')).isFalse();
  }

  @Test
  void aSingleReturnEndsALineAndCountsOnce() {
    ByteCursor in = over("#a\r#b\r\n\r\r\nword\r");
    assertThat(in.nextLine('#')).isTrue();
    assertThat(in.error("x", 1)).hasMessageContaining("in line 5,");
    in.skipLine();
    assertThat(in.remaining()).isZero();
    assertThat(in.error("x", 1)).hasMessageContaining("in line 6,");
  }

  @Test
  void everyBlankSeparates() throws FormatException {
    ByteCursor in = over("a b\tc,d;e\ff\u000bg\nh");
    for (String word : List.of("a", "b", "c", "d", "e", "f", "g")) {
      assertThat(in.word()).isEqualTo(word);
    }
    assertThat(in.hasWord('#')).isFalse();
    in.skipLine();
    assertThat(in.word()).isEqualTo("h");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "7",
        "+7",
        "-7.25",
        ".5",
        "-.5",
        "5.",
        "0.001",
        "000123.4500",
        "1e3",
        "1E3",
        "1e+3",
        "25e-2",
        "-2.5E-3",
        "999999999999999",
        "1234567890123456",
        "0.1234567890123456",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "12e22",
        "1.5e22",
        "1.5e23",
        "1.5e-22",
        "3e300",
        "1e-320",
        "9e4",
        "123456789012345e-22",
        "00000000000000000001",
        "1e00005"
      })
  void numbersAreThoseOfTheLanguage(String text) throws FormatException {
    double expected = Double.parseDouble(text);
    for (String end : new String[] {"", " ", "\n", "\r", ",x"}) {
      ByteCursor in = over(" " + text + end);
      assertThat(in.number()).isEqualTo(expected);
      assertThat(in.remaining()).isEqualTo(end.length());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "-", "+", ".", "-.", "e3", "1e", "1e+", "1e-", "1x", "1.2.3", "0x10", "1f", "1F", "2d",
        "2D", "--1", "one", "1e5e", "/", ":", "1:", "1/", "1e/", "1e:"
      })
  void whatIsNoNumberIsNamed(String text) {
    assertThatThrownBy(over(text + "\n1")::number)
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(
            text.isEmpty() ? "expected another word" : "expected a number, found '" + text + "'");
  }

  @Test
  void notFiniteNumbersAreReadWhereTheyMayStand() throws FormatException {
    ByteCursor in = over("nan -NaN inf -Inf 1e999");
    assertThat(in.anyNumber()).isNaN();
    assertThat(in.anyNumber()).isNaN();
    assertThat(in.anyNumber()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(in.anyNumber()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThatThrownBy(in::number).hasMessage("a.txt: expected a finite number, found Infinity");
  }

  @Test
  void numbersGoOnToTheNextLine() throws FormatException {
    ByteCursor in = over("1 2\n\n3");
    assertThat(in.nextNumber()).isEqualTo(1);
    assertThat(in.nextNumber()).isEqualTo(2);
    assertThat(in.nextNumber()).isEqualTo(3);
    assertThatThrownBy(in::nextNumber)
        .hasMessage("a.txt: expected more numbers in line 3, found the end of the file");
  }

  @Test
  void wholeNumbersAreWhole() throws FormatException {
    ByteCursor in = over("-12 3.5");
    assertThat(in.integer()).isEqualTo(-12);
    assertThatThrownBy(in::integer).hasMessage("a.txt: expected a whole number, found '3.5'");
  }

  @Test
  void countsFitIntoWhatIsLeft() throws FormatException {
    ByteCursor in = over("0123456789");
    assertThat(in.count("points", 0, 4)).isZero();
    assertThat(in.count("points", 2, 4)).isEqualTo(2);
    assertThat(in.count("lines", 5, 2)).isEqualTo(5);
    assertThat(in.count("lines", 11, 0)).as("the last line needs no end").isEqualTo(11);
    for (long count : new long[] {-1, 3, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> in.count("points", count, 4))
          .hasMessage("a.txt: expected room for " + count + " points, found 10 bytes left");
    }
  }

  @Test
  void coordinatesAreFiniteAsFloats() throws FormatException {
    ByteCursor in = over("");
    assertThat(in.coordinate(0.1)).isEqualTo(0.1f);
    assertThat(in.exact(0.1)).isEqualTo(0.1);
    for (double v : new double[] {1e39, Double.NaN}) {
      assertThatThrownBy(() -> in.coordinate(v))
          .hasMessage("a.txt: expected a finite coordinate, found " + v);
      assertThatThrownBy(() -> in.exact(v)).isInstanceOf(FormatException.class);
    }
  }

  @Test
  void theRestIsWhatWasNotRead() throws FormatException {
    ByteCursor in = over("ab \1\2");
    assertThat(in.file()).isEqualTo(FILE);
    assertThat(in.word()).isEqualTo("ab");
    assertThat(in.remaining()).isEqualTo(3);
    assertThat(in.rest(ByteOrder.BIG_ENDIAN).getShort(1)).isEqualTo((short) 0x0102);
    assertThat(in.rest(ByteOrder.LITTLE_ENDIAN).getShort(1)).isEqualTo((short) 0x0201);
    assertThat(in.rest(ByteOrder.BIG_ENDIAN).remaining()).isEqualTo(3);
  }

  @Test
  void messagesShowTextThatCanBePrinted() {
    ByteCursor in = over("");
    assertThat(in.error("x", "a\tb\u007f ~\ud800")).hasMessage("a.txt: expected x, found a?b? ~?");
    assertThat(in.error("x", "y".repeat(60))).hasMessageEndingWith("found " + "y".repeat(60));
    assertThat(in.error("x", "y".repeat(61))).hasMessageEndingWith("found " + "y".repeat(60) + "…");
  }
}
