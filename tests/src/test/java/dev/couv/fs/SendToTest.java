// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.UvException;
import dev.couv.loop.CallCount;
import dev.couv.net.TcpPair;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import dev.couv.testing.Tries;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A file on its way to a peer that does not read, which is left: what has gone is known, and nobody has
/// anything that is not his.
class SendToTest {
  /// More than the kernel keeps for a socket.
  private static final int SIZE = 16 << 20;

  private static final byte[] CONTENT = new byte[SIZE];

  static {
    new Random(7).nextBytes(CONTENT);
  }

  private static Path path;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong senders = new AtomicLong();

  @BeforeAll
  static void write(@TempDir Path dir) throws IOException {
    path = Files.write(dir.resolve("file"), CONTENT);
  }

  /// How it is left.
  enum Leaving {
    CANCELLED,
    RESUMED,
    FILE_CLOSED,
    STREAM_CLOSED;

    void leave(Coroutine<Long> sender, OpenFile file, ByteStream stream) throws Exception {
      Class<? extends Throwable> expected =
          switch (this) {
            case CANCELLED -> CancellationException.class;
            case RESUMED -> Resumed.class;
            case FILE_CLOSED, STREAM_CLOSED -> ClosedChannelException.class;
          };
      Throwable thrown =
          assertThrows(
              expected,
              () -> {
                switch (this) {
                  case CANCELLED -> sender.cancel();
                  case RESUMED -> sender.resume();
                  case FILE_CLOSED -> file.close();
                  case STREAM_CLOSED -> stream.close();
                }
                sender.await();
              });
      if (thrown instanceof ClosedChannelException) {
        Object closed = this == FILE_CLOSED ? file : stream;
        assertTrue(thrown.getMessage().startsWith(closed.toString()), thrown.getMessage());
      }
    }
  }

  private Coroutine<Long> send(OpenFile file, ByteStream stream) {
    return Coroutine.spawn(() -> file.sendTo(stream, 0, SIZE, sent::set));
  }

  /// What was told is there, and then comes what is written next.
  private void assertPeerGetsWhatWasTold(TcpPair pair) throws Exception {
    long told = sent.get();
    Coroutine<?> next =
        Coroutine.spawn(
            () -> {
              pair.server().write(ByteBuffer.wrap("next".getBytes()));
              pair.server().shutdown();
            });
    byte[] received = readAll(pair.client());
    next.await();

    assertEquals(told + 4, received.length);
    assertArrayEquals(
        Arrays.copyOf(CONTENT, (int) told), Arrays.copyOf(received, (int) told), "as in the file");
    assertEquals("next", new String(received, (int) told, 4));
    assertEquals(told, sent.get(), "nothing is told afterwards");
  }

