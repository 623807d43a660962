// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.testing.InLoop;
import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/// Streams as the JDK's channels, in the JDK's own hands.
@InLoop
final class ByteChannelsTest {
  @Test
  void theJdkReadsAndWritesThroughThem() throws Exception {
    Pair pair = LocalStream.pair();
    Coroutine<?> writer =
        Coroutine.spawn(
            () -> {
              try (var out = Channels.newWriter(ByteChannels.writable(pair.first()), UTF_8)) {
                out.write("grüße\n".repeat(10_000));
              }
            });

    try (BufferedReader lines =
        new BufferedReader(Channels.newReader(ByteChannels.readable(pair.second()), UTF_8))) {
      assertEquals(10_000, lines.lines().filter("grüße"::equals).count());
    }
    writer.await();
    assertFalse(pair.first().isOpen());
    assertFalse(pair.second().isOpen());
  }

  @Test
  void aClosedOneSaysSo() throws Exception {
    Pair pair = LocalStream.pair();
    ByteChannel channel = ByteChannels.of(pair.first());
    assertEquals(3, channel.write(ByteBuffer.wrap(new byte[3])));

    channel.close();

    assertFalse(channel.isOpen());
    assertThrows(ClosedChannelException.class, () -> channel.read(ByteBuffer.allocate(1)));
    assertThrows(ClosedChannelException.class, () -> channel.write(ByteBuffer.allocate(1)));
    pair.second().close();
  }
}
