// SPDX-License-Identifier: Apache-2.0
package dev.couv.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Status;
import dev.couv.fs.Fifo;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.fs.Watch;
import dev.couv.net.Local;
import dev.couv.net.LocalStream;
import dev.couv.net.Tcp;
import dev.couv.net.Udp;
import dev.couv.process.Child;
import dev.couv.process.Command;
import dev.couv.process.Stdio;
import dev.couv.sync.Chan;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever handles I/O catches `IOException` and has caught everything that can happen to what it uses.
@InLoop
final class ClosedFailuresTest {
  private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);

  @TempDir Path dir;

  @Test
  void aClosedStreamFailsAsAJdkChannelDoes() throws Exception {
    var pair = LocalStream.pair();
    var stream = pair.first();
    isClosedLikeAChannel(stream, stream::read);
    closedBefore(() -> stream.read(ByteBuffer.allocate(1)));
    closedBefore(() -> done(() -> stream.readFully(ByteBuffer.allocate(1))));
    closedBefore(() -> done(() -> stream.write(ByteBuffer.allocate(1))));
    closedBefore(() -> stream.tryWrite(ByteBuffer.allocate(1)));
    closedBefore(() -> done(stream::shutdown));
    closedBefore(stream::pending);
    closedBefore(stream::descriptor);
    closedBefore(() -> done(() -> stream.unread(ByteBuffer.allocate(1))));
    pair.second().close();
  }

  @Test
  void aWriterThatWaitsForItsTurnFailsLikewise() throws Exception {
    var pair = LocalStream.pair();
    var much = ByteBuffer.allocate(1 << 23);
    var first = Coroutine.spawn(() -> done(() -> pair.first().write(much)));
    var second = Coroutine.spawn(() -> done(() -> pair.first().write(ByteBuffer.allocate(1))));
    Coroutine.pause();
    pair.first().close();

    assertThrows(AsynchronousCloseException.class, first::await);
    assertThrows(AsynchronousCloseException.class, second::await);
    pair.second().close();
  }

  @Test
  void soDoListenersAndSockets() throws Exception {
    var tcp = Tcp.listen(ANY);
    isClosedLikeAChannel(tcp, tcp::accept);
    var local = Local.listen(dir.resolve("socket"));
    isClosedLikeAChannel(local, local::accept);
    var udp = Udp.bind(ANY);
    isClosedLikeAChannel(udp, () -> udp.receive(ByteBuffer.allocate(1)));
    closedBefore(() -> done(() -> udp.send(ByteBuffer.allocate(1), ANY)));
    closedBefore(udp::pending);
  }

  @Test
  void soDoFilesListingsAndWatches() throws Exception {
    var file = Fs.open(dir.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    file.close();
    closedBefore(() -> done(() -> file.write(ByteBuffer.allocate(1))));
    closedBefore(file::info);
    closedBefore(file::descriptor);
    var listing = Fs.list(dir);
    listing.close();
    closedBefore(listing::next);
    var watch = Watch.path(dir);
    isClosedLikeAChannel(watch, watch::next);
    var polled = Watch.poll(dir, Duration.ofSeconds(1));
    isClosedLikeAChannel(polled, polled::next);
  }

  @Test
  void soDoesAFileThatAThreadIsInside() throws Exception {
    Path pipe = Fifo.in(dir);
    OpenFile file = Fs.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try (var other = Fs.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      isClosedLikeAChannel(file, file::read);
      other.write(ByteBuffer.allocate(1)); // the thread comes back
    }
  }

  @Test
  void soDoesAChildsStream() throws Exception {
    try (Child child = Command.of("sleep", "1000").stdout(Stdio.pipe()).start()) {
      var out = child.stdout();
      isClosedLikeAChannel(out, out::read);
    }
  }

  @Test
  void theMessageTellsWhatWasClosed() throws Exception {
    var listener = Tcp.listen(ANY);
    String name = listener.toString();
    listener.close();

    var closed = assertThrows(ClosedChannelException.class, listener::accept);

    assertEquals(name + " is closed", closed.getMessage());
    assertEquals(
        "java.nio.channels.ClosedChannelException: " + name + " is closed", closed.toString());
  }

  @Test
  void whatIsNoIoStaysUnchecked() throws Exception {
    Chan<String> chan = Chan.create(0);
    chan.close();
    assertThrows(ClosedException.class, chan::receive);
    var watch = Watch.path(dir);
    watch.close();
    assertThrows(ClosedException.class, watch::await, "as an event among others");
  }

  @FunctionalInterface
  private interface IoAction {
    void run() throws IOException;
  }

  private static boolean done(IoAction action) throws IOException {
    action.run();
    return true;
  }

  private static void isClosedLikeAChannel(AutoCloseable closed, Body<?> use) throws Exception {
    var waiting = Coroutine.spawn(use::run);
    while (waiting.status() != Status.SUSPENDED) {
      Coroutine.pause();
    }
    closed.close();

    IOException thrown = assertThrows(IOException.class, waiting::await);
    assertEquals(AsynchronousCloseException.class, thrown.getClass().getSuperclass());
    closedBefore(use);
  }

  private static void closedBefore(Body<?> use) {
    IOException thrown = assertThrows(IOException.class, use::run);
    assertTrue(thrown instanceof ClosedChannelException, thrown::toString);
    assertTrue(!(thrown instanceof AsynchronousCloseException), thrown::toString);
  }
}
