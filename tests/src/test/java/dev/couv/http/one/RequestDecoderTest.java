// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.http.HttpLimits;
import dev.couv.http.serve.Refused;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A request is refused by the same status wherever the bytes were cut on their way: the decoder is called with what is there.
class RequestDecoderTest {
  private static final HttpLimits LIMITS =
      HttpLimits.DEFAULT.withHeaders(3).withHead(200).withLine(100);

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "too many headers, 431, GET / HTTP/1.1|Host: a|A: 1|B: 2|C: 3|D: 4||",
    "too many trailers, 431, POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||0|A: 1|B: 2|C:"
        + " 3|D: 4||",
    "a long head, 431, GET / HTTP/1.1|Host: a|A: {200}||",
    "a long target, 414, GET /{200} HTTP/1.1|Host: a||",
    "a flood of empty lines, 400, |{lines}GET / HTTP/1.1|Host: a||",
    "no host, 400, GET / HTTP/1.1|A: 1||",
    "two hosts, 400, GET / HTTP/1.1|Host: a|Host: b||",
    "a folded line, 400, GET / HTTP/1.1|Host: a|A: 1| 2||",
    "another version, 505, GET / HTTP/2.0|Host: a||",
    "a header without a name, 400, GET / HTTP/1.1|Host: a|: 1||",
    "a chunk without a size, 400, POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||x|a||",
  })
  void theStatusIsTheSameWhereverItIsCut(String what, int status, String text) {
    byte[] request =
        text.replace("{200}", "x".repeat(200))
            .replace("{lines}", "|".repeat(200))
            .replace("|", "\r\n")
            .getBytes(ISO_8859_1);
    for (int cut = 0; cut <= request.length; cut++) {
      assertEquals(status, status(request, cut), what + ", cut before byte " + cut);
    }
  }

  /// 0 if it is not refused.
  private static int status(byte[] request, int cut) {
    RequestDecoder decoder = new RequestDecoder(LIMITS);
    ByteBuf in = Unpooled.wrappedBuffer(request);
    try {
      take(decoder, request, in.writerIndex(cut));
      take(decoder, request, in.writerIndex(request.length));
      return 0;
    } catch (Refused refused) {
      return refused.status();
    }
  }

  private static void take(RequestDecoder decoder, byte[] request, ByteBuf in) throws Refused {
    List<Object> parts = new ArrayList<>();
    do {
      parts.clear();
      decoder.next(request, in, parts);
    } while (!parts.isEmpty() && in.isReadable());
  }
}
