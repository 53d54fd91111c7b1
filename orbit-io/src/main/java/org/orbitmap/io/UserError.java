package org.orbitmap.io;

/**
 * Something the user gave cannot be used. The message says what was expected, what came, and what
 * to do about it: it is all that a user needs to see.
 */
public class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An error with a message that says it all. */
  public UserError(String message) {
    super(message);
  }

  /** An error with a message that says it all, and what led to it. */
  public UserError(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * "what: expected …, found …. advice"
   *
   * @param what the file, option or value at fault
   * @param expected what would have been right
   * @param found what came
   * @param advice a sentence on what to do, or an empty string
   */
  public static UserError expected(String what, Object expected, Object found, String advice) {
    return new UserError(text(what, expected, found, advice));
  }

  /** The message of {@link #expected}. */
  protected static String text(String what, Object expected, Object found, String advice) {
    return "%s: expected %s, found %s%s"
        .formatted(what, expected, found, advice.isEmpty() ? "" : ". " + advice);
  }
}
