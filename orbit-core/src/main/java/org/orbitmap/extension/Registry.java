package org.orbitmap.extension;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * The members of one axis of growth: the built-in ones, and those that {@link ServiceLoader} finds
 * on the class path or in the jars that were given with {@code --extension}. Both are alike to
 * everything else.
 *
 * <p>A user's own member is a public class with a public constructor without parameters, and its
 * name on a line of {@code META-INF/services/<interface>}.
 *
 * @param <T> the members
 */
public final class Registry<T extends Named> {
  private final Class<T> type;
  private final String what;
  private final List<T> builtIn;

  private Registry(Class<T> type, String what, List<T> builtIn) {
    this.type = type;
    this.what = what;
    this.builtIn = List.copyOf(builtIn);
  }

  /**
   * A registry.
   *
   * @param type the interface of the members
   * @param what such as {@code network}, for messages
   */
  public static <T extends Named> Registry<T> of(Class<T> type, String what, List<T> builtIn) {
    return new Registry<>(type, what, builtIn);
  }

  /**
   * All members, the built-in ones first.
   *
   * @throws IllegalArgumentException if two have the same name
   */
  public List<T> all() {
    Map<String, T> byName = new LinkedHashMap<>();
    List<T> members = new ArrayList<>(builtIn);
    // The thread's loader knows the jars of --extension; it is looked at each time, so that a
    // member is found however early this registry was made.
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      ServiceLoader.load(type, loader == null ? type.getClassLoader() : loader)
          .forEach(members::add);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new IllegalArgumentException(
          "%s: expected extensions that can be loaded, found one that cannot: %s"
              .formatted(what, e.getMessage()),
          e);
    }
    for (T member : members) {
      T other = byName.putIfAbsent(member.name(), member);
      if (other != null) {
        throw new IllegalArgumentException(
            "%s: expected a name for each, found %s and %s both called %s"
                .formatted(
                    what, other.getClass().getName(), member.getClass().getName(), member.name()));
      }
    }
    return List.copyOf(byName.values());
  }

  /** The names of all members. */
  public List<String> names() {
    return all().stream().map(Named::name).toList();
  }

  /**
   * The member with this name, in any case.
   *
   * @throws IllegalArgumentException if there is none
   */
  public T named(String name) {
    return all().stream()
        .filter(m -> m.name().equalsIgnoreCase(name.trim()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s: expected one of %s, found %s"
                        .formatted(what, String.join(", ", names()), name)));
  }
}
