// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What a codec carries arrives as it was, or is refused: nothing is changed or left out on the way.
class CodecTest {
  private enum Colour {
    RED,
    BLUE
  }

  /// State without accessors, some of it of a superclass.
  private static class Place {
    private int x;
    int y;

    Place() {}

    Place(int x, int y) {
      this.x = x;
      this.y = y;
    }

    @Override
    public String toString() {
      return x + ", " + y;
    }
  }

  private static final class NamedPlace extends Place {
    private final String name;

    @SuppressWarnings("unused") // by the codec
    NamedPlace() {
      name = "nowhere";
    }

    NamedPlace(int x, int y, String name) {
      super(x, y);
      this.name = name;
    }

    @Override
    public String toString() {
      return name + " at " + super.toString();
    }
  }

  private record Way(Place from, Place to, int length, String note) {}

  private record Many(
      double number,
      float other,
      Duration time,
      Instant moment,
      char letter,
      boolean yes,
      Map<Integer, String> byNumber,
      Map<Colour, Long> byColour,
      Optional<String> maybe,
      List<Colour> colours) {}

  private record Nothing() {}

  private static <T> T carried(Class<T> type, T value) throws Exception {
    Codec<T> codec = Codec.json(type);
    return codec.decode(codec.encode(value));
  }

  @Test
  void fieldsWithoutAccessorsAreCarried() throws Exception {
    assertEquals("1, 2", carried(Place.class, new Place(1, 2)).toString());
    assertEquals(
        "home at 3, 4", carried(NamedPlace.class, new NamedPlace(3, 4, "home")).toString());
    assertEquals(
        "Way[from=1, 2, to=3, 4, length=5, note=uphill]",
        carried(Way.class, new Way(new Place(1, 2), new Place(3, 4), 5, "uphill")).toString());
  }

  @Test
  void whatJsonHasNoWordForIsStillCarried() throws Exception {
    Many many =
        new Many(
            Double.NaN,
            Float.NEGATIVE_INFINITY,
            Duration.ofMillis(1500),
            Instant.ofEpochSecond(7, 8),
            'ß',
            true,
            Map.of(1, "one"),
            Map.of(Colour.BLUE, 5L),
            Optional.of("yes"),
            List.of(Colour.RED));

    assertEquals(many, carried(Many.class, many));
    assertEquals(new Nothing(), carried(Nothing.class, new Nothing()));
    assertEquals(5.0, Codec.json(Double.class).decode("5".getBytes(UTF_8)));
  }

  private static final class Trouble extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    Trouble(String message, int code) {
      super(message);
      this.code = code;
    }

    @Override
    public String toString() {
      return getMessage() + code;
    }
  }

  /// The fields of a throwable are of Java itself, and nobody may see them.
  @Test
  void whatIsInheritedFromJavaIsWrittenByItsAccessors() throws Exception {
    String json = new String(Codec.json(Trouble.class).encode(new Trouble("so it is", 5)), UTF_8);

    assertTrue(json.contains("\"message\":\"so it is\""), json);
    assertTrue(json.contains("\"code\":5"), json);
  }

  @Test
  void whatHasNoStateThatCanBeCarriedIsRefused() {
    int captured = hashCode();
    Supplier<Integer> holding = () -> captured;
    for (Object each : List.of((Runnable) () -> {}, holding, new Object())) {
      assertThrows(Exception.class, () -> Codec.json(Object.class).encode(each), each::toString);
    }
  }

  @Test
  void halvesOfLettersAreRefused() throws Exception {
    for (String each : List.of("a\ud800b", "\udc00", "end\ud83d", "\udc00\ud800")) {
      assertThrows(Exception.class, () -> Codec.text().encode(each));
      assertThrows(Exception.class, () -> Codec.json(String.class).encode(each));
      assertThrows(Exception.class, () -> Codec.json(Map.class).encode(Map.of(each, 1)));
    }
    for (String each : List.of("😀", "\\uD800", "\\\\uD800", "\"\\", "größer")) {
      assertEquals(each, Codec.text().decode(Codec.text().encode(each)));
      assertEquals(each, carried(String.class, each));
    }
  }

  private static void assertNone(Class<?> type, String json) {
    assertThrows(
        Exception.class,
        () -> Codec.json(type).decode(json.getBytes(UTF_8)),
        () -> json + " as " + type);
  }

  @Test
  void anotherKindOfValueIsRefused() {
    assertNone(Integer.class, "5.7");
    assertNone(Integer.class, "\"5\"");
    assertNone(Integer.class, "\"\"");
    assertNone(Integer.class, "5 6");
    assertNone(int[].class, "[1.5]");
    assertNone(Double.class, "\"5\"");
    assertNone(String.class, "5");
    assertNone(String.class, "true");
    assertNone(Boolean.class, "1");
    assertNone(Boolean.class, "\"true\"");
    assertNone(Colour.class, "1");
    assertNone(Colour.class, "\"1\"");
    assertNone(Way.class, "{\"length\":2.5}");
  }

  @Test
  void aMissingPrimitiveIsRefusedAndAMissingReferenceIsNull() throws Exception {
    assertNone(Way.class, "{\"note\":\"a\"}");
    assertNone(Way.class, "{\"length\":null}");
    assertNone(Place.class, "{\"x\":null}");

    Object way = Codec.json(Way.class).decode("{\"length\":3,\"new\":1}".getBytes(UTF_8));

    assertEquals(new Way(null, null, 3, null), way);
  }

  @Test
  void theMessageSaysWhereAndNothingOfTheReader() {
    Exception told =
        assertThrows(
            Exception.class,
            () -> Codec.json(Way.class).decode("{\"length\":\"far\"}".getBytes(UTF_8)));

    assertTrue(told.getMessage().contains("length"), told::getMessage);
    assertFalse(told.getMessage().contains("REDACTED"), told::getMessage);
    assertFalse(told.getMessage().contains("\n"), told::getMessage);
  }
}
