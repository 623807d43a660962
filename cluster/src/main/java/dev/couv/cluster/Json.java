// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.lang.reflect.Type;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/// JSON by Jackson, for what a peer may send who means no good: no class is ever named by the text,
/// what is nested more than 100 deep or has a number of more than 100 digits is refused, and so is
/// whatever stands behind the value. A name that the type does not know is passed over, so that a
/// newer peer can say more.
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
  public byte[] encode(T value) {
    return writer.writeValueAsBytes(value);
  }

  @Override
  public T decode(byte[] bytes) {
    T value = reader.readValue(bytes);
    if (value == null) {
      throw new IllegalArgumentException("null instead of a " + name);
    }
    return value;
  }

  @Override
  public String toString() {
    return "JSON of " + name;
  }
}
