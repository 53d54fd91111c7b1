package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Download;
import org.orbitmap.io.data.IdxFiles;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;

/** MNIST in its four IDX files, plain or gzipped. */
public final class Mnist implements DataSource {
  private static final String ADDRESS = "https://ossci-datasets.s3.amazonaws.com/mnist/";

  @Override
  public String name() {
    return "mnist";
  }

  @Override
  public boolean holds(Path folder) {
    return Files.exists(file(folder, Split.TRAIN, "images-idx3-ubyte"))
        || Files.exists(file(folder, Split.TEST, "images-idx3-ubyte"));
  }

  @Override
  public ImageSet read(Path folder, Split split, Choice choice) throws IOException {
    return split == Split.ALL
        ? part(folder, Split.TRAIN).concat(part(folder, Split.TEST))
        : part(folder, split);
  }

  private ImageSet part(Path folder, Split split) throws IOException {
    return IdxFiles.read(
        name(),
        10,
        file(folder, split, "images-idx3-ubyte"),
        file(folder, split, "labels-idx1-ubyte"));
  }

  private static Path file(Path folder, Split split, String kind) {
    String stem = split == Split.TRAIN ? "train-" : "t10k-";
    return Gunzip.plainOrZipped(folder.resolve(stem + kind));
  }

  @Override
  public List<Download> downloads() {
    return List.of(
        new Download(
            ADDRESS + "train-images-idx3-ubyte.gz", "f68b3c2dcbeaaa9fbdd348bbdeb94873", 9_912_422),
        new Download(
            ADDRESS + "train-labels-idx1-ubyte.gz", "d53e105ee54ea40749a09fcbcd1e9432", 28_881),
        new Download(
            ADDRESS + "t10k-images-idx3-ubyte.gz", "9fb629c4189551a2d022fa330f9573f3", 1_648_877),
        new Download(
            ADDRESS + "t10k-labels-idx1-ubyte.gz", "ec29112dd5afa0611ce80d1b7f02629c", 4_542));
  }
}
