// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Headers are found whatever their case, and nothing in them can tear a message.
class HeadersTest {
  private final Headers headers = Headers.of("Accept", "a", "X", "1", "accept", "b");

  @Test
  void namesAreComparedWithoutRegardToCase() {
    assertEquals("a", headers.get("ACCEPT"));
    assertEquals(List.of("a", "b"), headers.all("accept"));
    assertNull(headers.get("y"));
    assertEquals(List.of(), headers.all("y"));
    assertTrue(headers.contains("x"));
    assertEquals(3, headers.size());
    assertEquals("X", headers.name(1));
    assertEquals("1", headers.value(1));
  }

  @Test
  void othersAreMadeAndNoneIsChanged() {
    assertEquals(Headers.of("X", "1", "Accept", "c"), headers.with("Accept", "c"));
    assertEquals("1, 2", String.join(", ", headers.plus("x", "2").all("X")));
    assertEquals(Headers.of("X", "1"), headers.without("accept"));
    assertEquals(Headers.of("X", "1").hashCode(), headers.without("accept").hashCode());
    assertEquals(3, headers.size());
    List<Header> all = new ArrayList<>();
    headers.forEach(all::add);
    assertEquals(new Header("accept", "b"), all.getLast());
    assertEquals("Accept: a\nX: 1\naccept: b\n", headers.toString());
  }

  @Test
  void whatABuilderGaveAwayDoesNotChange() {
    Headers.Builder builder = Headers.builder().add("a", "1");
    Headers first = builder.build();
    for (int i = 0; i < 50; i++) {
      builder.add("b" + i, "2");
    }

    assertEquals(1, first.size());
    assertEquals(51, builder.build().size());
    assertEquals("2", builder.build().get("b49"));
  }

  @Test
  void wordsOfListsAreFound() {
    Headers list = Headers.of("Connection", "TE ,\tclose,x", "connection", "keep-alive");

    assertTrue(list.contains("connection", "CLOSE"));
    assertTrue(list.contains("connection", "keep-alive"));
    assertFalse(list.contains("connection", "clos"));
    assertFalse(list.contains("connection", "e"));
    assertFalse(list.contains("y", "e"));
  }

  @Test
  void whatCouldTearAMessageIsRefused() {
    for (String name : List.of("", "a b", "a:", "a\n", "ä", "a\0", "(a)")) {
      assertThrows(IllegalArgumentException.class, () -> headers.plus(name, "v"), name);
      assertThrows(IllegalArgumentException.class, () -> Headers.builder().add(name, "v"));
    }
    for (String value : List.of("a\r\nb", "\n", "a\0", "\u007f", "\u20ac", "\u010d\u010a")) {
      assertThrows(IllegalArgumentException.class, () -> headers.with("a", value), value);
      assertThrows(IllegalArgumentException.class, () -> Response.bytes(value));
      assertThrows(IllegalArgumentException.class, () -> Response.redirect(value));
    }
    assertThrows(IllegalArgumentException.class, () -> Headers.of("a"));
    for (String framing :
        List.of("Content-Length", "transfer-encoding", "CONNECTION", "Keep-Alive")) {
      assertThrows(IllegalArgumentException.class, () -> Response.of(200).withHeader(framing, "1"));
      assertThrows(IllegalArgumentException.class, () -> Response.of(200).plusHeader(framing, "1"));
    }
    for (int status : new int[] {0, 99, 100, 101, 199, 600, 1000}) {
      assertThrows(IllegalArgumentException.class, () -> Response.of(status));
    }
    assertThrows(IllegalArgumentException.class, () -> new HttpFailure(200, "fine"));
  }
}
