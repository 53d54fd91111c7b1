package org.orbitmap.io.data;

import java.util.Optional;
import org.orbitmap.io.UserError;

/** There is no data set where one was looked for. */
public final class DataNotFound extends UserError {
  private static final long serialVersionUID = 1L;

  private final String dataSet;

  /**
   * "place: expected …, found …. advice"
   *
   * @param dataSet the name of the data set that was looked for, or null
   */
  public DataNotFound(String dataSet, String place, String expected, String found, String advice) {
    super(text(place, expected, found, advice));
    this.dataSet = dataSet;
  }

  /** The name of the data set that was looked for, if it was looked for by name. */
  public Optional<String> dataSet() {
    return Optional.ofNullable(dataSet);
  }
}
