// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Faults.inside;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BusyException;
import dev.couv.strand.Suspension;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import java.io.File;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long descriptors, native memory and the caller's buffers are in use: across closing, collection,
/// other threads and the end of the loop.
class FileLifetimeTest {
  @TempDir Path dir;

  /// How many descriptors lead to that file: independent of what the VM opens meanwhile.
  static long descriptorsOf(Path path) throws Exception {
    Path real = path.toRealPath();
    long count = 0;
    for (File each : Objects.requireNonNull(new File("/proc/self/fd").listFiles())) {
      try {
        count += Files.readSymbolicLink(each.toPath()).equals(real) ? 1 : 0;
      } catch (java.io.IOException gone) {
        count += 0;
      }
    }
    return count;
  }

  @InLoop
  @Test
  void aClosedReadLeavesTheBufferOnlyWhenItsThreadHasLeft() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "hello");
    OpenFile open = Fs.open(file);
    ByteBuffer buffer = ByteBuffer.allocateDirect(5);
    List<Object> log = new ArrayList<>();
    try (var _ = inside()) {
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                try {
                  open.read(buffer);
                } catch (ClosedChannelException e) {
                  log.add(buffer.get(0)); // the thread has written what it writes
                }
              });
      Coroutine.pause();
      open.close();
      reader.await();
    }
    assertEquals(List.of((byte) 'h'), log);
    assertEquals(0, descriptorsOf(file));
  }

  @InLoop
  @Test
  void whatALeftReadOfAPipeBringsGoesToTheNextReader() throws Exception {
    Path fifo = Fifo.in(dir);
    try (var writer = Loop.offload(() -> new RandomAccessFile(fifo.toFile(), "rw"));
        OpenFile open = Fs.open(fifo)) {
      ByteBuffer buffer = ByteBuffer.allocate(5);
      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(5), () -> open.read(buffer)));
      Coroutine<Integer> next = Coroutine.spawn(() -> open.read(buffer));
      Coroutine.pause();

      writer.write("hello".getBytes());

      assertEquals(5, next.await());
      assertEquals("hello", new String(buffer.array()));
    }
  }

  @InLoop
  @Test
  void closingWakesOneWhoWaitsForALeftRead() throws Exception {
    Path fifo = Fifo.in(dir);
    try (var writer = Loop.offload(() -> new RandomAccessFile(fifo.toFile(), "rw"))) {
      OpenFile open = Fs.open(fifo);
      ByteBuffer buffer = ByteBuffer.allocate(5);
      try (var _ = inside()) {
        Coroutine<Integer> first = Coroutine.spawn(() -> open.read(buffer));
        Coroutine.pause();
        first.cancel();
        assertThrows(CancellationException.class, first::await);
      }
      Coroutine<Integer> next = Coroutine.spawn(() -> open.read(buffer));
      Coroutine.pause();
      assertThrows(IllegalStateException.class, () -> open.readNow(buffer));

      open.close();

      assertThrows(AsynchronousCloseException.class, next::await);
      writer.write("x".getBytes()); // lets the thread go
    }
  }

  @Test
  void aFileClosedUnderABlockingCallIsClosedWhenThatEnds() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "hello");
    OpenFile open = Fs.openNow(file);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    MethodHandle real = NativeCalls.target("uv_fs_fstat");
    MethodHandle halting =
        MethodHandles.foldArguments(
            real,
            MethodHandles.dropArguments(
                MethodHandles.lookup()
                    .findVirtual(
                        Runnable.class, "run", java.lang.invoke.MethodType.methodType(void.class))
                    .bindTo(
                        (Runnable)
                            () -> {
                              entered.countDown();
                              try {
                                goOn.await();
                              } catch (InterruptedException e) {
                                throw new AssertionError(e);
                              }
                            }),
                0,
                real.type().parameterList()));
    AtomicReference<Object> seen = new AtomicReference<>();
    try (var _ = NativeCalls.replace("uv_fs_fstat", halting)) {
      Thread asker =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      seen.set(open.infoNow().size());
                    } catch (Throwable e) {
                      seen.set(e);
                    }
                  });
      entered.await();
      open.close();
      assertFalse(open.isOpen());
      assertEquals(1, descriptorsOf(file), "the number must not be another file's yet");
      goOn.countDown();
      asker.join();
    }

    assertEquals(5L, seen.get());
    assertEquals(0, descriptorsOf(file));
  }

  @Test
  void aFileThatIsCollectedIsClosed() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    for (int i = 0; i < 10; i++) {
      assertEquals(0, Fs.openNow(file).infoNow().size()); // also if that is its last use
    }
    while (descriptorsOf(file) > 0) {
      System.gc();
      Thread.onSpinWait();
    }
  }

  @Test
  void aFileOutlivesItsLoopAndCanBeClosedThen() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "hello");
    AtomicReference<OpenFile> kept = new AtomicReference<>();
    Loop.run(() -> kept.set(Fs.open(file)));

    OpenFile open = kept.get();
    assertEquals(5, open.sizeNow());
    Loop.run(() -> assertEquals(5, open.size()));
    open.close();

    assertEquals(0, descriptorsOf(file));
  }

  @Test
  void requestsInFlightWhenTheLoopIsHaltedEndWithIt() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "hello");
    List<Object> log = new ArrayList<>();
    OpenFile open =
        Loop.run(
            () -> {
              OpenFile used = Fs.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
              List<Action> requests =
                  List.of(
                      () -> Fs.open(file),
                      () -> Fs.list(dir),
                      () -> used.read(ByteBuffer.allocateDirect(5), 0),
                      () -> Fs.makeTempFile(dir, "late"));
              for (int i = 0; i < 20; i++) {
                Action request = requests.get(i % requests.size());
                Coroutine.spawn(
                    () -> {
                      try {
                        request.run();
                        log.add("ended");
                      } catch (Cancelled e) {
                        log.add("cancelled");
                        throw e;
                      }
                    });
              }
              Coroutine.pause();
              assertEquals(15, Loop.current().stats().requests());
              assertEquals(5, Suspension.loop("test").stats().outsideWork());
              Loop.current().halt();
              return used;
            });

    assertEquals(Collections.nCopies(20, "cancelled"), log);
    assertEquals(1, descriptorsOf(file), "the one that was open before");
    assertEquals(5, open.sizeNow());
    open.close();
    assertEquals(0, descriptorsOf(file));
    try (var left = Files.list(dir)) {
      assertEquals(List.of(file), left.toList(), "and no temporary file that came late");
    }
  }

  @Test
  void aTemporaryDirectoryThatComesLateIsRemoved() throws Exception {
    Loop.run(
        () -> {
          try (var _ = inside()) {
            Coroutine<?> maker = Coroutine.spawn(() -> Fs.makeTempDir(dir, "late"));
            Coroutine.pause();
            maker.cancel();
            assertThrows(CancellationException.class, maker::await);
          }
        });

    try (var left = Files.list(dir)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void aListingHasOneUserAndItsOwnLoop() throws Exception {
    LargeDirectory.fill(dir);
    AtomicReference<Listing> kept = new AtomicReference<>();
    Loop.run(
        () -> {
          Listing entries = Fs.list(dir);
          LargeDirectory.takeFirst(entries);
          kept.set(entries);
          Coroutine<DirEntry> first = Coroutine.spawn(entries::next);
          Coroutine.pause();
          assertThrows(BusyException.class, entries::next);
          assertTrue(first.await().name().startsWith("file"));
          Loop.offload(
              () -> {
                assertThrows(IllegalStateException.class, entries::next);
                assertThrows(IllegalStateException.class, entries::close);
                return null;
              });
        });
    kept.get().close(); // its loop is gone: anybody may
  }

  @InLoop
  @Test
  void appendingDoesNotMoveWhereReadingGoesOn() throws Exception {
    Path file = Files.writeString(dir.resolve("log"), "one");
    try (OpenFile open = Fs.open(file, StandardOpenOption.READ, StandardOpenOption.APPEND)) {
      open.write(ByteBuffer.wrap("two".getBytes()));
      ByteBuffer all = ByteBuffer.allocate(10);
      assertEquals(6, open.read(all));
      assertEquals("onetwo", new String(all.array(), 0, 6));
      assertEquals(-1, open.read(all));
    }
  }

  @Test
  void aTimeBeyondTheJdksIsToldAsItsLast() throws Exception {
    Path memory = Path.of("/dev/shm");
    Path file = Files.createTempFile(Files.isDirectory(memory) ? memory : dir, "time", "");
    try {
      assertEquals(
          0,
          new ProcessBuilder("touch", "-m", "-d", "@9000000000000000000", file.toString())
              .start()
              .waitFor());
      Loop.run(() -> assertTrue(Fs.info(file).modified().getEpochSecond() > 1L << 32));
    } finally {
      Files.delete(file);
    }
  }
}
