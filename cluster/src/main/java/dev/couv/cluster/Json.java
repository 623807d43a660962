// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.lang.reflect.Type;
import java.nio.charset.MalformedInputException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.introspect.VisibilityChecker;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.ser.impl.FailingSerializer;
import tools.jackson.databind.type.LogicalType;

/// JSON by Jackson, for what a peer may send who means no good: no class is ever named by the text,
/// what is nested more than 100 deep or has a number of more than 100 digits is refused, and so is
/// whatever stands behind the value. A name that the type does not know is passed over, so that a
/// newer peer can say more.
///
/// Nothing is changed or left out on the way. Fields are carried, whether they have accessors or
/// not; what has no state that could be is refused, as a lambda is, and so are halves of letters. A
/// number is none if it is a text, nor an integer if it has a fraction; where a record lacks a
/// primitive there is no value for it. (A reference that is missing is null, and a field that is
/// missing stays as the constructor of its class has made it.)
final class Json<T> implements Codec<T> {
  private static final int DEEPEST = 100;
  private static final int LONGEST_NUMBER = 100;
  private static final int LONGEST_NAME = 1_000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxNumberLength(LONGEST_NUMBER)
                          .maxNameLength(LONGEST_NAME)
                          .build())
                  .build())
          // Allows nothing: where a type is annotated to be named by its class, that is refused.
          .polymorphicTypeValidator(BasicPolymorphicTypeValidator.builder().build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .withCoercionConfig(
              LogicalType.Textual,
              text ->
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          // Else they would be written, and passed over where they are read.
          .enable(MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS)
          .changeDefaultVisibility(_ -> new AllFields())
          .annotationIntrospector(new Members())
          .build();

  private final String name;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  Json(Type type) {
    JavaType known = MAPPER.constructType(type);
    name = type.getTypeName();
    reader = MAPPER.readerFor(known);
    writer = MAPPER.writerFor(known);
  }

  @Override
  public byte[] encode(T value) throws MalformedInputException {
    try {
      byte[] bytes = writer.writeValueAsBytes(value);
      checkLetters(bytes);
      return bytes;
    } catch (JacksonException refused) {
      throw told(refused);
    }
  }

  /// Half of a letter is the only thing that is written as the escape of a surrogate. As a name it
  /// cannot be read, and nobody else may know what it is.
  private static void checkLetters(byte[] json) throws MalformedInputException {
    for (int at = 0; at < json.length - 1; at++) {
      if (json[at] == '\\') {
        at++;
        if (json[at] == 'u' && json[at + 1] == 'D' && json[at + 2] >= '8') {
          throw new MalformedInputException(1);
        }
      }
    }
  }

  @Override
  public T decode(byte[] bytes) {
    T value;
    try {
      value = reader.readValue(bytes);
    } catch (JacksonException refused) {
      throw told(refused);
    }
    if (value == null) {
      throw new IllegalArgumentException("null instead of a " + name);
    }
    return value;
  }

  /// Without the words about where in the text it was, which is not shown.
  private static IllegalArgumentException told(JacksonException refused) {
    String path = refused.getPathReference();
    return new IllegalArgumentException(
        refused.getOriginalMessage() + (path.isEmpty() ? "" : ", at " + path), refused);
  }

  @Override
  public String toString() {
    return "JSON of " + name;
  }

  /// Whatever has state is carried with all of it. What is inherited from a type of Java itself, as
  /// by an exception, nobody may look into. The rest is as usual.
  private static final class AllFields extends VisibilityChecker {
    private static final long serialVersionUID = 1L;

    private AllFields() {
      super(
          Visibility.ANY,
          Visibility.PUBLIC_ONLY,
          Visibility.PUBLIC_ONLY,
          Visibility.ANY,
          Visibility.PUBLIC_ONLY,
          Visibility.NON_PRIVATE);
    }

    @Override
    public boolean isFieldVisible(AnnotatedField field) {
      return field.isPublic() || !field.getDeclaringClass().getName().startsWith("java.");
    }
  }

  private static final class Members extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    /// Zero would be a guess.
    @Override
    public Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
      Boolean marked = super.hasRequiredMarker(config, member);
      boolean open = marked == null && member instanceof AnnotatedParameter;
      return open ? Boolean.valueOf(member.getRawType().isPrimitive()) : marked;
    }

    /// A lambda is of such a class: what it holds is nothing that another could make it of.
    @Override
    public @Nullable Object findSerializer(MapperConfig<?> config, Annotated of) {
      return of.getRawType().isHidden()
          ? new FailingSerializer("a lambda cannot be carried")
          : super.findSerializer(config, of);
    }
  }
}
