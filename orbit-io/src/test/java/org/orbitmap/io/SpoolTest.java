package org.orbitmap.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** Lists and indices that are larger than what is kept of them in memory. */
class SpoolTest {
  private static final Spool.Codec<String> TEXT =
      new Spool.Codec<>() {
        @Override
        public void write(String value, DataOutputStream out) throws IOException {
          out.writeUTF(value);
        }

        @Override
        public String read(DataInputStream in) throws IOException {
          return in.readUTF();
        }
      };

  @Test
  void givesBackWhatWasAddedInItsOrder() throws IOException {
    try (Spool<String> spool = new Spool<>(TEXT)) {
      assertThat(spool.iterator().hasNext()).isFalse();
      for (int length : new int[] {10, 300_000}) { // in memory, then in a file
        while (spool.size() < length) {
          spool.add("name " + spool.size());
        }
        for (int k = 0; k < 2; k++) {
          long i = 0;
          for (String value : spool) {
            if (!value.equals("name " + i)) {
              assertThat(value).isEqualTo("name " + i);
            }
            i++;
          }
          assertThat(i).isEqualTo(length);
        }
      }
      Iterator<String> early = spool.iterator();
      spool.add("last");
      for (long i = 0; i < 300_000; i++) {
        early.next();
      }
      assertThat(early.hasNext()).isFalse();
      assertThatThrownBy(early::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  void everyNameHasItsNumber() {
    NameIndex index = new NameIndex();
    int names = 200_000;
    for (int i = 0; i < names; i++) {
      index.put("folder/file-" + i + ".png", i);
    }
    index.put("folder/file-7.png", -7);
    assertThat(index.get("folder/file-7.png", 0)).isEqualTo(-7);
    index.put("folder/file-7.png", 7);
    for (int i = 0; i < names; i++) {
      if (index.get("folder/file-" + i + ".png", -1) != i) {
        assertThat(index.get("folder/file-" + i + ".png", -1)).isEqualTo(i);
      }
    }
    assertThat(index.contains("folder/file-x.png")).isFalse();
    assertThat(index.get("", -1)).isEqualTo(-1);
  }
}
