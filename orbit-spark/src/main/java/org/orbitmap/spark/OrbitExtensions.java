package org.orbitmap.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import scala.Function1;
import scala.Option;
import scala.Some;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Orbit's functions in SQL, for {@code spark.sql.extensions}. The last argument is a mapping in
 * words ({@link RowMapping#named}) and may be left out; inputs that cannot be read give null.
 *
 * <pre>{@code
 * SELECT path, orbit_canonical(content, 'so2 bicubic') FROM files
 * WHERE orbit_margin(content) > 0.01
 * }</pre>
 */
public final class OrbitExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    for (RowMapping.Part part :
        List.of(RowMapping.Part.CANONICAL, RowMapping.Part.ELEMENT, RowMapping.Part.MARGIN)) {
      String name = "orbit_" + part.name().toLowerCase(Locale.ROOT);
      add(extensions, name, arguments -> part(name, arguments, part));
    }
    add(extensions, "orbit_back", OrbitExtensions::back);
    return BoxedUnit.UNIT;
  }

  /** Makes the expression of a call. */
  private interface Builder {
    Expression of(List<Expression> arguments);
  }

  private static void add(SparkSessionExtensions extensions, String name, Builder builder) {
    Function1<Seq<Expression>, Expression> build =
        new AbstractFunction1<>() {
          @Override
          public Expression apply(Seq<Expression> arguments) {
            return builder.of(CollectionConverters.asJava(arguments));
          }
        };
    extensions.injectFunction(
        new Tuple3<>(
            new FunctionIdentifier(name),
            new ExpressionInfo(OrbitExtensions.class.getName(), name),
            build));
  }

  private static Expression part(String name, List<Expression> arguments, RowMapping.Part part) {
    requireNumber(name, "an input and, if need be, a mapping in words", arguments, 1);
    DataType type = arguments.get(0).dataType();
    RowMapping.Asked asked = mapping(name, arguments, 1).asked(type, part);
    DataType result =
        switch (part) {
          case ELEMENT -> Elements.TYPE;
          case MARGIN -> DataTypes.DoubleType;
          default -> type;
        };
    return call(name, new Ask(asked), result, arguments.subList(0, 1));
  }

  private static Expression back(List<Expression> arguments) {
    String name = "orbit_back";
    requireNumber(name, "a canonical form, its element and, if need be, a mapping", arguments, 2);
    DataType type = arguments.get(0).dataType();
    RowMapping.Back back = mapping(name, arguments, 2).back(type);
    return call(name, new TakeBack(back), type, arguments.subList(0, 2));
  }

  private static void requireNumber(
      String name, String what, List<Expression> arguments, int least) {
    if (arguments.size() < least || arguments.size() > least + 1) {
      throw new IllegalArgumentException(
          "%s: expected %s, found %d arguments".formatted(name, what, arguments.size()));
    }
  }

  private static RowMapping mapping(String name, List<Expression> arguments, int at) {
    if (arguments.size() <= at) {
      return RowMapping.named("");
    }
    Expression words = arguments.get(at);
    if (!words.foldable() || !(words.dataType() instanceof StringType)) {
      throw new IllegalArgumentException(
          "%s: expected a mapping in words that are the same for all rows, such as 'so2 bicubic',"
                  .formatted(name)
              + " found "
              + words.sql());
    }
    return RowMapping.named(words.eval(null).toString());
  }

  private static Expression call(
      String name, Object function, DataType result, List<Expression> arguments) {
    return new ScalaUDF(
        function,
        result,
        CollectionConverters.asScala(arguments).toSeq(),
        CollectionConverters.asScala(List.<Option<ExpressionEncoder<?>>>of()).toSeq(),
        Option.empty(),
        new Some<>(name),
        true,
        true);
  }

  private static final class Ask extends AbstractFunction1<Object, Object> implements Serializable {
    private static final long serialVersionUID = 1;
    private final RowMapping.Asked asked;

    Ask(RowMapping.Asked asked) {
      this.asked = asked;
    }

    @Override
    public Object apply(Object value) {
      return asked.of(value, OrbitSpark.name(null));
    }
  }

  private static final class TakeBack extends AbstractFunction2<Object, Object, Object>
      implements Serializable {
    private static final long serialVersionUID = 1;
    private final RowMapping.Back back;

    TakeBack(RowMapping.Back back) {
      this.back = back;
    }

    @Override
    public Object apply(Object value, Object element) {
      return back.of(value, (Row) element, OrbitSpark.name(null));
    }
  }
}
