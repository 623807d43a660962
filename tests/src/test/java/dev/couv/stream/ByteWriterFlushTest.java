// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static dev.couv.stream.Writers.awaitNothingPending;
import static dev.couv.stream.Writers.pauses;
import static dev.couv.stream.Writers.turns;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.coro.Scope;
import dev.couv.coro.TaskGroup;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.net.Tcp;
import dev.couv.testing.InLoop;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Whatever is written goes out, whoever leaves it.
final class ByteWriterFlushTest {
  @InLoop
  @Test
  void whatIsWrittenBehindADrainGoesOutWithoutAFlush() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write("first");
      turns();
      out.write("second");
      turns();
      assertEquals(11, out.pending());

      Bytes.readFully(pair.second(), before);
      assertEquals("firstsecond", Bytes.readText(pair.second(), 11));
      awaitNothingPending(out);
    }
  }

  @InLoop
  @Test
  void aRequestBehindADrainIsAnswered() throws Exception {
    try (Pair pair = LocalStream.pair();
        var here = Framed.open(pair.first(), Framer.lines());
        var there = Framed.open(pair.second(), Framer.lines())) {
      Bytes.fill(pair.first());
      here.write(" is a line, too");
      turns();
      assertTrue(here.writer().pending() > 0);
      here.write("ping");
      Coroutine<?> server =
          Coroutine.spawn(
              () -> {
                while (!"ping".equals(there.read())) {}
                there.write("pong");
              });

      assertEquals("pong", here.read());
      server.await();
    }
  }

  /// The turn to flush has come to him, and he leaves instead.
  @InLoop
  @Test
  void aFlusherThatIsResumedLeavesNothingBehind() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write("first");
      Coroutine<?> first = Coroutine.spawn(out::flush);
      Coroutine.pause();
      Coroutine<String> second =
          Coroutine.spawn(
              () -> {
                try {
                  out.flush();
                  return "flushed";
                } catch (Resumed left) {
                  return "left";
                }
              });
      pauses(2);
      out.write("second");
      Coroutine<byte[]> reader = Coroutine.spawn(() -> Bytes.readFully(pair.second(), before + 11));
      Coroutines.pauseUntilReady(second);
      second.resume();

      assertEquals("left", second.await());
      first.await();
      assertEquals("firstsecond", new String(reader.await(), before, 11, UTF_8));
      awaitNothingPending(out);
    }
  }

  @InLoop
  @Test
  void whatAResumedFlusherWasWritingGoesOut() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write("data");
      Coroutine<?> flusher = Coroutine.spawn(() -> assertThrows(Resumed.class, out::flush));
      turns();
      flusher.resume();
      flusher.await();

      Bytes.readFully(pair.second(), before);
      assertEquals("data", Bytes.readText(pair.second(), 4));
      awaitNothingPending(out);
    }
  }

  @InLoop
  @Test
  @SuppressWarnings("try")
  void whoeverIsCancelledCanStillSayGoodbye() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      AtomicReference<ByteWriter> writer = new AtomicReference<>();
      try (Scope scope = Scope.open()) {
        scope.spawn(
            () -> {
              ByteWriter out = ByteWriter.of(pair.first());
              writer.set(out);
              try {
                Coroutine.halt();
              } finally {
                out.write("good");
                Coroutine.protect(
                    () -> {
                      turns();
                      Bytes.readFully(pair.second(), before);
                      out.write("bye");
                      awaitNothingPending(out);
                    });
              }
            });
        Coroutine.pause();
        scope.cancel();
      }
      assertEquals(0, writer.get().pending());
      assertEquals("goodbye", Bytes.readText(pair.second(), 7));
    }
  }

  @InLoop
  @Test
  @SuppressWarnings("try")
  void aWriterOutlivesTheScopeItWasMadeIn() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      AtomicReference<ByteWriter> writer = new AtomicReference<>();
      try (Scope scope = Scope.open()) {
        scope.spawn(() -> writer.set(ByteWriter.of(pair.first())));
      }
      int before = Bytes.fill(pair.first());
      ByteWriter out = writer.get();
      out.write("hello");
      turns();
      Bytes.readFully(pair.second(), before);
      out.write(" world");
      out.flush();
      assertEquals("hello world", Bytes.readText(pair.second(), 11));
    }
  }

  @InLoop
  @Test
  @SuppressWarnings("try")
  void aGroupHasNoMemberThatItDidNotSpawn() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      try (var group = TaskGroup.<String>open().limit(1)) {
        group.spawn(
            () -> {
              ByteWriter.of(pair.first()).write("x");
              turns();
              return "done";
            });
        assertEquals(List.of("done"), group.all());
      }
      Bytes.readFully(pair.second(), before);
      assertEquals("x", Bytes.readText(pair.second(), 1));
    }
  }

  @Test
  void whatWasWrittenInAResumeOutsideARunGoesOut() throws Exception {
    try (var server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress("127.0.0.1", 0));
      var address = (InetSocketAddress) server.getLocalAddress();
      try (Loop loop = Loop.open()) {
        AtomicBoolean connected = new AtomicBoolean();
        Coroutine<?> writer =
            loop.spawn(
                () -> {
                  var stream = Tcp.connect(address);
                  ByteWriter out = ByteWriter.of(stream);
                  connected.set(true);
                  Coroutine.yield();
                  out.write("resumed");
                  Coroutine.yield();
                });
        while (!connected.get()) {
          loop.run(Mode.STEP);
        }
        loop.run(Mode.READY);
        writer.resume();
      }
      try (var peer = server.accept()) {
        ByteBuffer read = ByteBuffer.allocate(16);
        while (peer.read(read) >= 0) {}
        assertEquals("resumed", UTF_8.decode(read.flip()).toString());
      }
    }
  }
}
