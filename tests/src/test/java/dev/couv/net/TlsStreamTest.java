// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Loop;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsStreamTest {
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void bytesGoBothWays(String version) throws Exception {
    Loop.run(
        () -> {
          try (TlsPair pair = TlsPair.open(TlsPair.options().withProtocols(version))) {
            assertEquals(version, pair.client().session().getProtocol());
            assertEquals(version, pair.server().session().getProtocol());

            pair.client().write(ByteBuffer.wrap("question".getBytes(UTF_8)));
            assertEquals("question", UTF_8.decode(pair.server().read()).toString());
            pair.server().write(ByteBuffer.wrap("answer".getBytes(UTF_8)));
            ByteBuffer small = ByteBuffer.allocate(4);
            assertEquals(4, pair.client().read(small));
            assertEquals("answ", UTF_8.decode(small.flip()).toString());
            assertEquals("er", UTF_8.decode(pair.client().read()).toString());
          }
        });
  }
}
