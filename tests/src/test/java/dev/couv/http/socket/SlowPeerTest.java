// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.http.WebSocketMessage;
import dev.couv.http.WebSocketOptions;
import dev.couv.http.WebSocketOptions.Compression;
import dev.couv.stream.ByteStream;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Other sides that take nothing of what is sent to them, or little at a time.
@InLoop
class SlowPeerTest {
  private static final byte[] LARGE = new byte[60_000];

  private final SlowStream stream = new SlowStream();

  private Link open(boolean client) {
    return open(client, WebSocketOptions.DEFAULT);
  }

  private Link open(boolean client, WebSocketOptions options) {
    return new Link(stream, client, Extension.accept(List.of(), Compression.NONE), options);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoTakesNothingIsGivenUp(boolean client, TestClock clock) throws Exception {
    Link link = open(client, WebSocketOptions.DEFAULT.withSendTime(Duration.ofSeconds(20)));
    var receiving =
        Coroutine.spawn(() -> assertThrows(EOFException.class, link::receive).getMessage());
    link.send(false, LARGE);
    Time.sleep(Duration.ofSeconds(30)); // nobody waits for it yet
    var second =
        Coroutine.spawn(
            () -> assertThrows(SocketTimeoutException.class, () -> link.send(false, LARGE)));
    Coroutine.pause();

    String told =
        assertThrows(SocketTimeoutException.class, () -> link.send(false, LARGE)).getMessage();

    assertEquals("slow has taken nothing for PT20S", told);
    assertEquals(50, clock.elapsed().toSeconds());
    assertEquals(told, second.await().getMessage());
    assertEquals(told, receiving.await());
    assertEquals(1006, link.closeCode());
    assertTrue(stream.closed.isOpen());
    assertTrue(link.isEnding());
    assertThrows(EOFException.class, () -> link.send(true, new byte[1]));
    assertThrows(EOFException.class, link::receive);
    link.close(1000, "");
    assertEquals(50, clock.elapsed().toSeconds());
  }

  @Test
  void alsoByWhoFlushes(TestClock clock) throws Exception {
    Link link = open(false);
    link.send(false, new byte[1]);

    assertThrows(SocketTimeoutException.class, link::flush);

    assertEquals(30, clock.elapsed().toSeconds());
    link.end();
  }

  @Test
  void whoTakesLittleAtATimeIsNot(TestClock clock) throws Exception {
    stream.takes(Duration.ofSeconds(20));
    Link link = open(false);
    link.send(false, new byte[1 << 20]);

    link.send(true, "the last".getBytes(ISO_8859_1));
    link.send(false, LARGE);
    link.flush();

    assertTrue(clock.elapsed().toSeconds() > 300, () -> "after " + clock.elapsed());
    String all = stream.taken.toString(ISO_8859_1);
    assertTrue(all.indexOf("the last") > 1 << 20);
    link.end();
  }

  @Test
  void whoAsksAndDoesNotReadIsStillHeard(TestClock clock) throws Exception {
    Link link =
        open(false, WebSocketOptions.DEFAULT.withIdle(null).withSendTime(Duration.ofDays(1)));
    link.send(false, LARGE);
    for (int i = 100; i < 1000; i++) {
      stream.come(0x89, "ping " + i);
    }
    stream.come(0x81, "over");

    assertEquals(new WebSocketMessage.Text("over"), link.receive());

    assertEquals(0, clock.elapsed().toSeconds());
    stream.takes(Duration.ofMillis(1));
    var receiving = Coroutine.spawn(link::receive);
    Time.sleep(Duration.ofMinutes(1));
    String all = stream.taken.toString(ISO_8859_1);
    assertTrue(all.endsWith("\u008a\bping 999"), "the last is answered");
    assertTrue(all.length() < 1 << 16, "and not all that found no room: " + all.length());
    stream.come(0x89, "once more");
    Time.sleep(Duration.ofMinutes(1));
    assertTrue(stream.taken.toString(ISO_8859_1).endsWith("\u008a\tonce more"));
    link.end();
    assertThrows(ClosedChannelException.class, receiving::await);
  }

  /// Takes nothing, or a piece now and then, and has what it is told to have.
  private static final class SlowStream implements ByteStream {
    final Gate closed = new Gate();
    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final Gate takes = new Gate();
    private final Gate came = new Gate();
    private final ByteArrayOutputStream coming = new ByteArrayOutputStream();
    private Duration pause = Duration.ZERO;

    void takes(Duration newPause) {
      pause = newPause;
      takes.open();
    }

    /// A frame as a client sends it, with a mask of zeros.
    void come(int first, String payload) {
      coming.write(first);
      coming.write(0x80 | payload.length());
      coming.writeBytes(new byte[4]);
      coming.writeBytes(payload.getBytes(ISO_8859_1));
      came.open();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      while (coming.size() == 0) {
        came.close();
        came.await();
        checkOpen();
      }
      byte[] all = coming.toByteArray();
      int count = Math.min(all.length, into.remaining());
      into.put(all, 0, count);
      coming.reset();
      coming.write(all, count, all.length - count);
      return count;
    }

    @Override
    public void write(ByteBuffer... from) throws IOException {
      for (ByteBuffer buffer : from) {
        while (buffer.hasRemaining()) {
          takes.await();
          Time.sleep(pause);
          checkOpen();
          byte[] piece = new byte[Math.min(buffer.remaining(), 1 << 16)];
          buffer.get(piece);
          taken.writeBytes(piece);
        }
      }
    }

    private void checkOpen() throws IOException {
      if (closed.isOpen()) {
        throw new ClosedChannelException();
      }
    }

    @Override
    public int tryWrite(ByteBuffer from) {
      return 0;
    }

    @Override
    public void unread(ByteBuffer bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {}

    @Override
    public boolean isOpen() {
      return !closed.isOpen();
    }

    @Override
    public long pending() {
      return 0;
    }

    @Override
    public void close() {
      closed.open();
      takes.open();
      came.open();
    }

    @Override
    public String toString() {
      return "slow";
    }
  }
}
