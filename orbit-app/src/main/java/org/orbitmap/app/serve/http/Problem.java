package org.orbitmap.app.serve.http;

/** A request that cannot be answered as asked, and the status that says so. */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  public Problem(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  public int status() {
    return status;
  }

  /** 400: "what: expected …, found …". */
  public static Problem expected(String what, String expected, Object found) {
    String text = String.valueOf(found);
    return new Problem(
        400,
        "%s: expected %s, found %s"
            .formatted(what, expected, text.length() > 80 ? text.substring(0, 80) + "…" : text));
  }

  /** 503: busy, try again. */
  public static Problem busy(String what) {
    return new Problem(503, "busy: " + what + ". Try again in a moment.");
  }
}
