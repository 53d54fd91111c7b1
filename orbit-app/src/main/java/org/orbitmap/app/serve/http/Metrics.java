package org.orbitmap.app.serve.http;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;

/** Counts and times, in Prometheus' text format. */
public final class Metrics {
  private static final double[] BOUNDS = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private final Map<Key, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<String, Times> times = new ConcurrentHashMap<>();
  private final Map<String, Gauge> gauges = new ConcurrentSkipListMap<>();

  private record Gauge(String help, DoubleSupplier value) {}

  private record Key(String method, String route, int status) {
    @Override
    public String toString() {
      return "method=\"%s\",route=\"%s\",status=\"%d\"".formatted(method, route, status);
    }
  }

  private static final class Times {
    final LongAdder[] buckets = new LongAdder[BOUNDS.length + 1];
    final LongAdder nanos = new LongAdder();

    Times() {
      for (int i = 0; i < buckets.length; i++) {
        buckets[i] = new LongAdder();
      }
    }
  }

  public void answered(String method, String route, int status, long nanos) {
    requests.computeIfAbsent(new Key(method, route, status), k -> new LongAdder()).increment();
    Times t = times.computeIfAbsent(route, k -> new Times());
    int i = 0;
    while (i < BOUNDS.length && nanos > BOUNDS[i] * 1e9) {
      i++;
    }
    t.buckets[i].increment();
    t.nanos.add(nanos);
  }

  public void gauge(String name, String help, DoubleSupplier value) {
    gauges.put(name, new Gauge(help, value));
  }

  public String text() {
    StringBuilder out = new StringBuilder(4096);
    out.append("# HELP orbit_requests_total Requests answered.\n");
    out.append("# TYPE orbit_requests_total counter\n");
    requests.forEach(
        (labels, n) -> out.append("orbit_requests_total{%s} %d\n".formatted(labels, n.sum())));
    out.append(
        "# HELP orbit_request_seconds Time from the head of the request to the whole answer.\n");
    out.append("# TYPE orbit_request_seconds histogram\n");
    times.forEach(
        (route, t) -> {
          long sum = 0;
          for (int i = 0; i < t.buckets.length; i++) {
            sum += t.buckets[i].sum();
            String bound = i < BOUNDS.length ? Double.toString(BOUNDS[i]) : "+Inf";
            out.append(
                "orbit_request_seconds_bucket{route=\"%s\",le=\"%s\"} %d\n"
                    .formatted(route, bound, sum));
          }
          out.append(
              String.format(
                  Locale.ROOT,
                  "orbit_request_seconds_sum{route=\"%s\"} %.6f\n",
                  route,
                  t.nanos.sum() / 1e9));
          out.append("orbit_request_seconds_count{route=\"%s\"} %d\n".formatted(route, sum));
        });
    gauges.forEach(
        (name, gauge) -> {
          out.append("# HELP %s %s\n".formatted(name, gauge.help()));
          out.append("# TYPE %s gauge\n".formatted(name));
          out.append(String.format(Locale.ROOT, "%s %.0f\n", name, gauge.value().getAsDouble()));
        });
    return out.toString();
  }
}
