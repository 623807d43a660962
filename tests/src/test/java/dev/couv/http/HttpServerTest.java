// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import org.junit.jupiter.api.Test;

/// Requests and answers over one connection, and its end.
@InLoop
class HttpServerTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  @Test
  void aConnectionServesOneRequestAfterTheOther() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var talk = http.talk()) {
      for (int i = 0; i < 3; i++) {
        String head = talk.say(GET).head();

        assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n"), head);
        assertEquals("5", HttpFixture.field(head, "content-length"));
        assertEquals("text/plain; charset=utf-8", HttpFixture.field(head, "content-type"));
        assertTrue(HttpFixture.field(head, "date").endsWith("GMT"), head);
        assertEquals("hello", talk.bytes(5));
      }
    }
  }

  @Test
  void requestsThatComeTogetherAreAnsweredInTheirOrder() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var talk = http.talk()) {
      talk.say("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none".repeat(100) + GET);

      for (int i = 0; i < 100; i++) {
        assertEquals("one", talk.body());
      }
      assertEquals("hello", talk.body());
    }
  }

  @Test
  void aChunkedBodyIsReadAsItComes() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var talk = http.talk()) {
      talk.say("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
      talk.say("3\r\ntwo\r\n0\r\n\r\n" + GET);

      assertEquals("onetwo", talk.body());
      assertEquals("hello", talk.body());
    }
  }
}
