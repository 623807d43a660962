// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.loop.NativeMemory;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.testing.InLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Copying from stream to stream, left at any moment: no byte is lost, repeated or out of order.
final class StreamCopyTest {
  private static final int MEGABYTE = 1 << 20;

  /// A stream of libuv's, or one that only implements the interface.
  enum Source {
    NATIVE,
    FOREIGN;

    ByteStream of(ByteStream stream) {
      return this == NATIVE ? stream : new Wrapped(stream);
    }
  }

  /// Every primitive passed on to another stream; what the interface makes of them is its own.
  private record Wrapped(ByteStream inner, @Nullable Consumer<ByteBuffer> taker)
      implements ByteStream {
    Wrapped(ByteStream inner) {
      this(inner, null);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      return inner.read(into);
    }

    @Override
    public void unread(ByteBuffer bytes) throws IOException {
      inner.unread(bytes);
    }

    @Override
    public void write(ByteBuffer... from) throws IOException {
      if (taker == null) {
        inner.write(from);
      } else {
        Arrays.stream(from).forEach(taker);
      }
    }

    @Override
    public int tryWrite(ByteBuffer from) throws IOException {
      return inner.tryWrite(from);
    }

    @Override
    public void shutdown() throws IOException {
      inner.shutdown();
    }

    @Override
    public boolean isOpen() {
      return inner.isOpen();
    }

    @Override
    public long pending() throws IOException {
      return inner.pending();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void everythingIsPassedOnUntilTheEnd(Source source) throws Exception {
    byte[] sent = Bytes.pattern(1_000_003);
    try (TcpPair in = TcpPair.open();
        TcpPair out = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            in.client().write(ByteBuffer.wrap(sent));
            in.client().shutdown();
          });
      Coroutine<Long> copying =
          Coroutine.spawn(
              () -> {
                long count = ByteStream.copy(source.of(in.server()), out.client());
                out.client().shutdown();
                return count;
              });

      byte[] received = Bytes.readAll(source.of(out.server()));

      assertEquals(sent.length, copying.await());
      assertTrue(Arrays.equals(sent, received));
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void copyThatIsCancelledAgainAndAgainLosesNothing(Source source) throws Exception {
    byte[] sent = Bytes.pattern(source == Source.NATIVE ? 3 * MEGABYTE : MEGABYTE);
    Random random = new Random(7);
    try (TcpPair in = TcpPair.open();
        TcpPair out = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            in.client().write(ByteBuffer.wrap(sent));
            in.client().shutdown();
          });
      Coroutine<byte[]> received =
          Coroutine.spawn(
              () -> {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                ByteBuffer buffer = ByteBuffer.allocate(30_000);
                while (out.server().read(buffer.clear()) >= 0) {
                  all.write(buffer.array(), 0, buffer.position());
                  for (int turns = random.nextInt(4); turns > 0; turns--) {
                    Coroutine.pause();
                  }
                }
                return all.toByteArray();
              });
      int cancelled = 0;
      boolean ended = false;
      while (!ended) {
        Coroutine<Long> copying =
            Coroutine.spawn(() -> ByteStream.copy(source.of(in.server()), source.of(out.client())));
        for (int turns = random.nextInt(12); turns > 0; turns--) {
          Coroutine.pause();
        }
        copying.cancel();
        try {
          copying.await();
          ended = true;
        } catch (CancellationException left) {
          cancelled++;
        }
      }
      out.client().shutdown();

      assertArrayEquals(sent, received.await());
      assertTrue(cancelled > 10, () -> "hardly ever cancelled");
    }
  }

  @InLoop
  @Test
  void aTargetOfTheUsersMayKeepWhatItIsGiven() throws Exception {
    List<ByteBuffer> kept = new ArrayList<>();
    try (TcpPair in = TcpPair.open();
        TcpPair out = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            in.client().write("kept");
            in.client().shutdown();
          });
      ByteStream keeping =
          new Wrapped(
              out.client(),
              each -> {
                kept.add(each.duplicate());
                each.position(each.limit());
              });

