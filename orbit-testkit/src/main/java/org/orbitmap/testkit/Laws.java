package org.orbitmap.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.orbitmap.group.FiniteGroup;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.orbit.RepresentationMapping;

/** The laws (paper, section 3 and appendix A): their names, and where to get them for a subject. */
public final class Laws {
  /** (gh)k = g(hk) */
  public static final String ASSOCIATIVITY = "associativity";

  /** eg = g = ge */
  public static final String IDENTITY = "identity";

  /** g⁻¹g = e = gg⁻¹ */
  public static final String INVERSE = "inverse";

  /** d(g, g) = 0, d(g, h) = d(h, g), and elements in general position are apart. */
  public static final String DISTANCE = "distance";

  /** The list of a finite group: e first, no element twice, closed under products and inverses. */
  public static final String LISTING = "listing";

  /** act(e, x) = x */
  public static final String ACT_IDENTITY = "action of the identity";

  /** act(gh, x) = act(g, act(h, x)) */
  public static final String ACT_PRODUCT = "action of a product";

  /** Every g other than e moves some x. An action that does nothing passes all other laws. */
  public static final String FAITHFUL = "faithfulness";

  /** act(g, x) leaves x itself as it was. */
  public static final String UNTOUCHED = "input untouched";

  /** map(x).point = act(map(x).element, x) */
  public static final String ON_ORBIT = "point on the orbit";

  /** h(act(g, x)) = h(x) */
  public static final String INVARIANCE = "invariance";

  /** h(h(x)) = h(x) */
  public static final String IDEMPOTENCE = "idempotence";

  /** map(x) is the same whatever was mapped before. */
  public static final String NO_MEMORY = "no memory";

  /** Special inputs give a point on the orbit, never NaN and never an exception. */
  public static final String SPECIAL = "special inputs";

  /** net(h(act(g, x))) = net(h(x)) (Fact 1) */
  public static final String INVARIANT_NETWORK = "invariant network";

  /** f(act(g, x)) = act(g, f(x)) for f(x) = ĝ⁻¹(net(ĝ(x))) (Proposition 2) */
  public static final String EQUIVARIANT_NETWORK = "equivariant network";

  /** pool{net(hx)} does not change with x → gx (TI-pooling) */
  public static final String INVARIANT_POOLING = "invariant pooling";

  /** pool{h(net(h⁻¹x))} moves with x (Proposition 1) */
  public static final String EQUIVARIANT_POOLING = "equivariant pooling";

  /** A composition that was accepted is invariant under the joint group. */
  public static final String COMPOSITION = "composition";

  /** A composition that is not invariant is refused. */
  public static final String REFUSAL = "refusal";

  /** h(act(g, x)) = act′(g, h(x)) for a mapping into another representation */
  public static final String REPRESENTATION = "representation";

  /** h refined by s maps x to s(h(x))·h(x), by the element s(h(x))·ĝ(x), with the margin of h. */
  public static final String REFINEMENT = "refinement";

  private Laws() {}

  /** The axioms of the subject's group. */
  public static <G> List<Law> group(Subject<G, ?> s) {
    return GroupLaws.group(s, s.action().group());
  }

  /** The laws of the subject's action. */
  public static <G, X> List<Law> action(Subject<G, X> s) {
    return GroupLaws.action(s);
  }

  /** The laws of a mapping of the subject's orbits. */
  public static <G, X> List<Law> mapping(Subject<G, X> s, OrbitMapping<G, X> mapping) {
    return mapping(s, mapping, s.tolerance(), 0);
  }

  /**
   * The laws of a mapping that is less exact than the action.
   *
   * @param tolerance the largest error allowed for invariance and idempotence
   * @param margin inputs with a smaller margin are passed over: where the action is approximate it
   *     may push them across the border where the choice jumps
   */
  public static <G, X> List<Law> mapping(
      Subject<G, X> s, OrbitMapping<G, X> mapping, double tolerance, double margin) {
    return MappingLaws.mapping(s, mapping, tolerance, margin);
  }

  /** What both wrappers make of the space's network; see {@link #mapping} for the margin. */
  public static <G, X> List<Law> wrappers(
      Subject<G, X> s, OrbitMapping<G, X> mapping, double tolerance, double margin) {
    return NetworkLaws.wrappers(s, mapping, tolerance, margin);
  }

  /**
   * Pooling over a finite group.
   *
   * @param pool commutes with the group and does not depend on the order, such as the mean
   */
  public static <G, X> List<Law> pooling(
      Subject<G, X> s,
      FiniteGroup<G> group,
      Function<? super List<X>, ? extends X> pool,
      double tolerance) {
    return NetworkLaws.pooling(s, group, pool, tolerance);
  }

  /** A composition that was accepted, under the joint group. */
  public static <G, X> Law composition(
      Subject<G, X> s, OrbitMapping<G, X> composed, double tolerance) {
    return MappingLaws.composition(s, composed, tolerance);
  }

  /**
   * A composition that must be refused, with a reason.
   *
   * @param name what results call it
   * @param compose builds it; the law holds if that throws an {@link IllegalArgumentException} with
   *     a message
   */
  public static Law refusal(String name, Supplier<?> compose) {
    return MappingLaws.refusal(name, compose);
  }

  /**
   * The refinement of a mapping: that it is one, and every law of a mapping. Idempotence is among
   * them: the refined point lies on the orbit of x, and there is one point for the whole orbit.
   *
   * @param correction some function from inputs to the group, as smooth as the guarantee demands
   */
  public static <G, X> List<Law> refinement(
      Subject<G, X> s,
      OrbitMapping<G, X> mapping,
      Function<X, G> correction,
      double tolerance,
      double margin) {
    return MappingLaws.refinement(
        s, mapping, correction, mapping.refinedBy(correction), tolerance, margin);
  }

  /**
   * The laws of a mapping into another representation; see {@link #mapping} for the margin.
   *
   * @param tolerance the largest error allowed
   */
  public static <G, X, Y> List<Law> representation(
      Subject<G, X> s, RepresentationMapping<G, X, Y> mapping, double tolerance, double margin) {
    return MappingLaws.representation(s, mapping, tolerance, margin);
  }

  /** f(act(g, x)) = f(x) for a model. */
  public static <G, X, Y> Law invariant(
      Subject<G, X> s, Function<? super X, ? extends Y> model, double tolerance) {
    return NetworkLaws.invariant(s.name(), INVARIANT_NETWORK, s, model, x -> true, tolerance);
  }

  /** f(act(g, x)) = act(g, f(x)) for a model. */
  public static <G, X, Y> Law equivariant(
      Subject<G, X> s,
      Function<? super X, ? extends Y> model,
      GroupAction<G, Y> onOutput,
      double tolerance) {
    return NetworkLaws.equivariant(
        s.name(), EQUIVARIANT_NETWORK, s, model, onOutput, x -> true, tolerance);
  }

  /** Everything about a subject: its group, its action, its mappings and what they wrap. */
  @SafeVarargs
  public static <G, X> List<Law> all(Subject<G, X> s, OrbitMapping<G, X>... mappings) {
    List<Law> laws = new ArrayList<>();
    laws.addAll(group(s));
    laws.addAll(action(s));
    for (OrbitMapping<G, X> mapping : mappings) {
      laws.addAll(mapping(s, mapping));
      laws.addAll(wrappers(s, mapping, s.tolerance(), 0));
    }
    return laws;
  }
}
