package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Inventory;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;

/**
 * ModelNet40, shapes in 40 classes: as published, {@code airplane/train/*.off} and so on, or as
 * clouds in IDX files whose names begin with {@code modelnet40}.
 */
public final class ModelNet40 implements DataSource {
  @Override
  public String name() {
    return "modelnet40";
  }

  @Override
  public boolean holds(Path folder) throws IOException {
    return hasArrays(folder) || isPublished(folder);
  }

  @Override
  public CloudSet read(Path folder, Split split, Choice choice) throws IOException {
    return hasArrays(folder)
        ? IdxClouds.read(name(), folder, split, choice)
        : CloudFolders.read(name(), folder, split, choice);
  }

  @Override
  public Inventory inventory(Path folder, Split part) throws IOException {
    return hasArrays(folder)
        ? Inventory.of(read(folder, part, Choice.ALL))
        : CloudFolders.inventory(name(), folder, part);
  }

  @Override
  public Split auditSplit(Path folder) throws IOException {
    return hasArrays(folder) ? new IdxClouds().auditSplit(folder) : Split.TEST;
  }

  private boolean hasArrays(Path folder) throws IOException {
    return LabelledFiles.hasFile(
        folder, f -> IdxClouds.isPart(f) && f.getFileName().toString().startsWith(name()));
  }

  /** The first and the last class, with the published split. */
  private static boolean isPublished(Path folder) {
    return Files.isDirectory(folder.resolve("airplane/test"))
        && Files.isDirectory(folder.resolve("xbox/test"));
  }

  @Override
  public String howToGet() {
    return "Get ModelNet40.zip from https://modelnet.cs.princeton.edu and unpack it";
  }
}