  private static byte[] readAll(ByteStream from) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    while (from.read(buffer.clear()) >= 0) {
      all.write(buffer.array(), 0, buffer.position());
    }
    return all.toByteArray();
  }

  /// The system tells that it would have to wait for the disk.
  private static AutoCloseable onDisk() {
    return NativeCalls.replace("preadv2", NativeCalls.failing("preadv2", UvErrors.UV_EAGAIN));
  }

  private static long descriptors() throws IOException {
    Path real = path.toRealPath();
    long count = 0;
    for (File each : Objects.requireNonNull(new File("/proc/self/fd").listFiles())) {
      try {
        count += Files.readSymbolicLink(each.toPath()).equals(real) ? 1 : 0;
      } catch (IOException gone) {
        count += 0; // the one that lists them
      }
    }
    return count;
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void whatWasSentIsKnownWhenItIsLeftWhileThePeerDoesNotRead(Leaving leaving) throws Exception {
    try (TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path)) {
      Coroutine<Long> sender = send(file, pair.server());
      while (pair.server().pending() == 0) {
        Coroutine.pause();
      }
      leaving.leave(sender, file, pair.server());

      assertTrue(sent.get() > 0 && sent.get() < SIZE, () -> sent + " bytes");
      assertEquals(leaving != Leaving.FILE_CLOSED, file.isOpen());
      assertEquals(leaving != Leaving.STREAM_CLOSED, pair.server().isOpen());
      assertEquals(leaving == Leaving.FILE_CLOSED ? 0 : 1, descriptors());
      if (leaving != Leaving.STREAM_CLOSED) {
        assertPeerGetsWhatWasTold(pair);
      }
      if (leaving != Leaving.FILE_CLOSED) {
        assertEquals(SIZE, file.size());
      }
    }
  }

  /// Another thread has the file and the socket: both are given back when it has left.
  @InLoop
  @ParameterizedTest
  @EnumSource
  void whatWasSentIsKnownWhenItIsLeftInsideTheKernel(Leaving leaving) throws Exception {
    try (var _ = onDisk();
        TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path)) {
      Coroutine<Long> sender = send(file, pair.server());
      Coroutine.pause();
      assertEquals(0, sent.get(), "it has just begun");
      leaving.leave(sender, file, pair.server());

      assertEquals(leaving == Leaving.FILE_CLOSED ? 0 : 1, descriptors());
      assertTrue(sent.get() > 0 && sent.get() < SIZE, () -> sent + " bytes");
      if (leaving != Leaving.STREAM_CLOSED) {
        assertPeerGetsWhatWasTold(pair);
      }
    }
  }

  @InLoop
  @Test
  void theKernelMovesTheBytes() throws Exception {
    try (TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path);
        CallCount inside = new CallCount("sendfile");
        CallCount through = new CallCount("uv_fs_read")) {
      assertEquals(100_000, file.sendTo(pair.server(), 5, 100_000));
      assertEquals(1, inside.get());
      assertEquals(0, through.get());
      ByteBuffer received = ByteBuffer.allocate(100_000);
      pair.client().readFully(received);
      assertArrayEquals(Arrays.copyOfRange(CONTENT, 5, 100_005), received.array());
    }
  }

  /// What is in the system's memory is sent by the loop's own thread, in pieces between which others run; what may have to come from a disk is
  /// sent by another one, and the loop goes on meanwhile.
  @InLoop
  @Test
  void theLoopWaitsForNoDisk() throws Exception {
    List<Thread> senders = new CopyOnWriteArrayList<>();
    MethodHandle note =
        MethodHandles.lookup()
            .findStatic(SendToTest.class, "note", MethodType.methodType(void.class, List.class));
    try (TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path);
        var _ =
            NativeCalls.replace(
                "sendfile",
                MethodHandles.foldArguments(
                    NativeCalls.target("sendfile"), note.bindTo(senders)))) {
      ByteBuffer received = ByteBuffer.allocate(100_000);
      assertEquals(100_000, file.sendTo(pair.server(), 5, 100_000));
      pair.client().readFully(received);
      Thread here = senders.getFirst();
      try (var _ = onDisk()) {
        assertEquals(100_000, file.sendTo(pair.server(), 5, 100_000));
        pair.client().readFully(received.clear());
      }
      assertEquals(2, senders.size());
      assertNotEquals(here, senders.getLast());
      assertTrue(senders.getLast().getName().startsWith("couv-sendfile"), senders::toString);
      assertFalse(here.getName().startsWith("couv-sendfile"), senders::toString);
    }
  }

  private static void note(List<Thread> senders) {
    senders.add(Thread.currentThread());
  }

  @InLoop
  @Test
  void othersRunBetweenThePiecesOfALargeFile() throws Exception {
    AtomicLong turns = new AtomicLong();
    try (TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path)) {
      pair.server().sendBuffer(SIZE);
      Coroutine<Long> sender = send(file, pair.server());
      Coroutine<?> other =
          Coroutine.spawn(
              () -> {
                while (sent.get() < SIZE) {
                  turns.incrementAndGet();
                  Coroutine.pause();
                }
              });
      byte[] received = new byte[SIZE];
      pair.client().readFully(ByteBuffer.wrap(received));
      other.await();
      assertArrayEquals(CONTENT, received);
      assertTrue(turns.get() >= 2, turns + " turns beside " + (SIZE >> 20) + " MiB");
    }
  }

  @InLoop
  @Test
  void theBytesBeforeTheFileComeFirst() throws Exception {
    for (boolean disk : new boolean[] {false, true}) {
      try (TcpPair pair = TcpPair.open();
          OpenFile file = Fs.open(path);
          var _ = disk ? onDisk() : (AutoCloseable) () -> {}) {
        ByteBuffer head = ByteBuffer.wrap("head".getBytes());
        assertEquals(9, file.sendTo(pair.server(), head, 5, 9, sent::set));
        assertFalse(head.hasRemaining());
        assertEquals(9, sent.get(), "of the file");
        ByteBuffer none = ByteBuffer.wrap("nothing".getBytes());
        assertEquals(0, file.sendTo(pair.server(), none, 5, 0, sent::set));
        ByteBuffer received = ByteBuffer.allocate(4 + 9 + 7);
        pair.client().readFully(received);
        assertEquals("head", new String(received.array(), 0, 4));
        assertArrayEquals(
            Arrays.copyOfRange(CONTENT, 5, 14), Arrays.copyOfRange(received.array(), 4, 13));
        assertEquals("nothing", new String(received.array(), 13, 7));
      }
    }
  }

  @InLoop
  @Test
  void aHeadThatTheSystemRefusesWithMoreGoesTheOrdinaryWay() throws Exception {
    int code = UvErrors.code("ENOTSOCK");
    try (TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path);
        var _ = NativeCalls.replace("send", NativeCalls.failing("send", code))) {
      assertEquals(
          9, file.sendTo(pair.server(), ByteBuffer.wrap("head".getBytes()), 5, 9, sent::set));
      ByteBuffer received = ByteBuffer.allocate(13);
      pair.client().readFully(received);
      assertEquals("head", new String(received.array(), 0, 4));
    }
  }

  /// Some of the kernel's own files, and what is mounted from programs.
  @InLoop
  @Test
  void aFileThatTheKernelCannotSendGoesThroughThisProcess() throws Exception {
    int code = UvErrors.code("EINVAL");
    try (TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path);
        var _ = NativeCalls.replace("sendfile", NativeCalls.failing("sendfile", code))) {
      assertEquals(100_000, file.sendTo(pair.server(), 5, 100_000));
      ByteBuffer received = ByteBuffer.allocate(100_000);
      pair.client().readFully(received);
      assertArrayEquals(Arrays.copyOfRange(CONTENT, 5, 100_005), received.array());
    }
  }

  @InLoop
  @Test
  void aRefusalIsToldWithBothNames() throws Exception {
    int code = UvErrors.code("EIO");
    try (TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path)) {
      try (var _ = NativeCalls.replace("sendfile", NativeCalls.failing("sendfile", code))) {
        UvException thrown =
            assertThrows(UvException.class, () -> file.sendTo(pair.server(), 0, SIZE));
        assertEquals("sendfile", thrown.call());
        assertEquals(path + " -> " + pair.server(), thrown.subject());
      }
      assertPeerGetsWhatWasTold(pair);
    }
  }

  @InLoop
  @Test
  void closingTheFileEndsTheWaitForATurn() throws Exception {
    OpenFile file = Fs.open(path);
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> first = Coroutine.spawn(() -> pair.server().write(ByteBuffer.wrap(CONTENT)));
      while (pair.server().pending() == 0) {
        Coroutine.pause();
      }
      Coroutine<Long> sender = send(file, pair.server());
      Coroutine<?> last =
          Coroutine.spawn(() -> pair.server().write(ByteBuffer.wrap("last".getBytes())));
      Coroutine.pause();

      file.close();

      assertThrows(AsynchronousCloseException.class, sender::await);
      ByteBuffer received = ByteBuffer.allocate(SIZE + 4);
      pair.client().readFully(received);
      first.await();
      last.await();
      assertEquals("last", new String(received.array(), SIZE, 4));
      assertEquals(0, sent.get());
    }
  }

  @InLoop
  @Test
  void aPeerThatGoesAwayIsToldAndTheFileStays() throws Exception {
    try (TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path)) {
      Coroutine<Long> sender = send(file, pair.server());
      while (pair.server().pending() == 0) {
        Coroutine.pause();
      }
      pair.client().close();

      assertThrows(IOException.class, sender::await);
      assertTrue(sent.get() < SIZE, () -> sent + " bytes");
      assertEquals(SIZE, file.size());
    }
  }

  /// The bytes pass through this process then, and the same is told.
  @InLoop
  @Test
  void toWhatIsNoSocketItIsKnownToo() throws Exception {
    try (OpenFile file = Fs.open(path);
        OpenFile full = Fs.open(Path.of("/dev/full"), java.nio.file.StandardOpenOption.WRITE);
        OpenFile nothing = Fs.open(Path.of("/dev/null"), java.nio.file.StandardOpenOption.WRITE)) {
      assertThrows(IOException.class, () -> file.sendTo(full, 0, SIZE, sent::set));
      assertEquals(0, sent.get());
      assertEquals(SIZE - 5, file.sendTo(nothing, 5, SIZE, sent::set));
      assertEquals(SIZE - 5, sent.get());
    }
  }

  /// When the grace of a loop is over, nothing is protected any more. A call that no thread has begun
  /// never begins; those that one is inside have their descriptors as long as that lasts.
  @Test
  void aLoopThatCannotWaitLeavesItsCalls() throws Exception {
    CountDownLatch inside = new CountDownLatch(4);
    CountDownLatch over = new CountDownLatch(1);
    MethodHandle waiting =
        MethodHandles.lookup()
            .findStatic(
                SendToTest.class,
                "await",
                MethodType.methodType(void.class, CountDownLatch.class, CountDownLatch.class));
    try (CallCount calls = new CallCount("sendfile");
        var _ = onDisk();
        var _ =
            NativeCalls.replace(
                "sendfile",
                MethodHandles.foldArguments(
                    NativeCalls.target("sendfile"),
                    MethodHandles.insertArguments(waiting, 0, inside, over)))) {
      Loop.run(
          () -> {
            for (int i = 0; i < 4; i++) {
              Coroutine.spawn(this::sendOnce);
            }
            while (inside.getCount() > 0) {
              Coroutine.pause();
            }
            Coroutine.spawn(this::sendOnce);
            while (senders.get() < 5) {
              Coroutine.pause();
            }
            for (int i = 0; i < 10; i++) {
              Coroutine.pause(); // by then it is in the queue of the threads
            }
            Loop.current().shutdown(Duration.ZERO);
            Coroutine.halt();
          });

      assertEquals(4, descriptors());
      over.countDown();
      long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (descriptors() > 0 && System.nanoTime() < patience) {
        Thread.sleep(1);
      }
      assertEquals(0, descriptors());
      assertEquals(4, calls.get());
    }
  }

  private void sendOnce() throws Exception {
    try (TcpPair pair = TcpPair.open();
        OpenFile file = Fs.open(path)) {
      senders.incrementAndGet();
      file.sendTo(pair.server(), 0, 10);
    }
  }

  private static void await(CountDownLatch inside, CountDownLatch over) {
    inside.countDown();
    while (over.getCount() > 0) {
      try {
        over.await();
      } catch (InterruptedException e) {
        // The system's call does not heed it.
      }
    }
  }

  /// The system keeps what more is to follow for a fifth of a second.
  @InLoop
  @Test
  void aHeadInFrontOfNothingLeavesAtOnce(@TempDir Path dir) throws Exception {
    Path empty = Files.createFile(dir.resolve("empty"));
    try (TcpPair pair = TcpPair.open();
        OpenFile none = Fs.open(empty);
        OpenFile some = Fs.open(path)) {
      Tries.oneOf(10, () -> leavesAtOnce(pair, none, 0, 0));
      Tries.oneOf(10, () -> leavesAtOnce(pair, none, 0, 100));
      Tries.oneOf(10, () -> leavesAtOnce(pair, some, SIZE, 100));
    }
  }

  private static void leavesAtOnce(TcpPair pair, OpenFile file, long offset, long length)
      throws IOException {
    long begun = System.nanoTime();
    assertEquals(
        0, file.sendTo(pair.server(), ByteBuffer.wrap(new byte[7]), offset, length, _ -> {}));
    pair.client().readFully(ByteBuffer.allocate(7));
    assertTrue(System.nanoTime() - begun < 150_000_000);
  }
}