      assertEquals(4, ByteStream.copy(in.server(), keeping));
    }
    StringBuilder heard = new StringBuilder();
    for (ByteBuffer each : kept) {
      Loop.offload(() -> heard.append(StandardCharsets.UTF_8.decode(each))); // on another thread
    }
    assertEquals("kept", heard.toString());
  }

  @InLoop
  @Test
  void whatWasReadAndCannotBeWrittenGoesBackToTheSource() throws Exception {
    try (RawPeer in = RawPeer.open();
        RawPeer out = RawPeer.open()) {
      in.send("first");
      out.stream().close();

      assertThrows(ClosedChannelException.class, () -> ByteStream.copy(in.stream(), out.stream()));

      in.send(" second");
      assertEquals("first second", Bytes.readText(in.stream(), 12));
    }
  }

  @InLoop
  @Test
  void aTargetThatFailsEndsTheCopy() throws Exception {
    try (TcpPair in = TcpPair.open();
        RawPeer out = RawPeer.open()) {
      Coroutine<Long> copying = Coroutine.spawn(() -> ByteStream.copy(in.server(), out.stream()));
      out.reset();
      Coroutine<?> writing =
          Coroutine.spawn(() -> in.client().write(ByteBuffer.allocate(MEGABYTE)));

      assertInstanceOf(IOException.class, assertThrows(Exception.class, copying::await));
      writing.cancel();
    }
  }

  @InLoop
  @Test
  void closingEitherStreamEndsTheCopy() throws Exception {
    try (TcpPair in = TcpPair.open();
        TcpPair out = TcpPair.open()) {
      Coroutine<Long> idle = Coroutine.spawn(() -> ByteStream.copy(in.server(), out.client()));
      Coroutine.pause();
      in.server().close();
      assertThrows(AsynchronousCloseException.class, idle::await);

      Coroutine.spawn(
          () -> {
            try {
              out.server().write(ByteBuffer.allocate(20 * MEGABYTE));
            } catch (ClosedChannelException over) {
              return;
            }
          });
      Coroutine<Long> stuck = Coroutine.spawn(() -> ByteStream.copy(out.client(), in.client()));
      Coroutine.pause();
      in.client().close();
      assertThrows(ClosedChannelException.class, stuck::await);
    }
  }

  @Test
  void idleCopiesHoldNoBuffers() throws Exception {
    Loop.run(
        () -> {
          try (TcpPair first = TcpPair.open()) {
            first.client().write(Bytes.heap("warm"));
            Bytes.readText(first.server(), 4);
            List<TcpPair> pairs = new ArrayList<>();
            List<Coroutine<?>> copies = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
              TcpPair pair = TcpPair.open();
              pairs.add(pair);
              copies.add(Coroutine.spawn(() -> ByteStream.copy(pair.server(), pair.server())));
            }
            for (TcpPair pair : pairs) {
              pair.client().write(Bytes.heap("echo"));
              assertEquals("echo", Bytes.readText(pair.client(), 4));
            }
            Coroutine.pause();

            long held = Loop.current().stats().nativeBytes();

            // Far below 50 buffers of 64 KiB; what the loop itself keeps is in it.
            assertTrue(held < 1 << 20, () -> held + " bytes");
            copies.forEach(Coroutine::cancel);
            pairs.forEach(TcpPair::close);
          }
        });
    assertTrue(NativeMemory.allocatedBytes() < 1 << 20);
  }

  @InLoop
  @Test
  void aPeerThatDoesNotReadStopsTheCopyAndMemoryStaysFlat() throws Exception {
    try (TcpPair in = TcpPair.open();
        TcpPair out = TcpPair.open()) {
      Coroutine<?> writing =
          Coroutine.spawn(() -> in.client().write(ByteBuffer.allocate(64 * MEGABYTE)));
      Coroutine<?> copying = Coroutine.spawn(() -> ByteStream.copy(in.server(), out.client()));

      Coroutines.pauseUntilPending(out.client());

      assertTrue(out.client().pending() <= 1 << 16);
      long held = Loop.current().stats().nativeBytes();
      assertTrue(held < 1 << 20, () -> held + " bytes");
      copying.cancel();
      writing.cancel();
    }
  }
}
