package org.orbitmap.app;

import java.io.PrintWriter;
import java.io.StringWriter;

/** One run of the command in this virtual machine: what it printed and how it ended. */
public record Run(int code, String out, String err) {
  public static Run orbit(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Run(code, out.toString(), err.toString());
  }
}
