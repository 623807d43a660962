// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.testing.InLoop;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Forms as browsers send them.
class FormTest {
  private static final String TYPE = "application/x-www-form-urlencoded";

  private static Request request(String type, String body) {
    return Request.of("POST", "/")
        .withHeader("Content-Type", type)
        .withBody(HttpBody.of(body.getBytes(UTF_8)));
  }

  private static int refused(String type, String body, int limit) {
    return assertThrows(HttpFailure.class, () -> request(type, body).form(limit)).status();
  }

  @Test
  void fieldsAreDecodedInTheirOrder() throws Exception {
    Request request = request(TYPE + "; charset=UTF-8", "b=1&a=%C3%A4+x&b=2&c&=d&&e=f=g&ü=ö");
    Form form = request.form(1000);

    assertEquals("1", form.get("b"));
    assertEquals(List.of("1", "2"), form.all("b"));
    assertEquals("ä x", form.get("a"));
    assertEquals("", form.get("c"));
    assertEquals("d", form.get(""));
    assertEquals("f=g", form.get("e"));
    assertEquals("ö", form.get("ü"));
    assertNull(form.get("z"));
    assertEquals(List.of(), form.all("z"));
    assertEquals(List.of("b", "a", "c", "", "e", "ü"), List.copyOf(form.names()));
    assertEquals(7, form.size());
    assertSame(form, request.form(1), "a filter may have read it");
    assertSame(form, request.withHeader("a", "b").form(1000));
    assertEquals(0, request(TYPE, "").form(0).size());
  }

  /// By a filter that wanted to see it, for example: there would be nothing in the form, without a word.
  @Test
  void aBodyThatWasReadBeforeIsNoForm() throws Exception {
    Request request = request(TYPE, "a=b");
    assertEquals("a=b", request.body().text(100));

    assertThrows(IllegalStateException.class, () -> request.form(100));
    assertThrows(IllegalStateException.class, () -> request.body().bytes(100));
  }

  @Test
  void whatIsNoFormIsRefused() {
    for (String type : List.of("text/plain", "multipart/form-data; boundary=x", TYPE + "x", "")) {
      assertEquals(415, refused(type, "a=b", 100), type);
    }
    Request untyped = Request.of("POST", "/").withBody(HttpBody.of((byte) 'a'));
    assertEquals(415, assertThrows(HttpFailure.class, () -> untyped.form(9)).status());
    Request packed = request(TYPE, "a=b").withHeader("Content-Encoding", "gzip");
    assertEquals(415, assertThrows(HttpFailure.class, () -> packed.form(9)).status());
    for (String body : List.of("a=%", "a=%4", "%zz=a", "a=%ff", "a=%00", "a=\0", "a=%c0%ae")) {
      assertEquals(400, refused(TYPE, body, 100), body);
    }
  }

  @Test
  void thereIsALimitOfBytesAndOneOfFields() throws Exception {
    assertEquals(413, refused(TYPE, "a=b", 2));
    assertEquals("b", request(TYPE, "a=b").form(3).get("a"));
    assertEquals(1000, request(TYPE, "a&".repeat(1000)).form(1 << 20).size());
    assertEquals(413, refused(TYPE, "a&".repeat(1001), 1 << 20));
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void itComesAndIsRefusedOverBothVersions(HttpVersion version) throws Exception {
    try (var http = HttpFixture.open(FormTest::routes)) {
      assertEquals(
          "200 a b",
          Asked.ask(http, version, "POST", "/", "name=a+b", "content-type", TYPE).toString());
      assertEquals(
          400, Asked.ask(http, version, "POST", "/", "name=%", "content-type", TYPE).status());
      assertEquals(415, Asked.ask(http, version, "POST", "/", "name=a").status());
      String large = "name=" + "a".repeat(2000);
      assertEquals(
          413, Asked.ask(http, version, "POST", "/", large, "content-type", TYPE).status());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"--http1.1", "--http2-prior-knowledge"})
  void curlSendsOne(String version) throws Exception {
    try (var http = HttpFixture.open(FormTest::routes)) {
      String url = "http://127.0.0.1:" + http.address().getPort() + "/";
      String[] command = {
        "curl", "-sS", version, "-d", "x=1", "--data-urlencode", "name=a & b=ü", url
      };
      assertEquals("a & b=ü", OtherClients.run(command));
    }
  }

  private static void routes(HttpServer server) {
    server.route("POST", "/", request -> Response.text(request.form(1000).get("name")));
  }
}
