package org.orbitmap.nn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.network.Safetensors;
import org.orbitmap.io.photo.PhotoSet;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.nn.scheme.Augmentation;
import org.orbitmap.nn.scheme.Augmenter;
import org.orbitmap.nn.scheme.CloudAugmentation;
import org.orbitmap.nn.train.TrainConfig.Keep;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.nn.train.TrainConfig.Net;

/** Photographs of different sizes in folders, random parts of which are learned from. */
class PhotoTrainingTest {
  @TempDir Path folder;

  @BeforeEach
  void photographs() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 40; i++) {
      Image u = Image.black(3, 50 + random.nextInt(30), 50 + random.nextInt(30));
      for (int k = 0; k < u.data().length; k++) {
        u.data()[k] = (float) (random.nextDouble() * (k / u.plane() == i % 2 ? 1 : 0.5));
      }
      String name = "photos/%s/%d.png".formatted(i % 2 == 0 ? "red" : "green", i);
      ImageFiles.writePng(folder.resolve(name), u);
    }
  }

  private TrainConfig config() {
    return TrainConfig.defaults()
        .with(
            c ->
                c.data(folder.resolve("photos").toString())
                    .size(32)
                    .network(Net.of("convnet").widthFactor(0.125))
                    .augmentation(new Augmentation(0, true, true, 0.1).area(0.2))
                    .optimiser(Method.adam(1e-3, 0))
                    .schedule(Schedule.exponential(0.9, 0))
                    .oversample(true)
                    .epochs(2)
                    .batch(7)
                    .validation(0.2)
                    .keep(Keep.LAST)
                    .threads(1));
  }

  private static DataSet<?> data(TrainConfig c) throws IOException {
    return DataSets.load(c.data(), null, Split.TRAIN, c.choice());
  }

  private Map<String, FloatTensor> train(TrainConfig c, String name) throws IOException {
    Path run = folder.resolve(name);
    Trainer.of(c, data(c)).start(run);
    return Safetensors.read(new RunFolder(run).modelFile()).tensors();
  }

  @Test
  void sameSeedSameBits() throws IOException {
    TrainConfig c = config();
    Map<String, FloatTensor> once = train(c, "once");
    assertThat(train(c, "again")).isEqualTo(once);
    assertThat(train(c.with(b -> b.augmentation(c.augmentation().area(0))), "whole"))
        .isNotEqualTo(once);
    assertThat(Files.readString(folder.resolve("once/metrics.jsonl"))).contains("\"waited\":");
  }

  /** Made by many threads ahead of their use, batches are what one thread makes one by one. */
  @Test
  void batchesDoNotDependOnTheThreads() throws Exception {
    PhotoSet photos = (PhotoSet) data(config());
    Augmenter<Image> augmenter =
        Augmenter.of(photos.shape(), config().augmentation(), CloudAugmentation.NONE);
    Batches.Source<Image> source =
        new Batches.Source<>() {
          @Override
          public Image input(int place) {
            SplittableRandom random = Sampler.random(3, 1, place);
            Image u = augmenter.take(photos, place, random);
            return augmenter.flip(augmenter.crop(u, random), random);
          }

          @Override
          public int label(int place) {
            return photos.label(place);
          }
        };
    int length = photos.shape().length();
    int seen = 0;
    try (Batches<Image> batches = new Batches<>(photos.shape())) {
      batches.start(Batches.ends(photos.size(), 6), source);
      while (batches.hasNext()) {
        Batches.Batch batch = batches.next();
        assertThat(batch.first()).isEqualTo(seen);
        for (int i = 0; i < batch.size(); i++, seen++) {
          assertThat(Arrays.copyOfRange(batch.inputs(), i * length, (i + 1) * length))
              .isEqualTo(source.input(seen).data());
          assertThat(batch.labels()[i]).isEqualTo(photos.label(seen));
        }
      }
    }
    assertThat(seen).isEqualTo(photos.size());
  }

  @Test
  void aStoppedRunGoesOnToTheSameBits() throws IOException {
    TrainConfig c = config();
    Map<String, FloatTensor> whole = train(c, "whole");
    Path run = folder.resolve("stopped");
    TrainingListener stops =
        new TrainingListener() {
          @Override
          public void progress(long done, long total) {
            if (2 * done > total) {
              Thread.currentThread().interrupt();
            }
          }
        };
    assertThatThrownBy(() -> Trainer.of(c, data(c)).listener(stops).start(run))
        .hasMessageContaining("interrupted in epoch 2");
    assertThat(Thread.interrupted()).isTrue();
    Trainer.of(c, data(c)).resume(run);
    assertThat(Safetensors.read(new RunFolder(run).modelFile()).tensors()).isEqualTo(whole);
  }

  @Test
  void aDamagedPhotographIsNamed() throws IOException {
    TrainConfig c = config();
    DataSet<?> data = data(c);
    Path bad = folder.resolve("photos/red/0.png");
    byte[] bytes = Files.readAllBytes(bad);
    Files.write(bad, Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> Trainer.of(c, data).start(folder.resolve("bad")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("0.png");
  }

  /** Batches end where they did: the last is never a single input. */
  @Test
  void endsOfBatches() {
    assertThat(Batches.ends(16, 16)).containsExactly(16);
    assertThat(Batches.ends(17, 16)).containsExactly(17);
    assertThat(Batches.ends(33, 16)).containsExactly(16, 33);
    assertThat(Batches.ends(34, 16)).containsExactly(16, 32, 34);
    assertThat(Batches.ends(3, 1)).containsExactly(1, 2, 3);
    assertThat(Batches.ends(0, 4)).isEmpty();
  }
}
