package org.orbitmap.io.network;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orbitmap.io.FormatException;

/**
 * A pickle of plain values and tensors of PyTorch. A pickle is a program for a stack machine that
 * may call anything in Python; here it can build dictionaries, lists, texts and numbers, and refer
 * to tensors. Names outside a short list are refused, and none is ever called.
 *
 * <p>Dictionaries become maps, lists, tuples and sets become lists, numbers {@code Long} or {@code
 * Double}.
 */
final class Pickle {
  /** What a program may name, beside the types of storages. */
  private static final Set<String> ALLOWED =
      Set.of(
          "collections.OrderedDict",
          "builtins.set",
          "__builtin__.set",
          "torch.Size",
          "torch.device",
          "torch._utils._rebuild_tensor",
          "torch._utils._rebuild_tensor_v2",
          "torch._utils._rebuild_parameter");

  /** The most values that a program may make. */
  private static final int MAX_VALUES = 4_000_000;

  private static final int MAX_AXES = 16;

  /** What begins a list of arguments. */
  private static final Object MARK = new Object();

  /** What stands for Python's None, which a map of Java need not take. */
  static final Object NONE = new Object();

  /** A name in Python. */
  private record Global(String name) {}

  /** Bytes in a file of the archive. */
  record Storage(NumberType type, String key, long count) {}

  /** A view of a storage: element (i, j, …) is number offset + i·stride₀ + j·stride₁ + … */
  record Tensor(Storage storage, long offset, long[] shape, long[] stride) {
    long count() {
      long n = 1;
      for (long s : shape) {
        n *= s;
      }
      return n;
    }
  }

  private final Path file;
  private final ByteBuffer in;
  private final List<Object> stack = new ArrayList<>();
  private final Deque<Integer> marks = new ArrayDeque<>();
  private final Map<Integer, Object> memo = new HashMap<>();
  private int made;

