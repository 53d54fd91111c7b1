package org.orbitmap.app.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.orbitmap.eval.Progress;

/** Requests with wrong bytes: no crash, no error inside the server, no leak. */
final class ServerSoak implements SoakTarget {
  @Override
  public String name() {
    return "server";
  }

  @Override
  public String about() {
    return "requests that are right but for a few bytes, cut off, or not right at all";
  }

  @Override
  public String unit() {
    return "requests";
  }

  @Override
  public int usual() {
    return 50_000;
  }

  @Override
  public Result run(int amount, long seed, Progress progress) throws Exception {
    List<String> broken = new ArrayList<>();
    try (ServedProcess server = ServedProcess.start()) {
      Leaks leaks = new Leaks(server);
      Map<String, Object> figures =
          new ServerLoad(server.port()).fuzz(amount, seed, leaks, progress, broken);
      leaks.tell(figures, broken);
      return new Result(figures, broken);
    }
  }
}
