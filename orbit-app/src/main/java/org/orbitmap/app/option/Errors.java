package org.orbitmap.app.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.orbitmap.io.UserError;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns exceptions into one line on standard error and an exit code. */
public final class Errors {
  /** Everything went well. */
  public static final int OK = 0;

  /** A check did not hold. */
  public static final int CHECK_FAILED = 1;

  /** The input cannot be used. */
  public static final int BAD_INPUT = 2;

  /** An error inside orbit (sysexits' EX_SOFTWARE). */
  public static final int INTERNAL = 70;

  private Errors() {}

  /** Reports what a command threw. */
  public static int report(Exception thrown, CommandLine command, ParseResult parsed) {
    Exception e = thrown instanceof UncheckedIOException unchecked ? unchecked.getCause() : thrown;
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    int code = code(e);
    if (code == INTERNAL) {
      err.printf("%s: an error inside orbit: %s%n", name, e);
      if (!debug()) {
        err.println("Run it again with ORBIT_DEBUG=1 for the stack trace, and please report it.");
      }
    } else {
      err.printf("%s: %s%n", name, message(e));
    }
    if (debug()) {
      thrown.printStackTrace(err);
    }
    err.flush();
    return code;
  }

  /** Reports an option or argument that cannot be understood. */
  public static int reportUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.printf("%s: %s%n", name, e.getMessage());
    UnmatchedArgumentException.printSuggestions(e, err);
    err.printf("Try: %s --help%n", name);
    if (debug()) {
      e.printStackTrace(err);
    }
    err.flush();
    return BAD_INPUT;
  }

  /** What the user reads for an exception that their input caused. */
  public static String message(Throwable e) {
    if (e instanceof FileSystemException f && f.getFile() != null) {
      String reason =
          e instanceof NoSuchFileException
              ? "expected a file or folder, found nothing there"
              : e instanceof AccessDeniedException
                  ? "expected permission to use it, found none"
                  : e instanceof FileAlreadyExistsException
                      ? "expected nothing there yet, found a file"
                      : e instanceof NotDirectoryException
                          ? "expected a folder, found a file"
                          : e instanceof DirectoryNotEmptyException
                              ? "expected an empty folder, found files in it"
                              : f.getReason();
      return f.getFile() + ": " + reason;
    }
    String text = e.getMessage();
    return text == null || text.isBlank() ? e.getClass().getSimpleName() : text;
  }

  private static int code(Throwable e) {
    if (e instanceof JsonProcessingException) {
      return INTERNAL;
    }
    return e instanceof UserError
            || e instanceof IllegalArgumentException
            || e instanceof IOException
        ? BAD_INPUT
        : INTERNAL;
  }

  private static boolean debug() {
    String value = System.getenv("ORBIT_DEBUG");
    return value != null && !value.isEmpty() && !value.equals("0");
  }
}
