package org.orbitmap.io.network;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.orbitmap.io.UserError;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Network;
import org.orbitmap.network.Parameter;

/**
 * The weights of a network from a file of others. Every tensor must find its place by name and
 * shape; axes of length 1 do not count. Only the last layer may differ, as it does for other
 * classes: it is then left out.
 *
 * @param tensors by the names of the network
 * @param newHead whether the last layer is not among them
 */
public record ImportedWeights(Map<String, FloatTensor> tensors, boolean newHead) {
  /** What the parameters of the last layer begin with. */
  private static final String HEAD = "head.";

  /** What wrappers put in front of all names, one or several of them. */
  private static final Pattern WRAPPERS = Pattern.compile("((module|_orig_mod)\\.)*");

  /** How many names of each kind a message has. */
  private static final int NAMED = 4;

  /**
   * Reads the weights of a network from a file.
   *
   * @throws UserError that lists what is missing, left over or of another shape
   */
  public static ImportedWeights read(Path file, Architecture architecture) throws IOException {
    try (TensorFile opened = TensorFile.open(file)) {
      Plan plan = Plan.of(opened, architecture);
      if (!plan.wrong.isEmpty()) {
        throw UserError.expected(
            file.toString(),
            "the weights of " + architecture,
            String.join("; ", plan.wrong),
            "Is it another network?");
      }
      Map<String, FloatTensor> tensors = new LinkedHashMap<>();
      for (Parameter p : architecture.declare().parameters()) {
        // Of a last layer with other classes nothing is taken.
        if (plan.taken.containsKey(p.name()) && !(plan.newHead && p.name().startsWith(HEAD))) {
          FloatTensor read = opened.read(plan.taken.get(p.name()));
          tensors.put(p.name(), new FloatTensor(p.shape(), read.values()));
        }
      }
      return new ImportedWeights(tensors, plan.newHead);
    }
  }

  /** Whether a file has the weights of a network, up to its last layer. */
  public static boolean fits(TensorFile file, Architecture architecture) {
    return Plan.of(file, architecture).wrong.isEmpty();
  }

  /** How many classes the last layer in a file has, by the names of a network; 0 if none. */
  public static int classes(TensorFile file, Network network) {
    int wrapped = wrapped(file);
    for (Map.Entry<String, TensorFile.Entry> e : file.entries().entrySet()) {
      String own = network.own(e.getKey().substring(wrapped));
      if (own.equals(HEAD + "bias") && e.getValue().shape().length == 1) {
        return Math.toIntExact(e.getValue().shape()[0]);
      }
    }
    return 0;
  }

  /**
   * What goes where.
   *
   * @param taken names in the file by the names of the network
   * @param wrong what does not fit, in words
   */
  private record Plan(Map<String, String> taken, boolean newHead, List<String> wrong) {
    static Plan of(TensorFile file, Architecture architecture) {
      Map<String, String> places = new TreeMap<>(); // own name → name in the file
      List<String> left = new ArrayList<>();
      int wrapped = wrapped(file);
      for (String name : file.entries().keySet()) {
        if (!name.endsWith(".num_batches_tracked")) {
          String second = places.put(architecture.network().own(name.substring(wrapped)), name);
          if (second != null) {
            left.add(second);
          }
        }
      }
      List<String> missing = new ArrayList<>();
      List<String> different = new ArrayList<>();
      Map<String, String> taken = new LinkedHashMap<>();
      boolean newHead = false;
      for (Parameter p : architecture.declare().parameters()) {
        String name = places.remove(p.name());
        TensorFile.Entry found = name == null ? null : file.entries().get(name);
        if (found != null && sameShape(found.shape(), p.shape())) {
          taken.put(p.name(), name);
        } else if (p.name().startsWith(HEAD)) {
          newHead = true;
        } else if (found == null) {
          missing.add(p.name());
        } else {
          different.add("%s %s instead of %s".formatted(name, found, p));
        }
      }
      left.addAll(places.values());
      List<String> wrong = new ArrayList<>();
      say(wrong, missing, "missing");
      say(wrong, left, "left over");
      say(wrong, different, "of another shape");
      return new Plan(taken, newHead, wrong);
    }
  }

  private static void say(List<String> found, List<String> names, String what) {
    if (!names.isEmpty()) {
      String some = names.stream().limit(NAMED).collect(Collectors.joining(", "));
      found.add(
          "%d %s (%s%s)".formatted(names.size(), what, some, names.size() > NAMED ? ", …" : ""));
    }
  }

  /** The length of what wrappers put in front of all names. */
  private static int wrapped(TensorFile file) {
    String first = file.entries().keySet().stream().findFirst().orElse("");
    Matcher wrappers = WRAPPERS.matcher(first);
    String prefix = wrappers.lookingAt() ? wrappers.group() : "";
    return file.entries().keySet().stream().allMatch(n -> n.startsWith(prefix))
        ? prefix.length()
        : 0;
  }

  private static boolean sameShape(long[] a, long[] b) {
    return Arrays.equals(
        Arrays.stream(a).filter(n -> n != 1).toArray(),
        Arrays.stream(b).filter(n -> n != 1).toArray());
  }
}
