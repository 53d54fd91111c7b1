package org.orbitmap.djl;

import ai.djl.modality.cv.Image;
import ai.djl.modality.cv.ImageFactory;
import ai.djl.ndarray.NDList;
import ai.djl.translate.Batchifier;
import ai.djl.translate.Translator;
import ai.djl.translate.TranslatorContext;
import ai.djl.translate.TranslatorOptions;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.orbitmap.io.image.CanonicalImages;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Makes any image model of the Deep Java Library invariant, x → net(h(x)) (paper, Fact 1): each
 * image is brought to its canonical pose, with 8 bits a sample, before the model's own translator
 * sees it.
 *
 * <pre>{@code
 * Translator<Image, Classifications> invariant =
 *     CanonicalTranslator.of(translator, RotationMapping.disc());
 * Predictor<Image, Classifications> predictor = model.newPredictor(invariant);
 * }</pre>
 *
 * @param <O> what the model answers; as it was, so boxes and masks are those of the canonical image
 */
public final class CanonicalTranslator<O> implements Translator<Image, O> {
  private final Translator<Image, O> translator;
  private final CanonicalImages canonical;

  private CanonicalTranslator(Translator<Image, O> translator, CanonicalImages canonical) {
    this.translator = translator;
    this.canonical = canonical;
  }

  /** A translator with a mapping in front of it. */
  public static <O> CanonicalTranslator<O> of(
      Translator<Image, O> translator, OrbitMapping<?, org.orbitmap.image.Image> mapping) {
    return new CanonicalTranslator<>(
        Objects.requireNonNull(translator, "translator"), new CanonicalImages(mapping));
  }

  /** The canonical image. */
  Image canonical(Image image) throws IOException {
    BufferedImage source;
    if (image.getWrappedImage() instanceof BufferedImage plain) {
      source = plain;
    } else { // such as a matrix of OpenCV
      ByteArrayOutputStream png = new ByteArrayOutputStream();
      image.save(png, "png");
      source =
          ImageFiles.decode(
              Path.of("image"),
              new ByteArrayInputStream(png.toByteArray()),
              ImageFiles.MAX_PIXELS,
              Integer.MAX_VALUE);
    }
    return ImageFactory.getInstance().fromImage(canonical.apply(source));
  }

  @Override
  public NDList processInput(TranslatorContext context, Image input) throws Exception {
    return translator.processInput(context, canonical(input));
  }

  @Override
  public NDList batchProcessInput(TranslatorContext context, List<Image> inputs) throws Exception {
    List<Image> all = new ArrayList<>();
    for (Image input : inputs) {
      all.add(canonical(input));
    }
    return translator.batchProcessInput(context, all);
  }

  @Override
  public O processOutput(TranslatorContext context, NDList list) throws Exception {
    return translator.processOutput(context, list);
  }

  @Override
  public List<O> batchProcessOutput(TranslatorContext context, NDList list) throws Exception {
    return translator.batchProcessOutput(context, list);
  }

  @Override
  public Batchifier getBatchifier() {
    return translator.getBatchifier();
  }

  @Override
  public void prepare(TranslatorContext context) throws Exception {
    translator.prepare(context);
  }

  @Override
  public TranslatorOptions getExpansions() {
    return translator.getExpansions();
  }
}
