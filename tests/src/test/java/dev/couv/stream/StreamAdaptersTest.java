// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.error.UvException;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// Existing Java code reads and writes a byte stream through `InputStream` and `OutputStream`.
@InLoop
final class StreamAdaptersTest {
  private static final int MEGABYTE = 1 << 20;

  @Test
  void theClassesOfTheJdkWorkOnTopWhileOthersRun() throws Exception {
    byte[] sent = Bytes.pattern(3 * MEGABYTE);
    try (TcpPair pair = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            try (OutputStream out = new GZIPOutputStream(pair.client().output())) {
              out.write(sent);
            }
          });

      byte[] received = new GZIPInputStream(pair.server().input()).readAllBytes();

      assertArrayEquals(sent, received);
      assertFalse(pair.client().isOpen(), "closing the output closes the stream");
    }
  }

  @Test
  void objectsAndTextPass() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      new ObjectOutputStream(pair.client().output()).writeObject(List.of("a", 1, 2.0));
      assertEquals(List.of("a", 1, 2.0), new ObjectInputStream(pair.server().input()).readObject());
      pair.client().output().write("one\ntwo\n".getBytes(UTF_8));
      BufferedReader reader =
          new BufferedReader(new InputStreamReader(pair.server().input(), UTF_8));
      assertEquals("one", reader.readLine());
      assertEquals("two", reader.readLine());
    }
  }

  @Test
  void singleBytesAndPartsOfArraysAreExact() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      OutputStream out = pair.client().output();
      InputStream in = pair.server().input();
      out.write(0x1ff);
      out.write(new byte[] {1, 2, 3, 4}, 1, 2);
      out.write(new byte[0]);

      byte[] room = {9, 9, 9, 9};
      assertEquals(0xff, in.read());
      assertEquals(0, in.read(room, 4, 0));
      assertEquals(2, in.readNBytes(room, 1, 2));
      assertArrayEquals(new byte[] {9, 2, 3, 9}, room);
      assertThrows(IndexOutOfBoundsException.class, () -> in.read(room, 3, 2));
      assertThrows(IndexOutOfBoundsException.class, () -> out.write(room, -1, 2));
      pair.client().shutdown();
      assertEquals(-1, in.read());
      assertEquals(-1, in.read(room));
    }
  }

  @Test
  void aClosedStreamIsAnIoExceptionThere() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      InputStream in = pair.server().input();
      OutputStream out = pair.server().output();
      Coroutine<Integer> reading = Coroutine.spawn(() -> in.read());
      Coroutine.pause();
      in.close();

      assertThrows(AsynchronousCloseException.class, reading::await);
      assertThrows(ClosedChannelException.class, in::read);
      assertThrows(ClosedChannelException.class, () -> out.write(1));
      in.close();
      out.close();
    }
  }

  @Test
  void aResetIsTheStreamsFailure() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.reset();

      UvException failure = assertThrows(UvException.class, () -> peer.stream().input().read());

      assertEquals("ECONNRESET", failure.code());
    }
  }

  @Test
  void aReadThatIsLeftLosesNothing() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      InputStream in = peer.stream().input();
      assertThrows(
          TimeoutException.class, () -> Time.timeout(Duration.ofMillis(10), () -> in.read()));
      Coroutine<Integer> cancelled = Coroutine.spawn(() -> in.read());
      Coroutine.pause();
      cancelled.cancel();
      assertThrows(CancellationException.class, cancelled::await);
      peer.send("all");

      assertArrayEquals("all".getBytes(UTF_8), in.readNBytes(3));
    }
  }

  @Test
  void transferToPassesOn() throws Exception {
    byte[] sent = Bytes.pattern(100_000);
    try (TcpPair one = TcpPair.open();
        TcpPair two = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            one.client().output().write(sent);
            one.client().close();
          });
      Coroutine.spawn(
          () -> {
            one.server().input().transferTo(two.client().output());
            two.client().close();
          });

      assertArrayEquals(sent, two.server().input().readAllBytes());
    }
  }
}