  private Pickle(Path file, byte[] program) {
    this.file = file;
    in = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * What a program builds.
   *
   * @throws FormatException if it is damaged, or names anything but plain values and tensors
   */
  static Object read(Path file, byte[] program) throws IOException {
    Pickle pickle = new Pickle(file, program);
    try {
      return pickle.run();
    } catch (BufferUnderflowException
        | IndexOutOfBoundsException
        | ClassCastException
        | ArithmeticException e) {
      throw new FormatException(file, "a whole pickle", "a damaged one");
    }
  }

  private FormatException refused(Object found) {
    return new FormatException(file, "tensors and plain values and nothing to execute", found);
  }

  private Object run() throws IOException {
    while (true) {
      int op = in.get() & 255;
      if (op == '.') {
        return pop();
      }
      if (++made > MAX_VALUES) {
        throw refused("more than %,d values".formatted(MAX_VALUES));
      }
      step(op);
    }
  }

  private void step(int op) throws IOException {
    switch (op) {
      case 0x80 -> in.get(); // the protocol
      case 0x95 -> in.getLong(); // the length of a frame
      case '(' -> {
        marks.push(stack.size());
        push(MARK);
      }
      case '0' -> pop();
      case '1' -> popToMark();
      case 'N' -> push(NONE);
      case 0x88 -> push(true);
      case 0x89 -> push(false);
      case 'J' -> push((long) in.getInt());
      case 'K' -> push((long) (in.get() & 255));
      case 'M' -> push((long) (in.getShort() & 0xffff));
      case 0x8a -> push(number(in.get() & 255));
      case 'G' -> push(Double.longBitsToDouble(Long.reverseBytes(in.getLong())));
      case 'X', 'T', 'B' -> push(text(in.getInt()));
      case 0x8c, 'U', 'C' -> push(text(in.get() & 255));
      case ']', ')', 0x8f -> push(new ArrayList<>());
      case '}' -> push(new LinkedHashMap<>());
      case 'a' -> {
        Object value = pop();
        list(top()).add(value);
      }
      case 'e', 0x90 -> {
        List<Object> values = popToMark();
        list(top()).addAll(values);
      }
      case 't' -> push(popToMark());
      case 0x85, 0x86, 0x87 -> push(last(op - 0x84));
      case 's' -> put(last(2));
      case 'u' -> put(popToMark());
      case 'q' -> memo.put(in.get() & 255, top());
      case 'r' -> memo.put(in.getInt(), top());
      case 0x94 -> memo.put(memo.size(), top());
      case 'h' -> push(remembered(in.get() & 255));
      case 'j' -> push(remembered(in.getInt()));
      case 'c' -> {
        String module = line();
        push(named(module, line()));
      }
      case 0x93 -> {
        List<Object> name = last(2);
        push(named((String) name.get(0), (String) name.get(1)));
      }
      case 'Q' -> push(storage(list(pop())));
      case 'R', 0x81 -> {
        List<Object> arguments = list(pop());
        push(made((Global) pop(), arguments));
      }
      case 'b' -> {
        // A state dictionary carries the versions of its modules, which are of no use here.
        pop();
        if (!(top() instanceof Map)) {
          throw refused("a change of something that is no dictionary");
        }
      }
      default -> throw refused("instruction 0x%02x of the pickle".formatted(op));
    }
  }

  private void push(Object value) {
    stack.add(value);
  }

  private Object top() {
    return stack.get(stack.size() - 1);
  }

  private Object pop() {
    Object value = stack.remove(stack.size() - 1);
    if (value == MARK) {
      throw new IndexOutOfBoundsException();
    }
    return value;
  }

  private List<Object> popToMark() {
    if (marks.isEmpty()) {
      throw new IndexOutOfBoundsException();
    }
    int mark = marks.pop();
    List<Object> above = stack.subList(mark + 1, stack.size());
    List<Object> values = new ArrayList<>(above);
    above.clear();
    stack.remove(mark);
    return values;
  }

  private List<Object> last(int n) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      values.add(0, pop());
    }
    return values;
  }

  @SuppressWarnings("unchecked") // only lists of objects are made here
  private static List<Object> list(Object value) {
    return (List<Object>) value;
  }

  private void put(List<Object> pairs) throws FormatException {
    @SuppressWarnings("unchecked") // only maps of objects are made here
    Map<Object, Object> map = (Map<Object, Object>) top();
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      put(map, pairs.get(i), pairs.get(i + 1));
    }
  }

  private void put(Map<Object, Object> map, Object key, Object value) throws FormatException {
    if (!(key instanceof String || key instanceof Number || key instanceof Boolean)) {
      throw refused("a dictionary with keys that are neither texts nor numbers");
    }
    map.put(key, value);
  }

  private Object remembered(int place) {
    if (!memo.containsKey(place)) {
      throw new IndexOutOfBoundsException();
    }
    return memo.get(place);
  }

  private String text(int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private long number(int bytes) throws FormatException {
    if (bytes > Long.BYTES) {
      throw refused("a whole number of %d bytes".formatted(bytes));
    }
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      byte b = in.get();
      // the last byte has the sign
      value |= (i == bytes - 1 ? (long) b : b & 255L) << (8 * i);
    }
    return value;
  }

  private String line() {
    StringBuilder s = new StringBuilder();
    for (byte b = in.get(); b != '\n'; b = in.get()) {
      s.append((char) (b & 255));
    }
    return s.toString();
  }

  private Global named(String module, String name) throws FormatException {
    String full = module + "." + name;
    boolean storage =
        (module.equals("torch") || module.equals("torch.storage"))
            && NumberType.ofStorage(name).isPresent();
    if (!storage && !ALLOWED.contains(full)) {
      String shown = full.length() > 80 ? full.substring(0, 80) + "…" : full;
      throw refused(shown.replaceAll("[^\\x20-\\x7e…]", "?"));
    }
    return new Global(full);
  }

  /** ("storage", type, key, place, count). */
  private Storage storage(List<Object> id) throws FormatException {
    String type = ((Global) id.get(1)).name();
    String key = (String) id.get(2);
    long count = (Long) id.get(4);
    if (!"storage".equals(id.get(0)) || !key.matches("\\w{1,40}") || count < 0) {
      throw new FormatException(file, "a storage with its key", "a damaged one");
    }
    return new Storage(
        NumberType.ofStorage(type.substring(type.lastIndexOf('.') + 1)).orElseThrow(), key, count);
  }

  /** What a call of one of the names that are known would give. */
  private Object made(Global function, List<Object> arguments) throws FormatException {
    return switch (function.name()) {
      case "collections.OrderedDict" -> {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (Object pair : arguments.isEmpty() ? List.of() : list(arguments.get(0))) {
          put(map, list(pair).get(0), list(pair).get(1));
        }
        yield map;
      }
      case "builtins.set", "__builtin__.set", "torch.Size", "torch.device" ->
          arguments.isEmpty() ? new ArrayList<>() : arguments.get(0);
      case "torch._utils._rebuild_parameter" -> (Tensor) arguments.get(0);
      case "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2" -> tensor(arguments);
      default -> throw refused("a call of " + function.name());
    };
  }

  private Tensor tensor(List<Object> arguments) throws FormatException {
    Storage storage = (Storage) arguments.get(0);
    long offset = (Long) arguments.get(1);
    long[] shape = list(arguments.get(2)).stream().mapToLong(n -> (Long) n).toArray();
    long[] stride = list(arguments.get(3)).stream().mapToLong(n -> (Long) n).toArray();
    boolean fits = shape.length == stride.length && shape.length <= MAX_AXES && offset >= 0;
    long count = 1;
    long last = offset;
    for (int d = 0; fits && d < shape.length; d++) {
      fits = shape[d] >= 0 && stride[d] >= 0 && shape[d] <= TensorFile.MAX_COUNT;
      count = Math.multiplyExact(count, shape[d]);
      last = Math.addExact(last, Math.multiplyExact(Math.max(0, shape[d] - 1), stride[d]));
    }
    // No tensor is larger than what it is a view of: a short file cannot ask for much memory.
    if (!fits
        || count > Math.min(storage.count(), TensorFile.MAX_COUNT)
        || (count > 0 && last >= storage.count())) {
      throw new FormatException(
          file, "a tensor within its storage of %d numbers".formatted(storage.count()), "another");
    }
    return new Tensor(storage, offset, shape, stride);
  }
}
