package org.orbitmap.app.cell;

/** A cell was ended because it broke a limit, or ended itself. */
public final class CellException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean busy;

  CellException(String message, boolean busy) {
    super(message, null, false, false);
    this.busy = busy;
  }

  /** Whether it was others who needed its place, so that another try may go well. */
  public boolean busy() {
    return busy;
  }
}
