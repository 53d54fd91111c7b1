package org.orbitmap.app.option;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.orbitmap.eval.Cluster;
import org.orbitmap.io.UserError;
import picocli.CommandLine.Option;

/** Where the work is done: on this machine or on a cluster. */
public final class ClusterOptions {
  @Option(
      names = "--cluster",
      paramLabel = "MASTER",
      description = {
        "Do the work on a Spark cluster, with the same results: spark://HOST:PORT, k8s://…, yarn,"
            + " local-cluster[…], or local[N] for N threads of this machine.",
        "Its machines must see files and folders under the same names."
      })
  private String master;

  @Option(
      names = "--conf",
      paramLabel = "NAME=VALUE",
      description = "With --cluster: a setting of Spark, such as spark.executor.memory=4g.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /**
   * The cluster that is meant; close it when the work is done. Null for this machine.
   *
   * @throws UserError if nothing here knows such clusters
   */
  public Cluster open() throws IOException {
    List<Cluster.Provider> known =
        ServiceLoader.load(Cluster.Provider.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
    String address =
        master != null
            ? master.trim()
            : known.stream()
                .map(Cluster.Provider::around)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    if (address == null) {
      if (!settings.isEmpty()) {
        throw UserError.expected("--conf", "with --cluster", "none", "");
      }
      return null;
    }
    if (known.isEmpty()) {
      throw UserError.expected(
          "--cluster",
          "orbit-spark and Spark on the class path",
          "neither",
          "The launcher ./orbit adds them, or: spark-submit orbit-spark-all.jar COMMAND …");
    }
    for (Cluster.Provider provider : known) {
      if (provider.accepts(address)) {
        return provider.open(address, settings);
      }
    }
    throw UserError.expected(
        "--cluster",
        "local[N], local-cluster[N,CORES,MEMORY], spark://HOST:PORT, k8s://… or yarn",
        address,
        "");
  }

  /** The cluster that is asked for on the command line; null for none. */
  public String master() {
    return master;
  }

  /** Says where the work was done. */
  public void tell(Cluster cluster, OutputOptions output) {
    if (cluster != null) {
      output.note("done on " + cluster.description());
    }
  }
}
