// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Much data, and many streams.
@InLoop
final class TlsBulkTest {
  private static final int MUCH = 64 << 20;

  @ParameterizedTest
  @Tag("storm")
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void muchGoesBothWaysAtOnceAndArrivesUnchanged(String version) throws Exception {
    try (TlsPair pair = TlsPair.open(TlsPair.options().withProtocols(version))) {
      exchange(pair.client(), pair.server(), MUCH);
    }
  }

  /// Both ends send and receive that much, and compare every byte.
  static void exchange(ByteStream one, ByteStream other, int length) throws Exception {
    var there = Coroutine.spawn(() -> send(one, 1, length));
    var back = Coroutine.spawn(() -> send(other, 2, length));
    var near = Coroutine.spawn(() -> receive(one, 2, length));
    var far = Coroutine.spawn(() -> receive(other, 1, length));
    there.await();
    back.await();
    near.await();
    far.await();
  }

  private static void send(ByteStream to, int seed, int length) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(200_000);
    for (int at = 0; at < length; at += piece.limit()) {
      piece.clear().limit(Math.min(piece.capacity(), length - at));
      fill(piece.array(), piece.limit(), seed, at);
      to.write(piece);
    }
  }

  private static void receive(ByteStream from, int seed, int length) throws IOException {
    ByteBuffer piece = seed == 1 ? ByteBuffer.allocate(70_000) : ByteBuffer.allocateDirect(9_000);
    byte[] expected = new byte[piece.capacity()];
    for (int at = 0; at < length; at += piece.limit()) {
      piece.clear().limit(Math.min(piece.capacity(), length - at));
      from.readFully(piece);
      fill(expected, piece.limit(), seed, at);
      int wrong = piece.flip().mismatch(ByteBuffer.wrap(expected, 0, piece.limit()));
      assertEquals(-1, wrong, "first byte that differs, after " + at);
    }
  }

  /// No stretch looks like another.
  private static void fill(byte[] bytes, int count, int seed, int at) {
    for (int i = 0; i < count; i++) {
      int state = (at + i) * 0x9E3779B9 + seed;
      bytes[i] = (byte) ((state ^ (state >>> 15)) >>> 7);
    }
  }

  /// A writer to a peer that does not read waits, and nothing piles up.
  @Test
  void aWriterWaitsForAPeerThatDoesNotRead() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      ByteBuffer from = ByteBuffer.allocate(64 << 20);
      var writing = Coroutine.spawn(() -> pair.client().write(from));
      while (pair.client().pending() == 0) {
        Coroutine.pause();
      }
      int taken;
      do { // the system may still make some room
        taken = from.position();
        for (int i = 0; i < 100; i++) {
          Coroutine.pause();
        }
      } while (taken != from.position());

      assertTrue(from.hasRemaining());
      assertTrue(pair.client().pending() <= 128 << 10, "" + pair.client().pending());
      writing.cancel();
    }
  }

  @Tag("storm")
  @Test
  void manyStreamsShakeHandsAtOnce() throws Exception {
    int many = 60;
    TlsOptions options = TlsPair.options();
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      List<Coroutine<?>> clients = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        clients.add(
            Coroutine.spawn(
                () -> {
                  try (TlsStream stream =
                      Tls.client(Tcp.connect(listener.local()), "localhost", options)) {
                    stream.write(bytes("ping"));
                    ByteBuffer back = ByteBuffer.allocate(4);
                    stream.readFully(back);
                    assertEquals("ping", text(back.flip()));
                    stream.shutdown();
                    assertNull(stream.read());
                  }
                }));
      }
      for (int i = 0; i < many; i++) {
        TcpStream peer = listener.accept();
        Coroutine.spawn(
            () -> {
              try (TlsStream stream = Tls.server(peer, TlsFiles.context("server"))) {
                assertEquals(4, ByteStream.copy(stream, stream));
              }
            });
      }
      for (Coroutine<?> client : clients) {
        client.await();
      }
    }
  }
}
