package org.orbitmap.spark;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.orbitmap.eval.Cluster;
import org.orbitmap.io.UserError;

/**
 * Reaches Spark by its masters: {@code local[*]}, {@code local-cluster[…]}, {@code spark://…},
 * {@code k8s://…} and {@code yarn}.
 *
 * <p>The settings are Spark's own, by their names. Jars that executors need are those of {@code
 * spark.jars}, of the system property {@value #JARS} (separated as in a class path) and of the
 * extensions that the calling thread knows.
 */
public final class SparkClusters implements Cluster.Provider {
  /** The system property with the jars that executors are sent. */
  public static final String JARS = "orbit.cluster.jars";

  private static final String LOGGING = "log4j2.configurationFile";

  @Override
  public boolean accepts(String address) {
    return address.matches(
        "local(\\[(\\d+|\\*)(, *\\d+)?\\])?|local-cluster\\[ *\\d+ *, *\\d+ *, *\\d+ *\\]"
            + "|spark://.+|k8s://.+|yarn");
  }

  /** The master that {@code spark-submit} set. */
  @Override
  public String around() {
    return System.getProperty("spark.master");
  }

  @Override
  public Cluster open(String address, Map<String, String> settings) throws IOException {
    if (System.getProperty(LOGGING) == null && around() == null) {
      System.setProperty(LOGGING, "classpath:org/orbitmap/spark/log4j2.properties");
    }
    requireManager(address);
    SparkConf conf =
        new SparkConf()
            .setAppName("orbit")
            .setMaster(address)
            .setIfMissing("spark.ui.enabled", "false")
            // What the driver remembers of the past does not grow with it.
            .setIfMissing("spark.ui.retainedJobs", "20")
            .setIfMissing("spark.ui.retainedStages", "20")
            .setIfMissing("spark.ui.retainedTasks", "1000")
            .set("spark.ui.showConsoleProgress", "false")
            // Results are taken one by one, and each piece is asked for once.
            .set("spark.driver.maxResultSize", "0")
            .set("spark.speculation", "false");
    for (String name : new String[] {"GLIBC_TUNABLES", "OMP_WAIT_POLICY", "ORBIT_DEVICE"}) {
      if (System.getenv(name) != null) {
        conf.setIfMissing("spark.executorEnv." + name, System.getenv(name));
      }
    }
    settings.forEach(conf::set);
    Set<String> jars = jars();
    if (!jars.isEmpty() && !address.matches("local(\\[.*\\])?") && !conf.contains("spark.jars")) {
      conf.set("spark.jars", String.join(",", jars));
    }
    try {
      return new SparkCluster(new SparkContext(conf));
    } catch (Exception e) { // also Spark's own, which Scala does not declare
      throw new IOException(
          "%s: expected a Spark cluster there, found: %s".formatted(address, message(e)), e);
    }
  }

  /** Spark's parts for some masters come with an installed Spark only; all else is left to them. */
  private static void requireManager(String address) {
    String part =
        address.equals("yarn")
            ? "YarnClusterManager"
            : address.startsWith("k8s://") ? "k8s.KubernetesClusterManager" : null;
    if (part == null) {
      return;
    }
    try {
      Class.forName(
          "org.apache.spark.scheduler.cluster." + part,
          false,
          Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException e) {
      throw new UserError(
          "%s: expected Spark's part for it on the class path, found none. An installed Spark has it: set SPARK_HOME to its folder, or start the command by its spark-submit, with orbit-spark-all.jar"
              .formatted(address),
          e);
    }
  }

  private static Set<String> jars() {
    Set<String> jars = new LinkedHashSet<>();
    for (String jar : System.getProperty(JARS, "").split(File.pathSeparator, -1)) {
      if (!jar.isEmpty()) {
        jars.add(jar);
      }
    }
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    if (loader instanceof URLClassLoader extensions && "extensions".equals(loader.getName())) {
      for (URL url : extensions.getURLs()) {
        jars.add(url.toString());
      }
    }
    return jars;
  }

  /** What people read of what Spark throws: the innermost cause that says something. */
  static String message(Throwable thrown) {
    String text = thrown.getMessage();
    for (Throwable e = thrown; e != null; e = e.getCause()) {
      if (e.getMessage() != null && !(e instanceof SparkException && e.getCause() != null)) {
        text = e.getMessage();
      }
    }
    return text == null
        ? thrown.getClass().getSimpleName()
        : text.lines().findFirst().orElse("").strip();
  }
}
