// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Faults.inside;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.testing.InLoop;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Leaving a request to the file system at any moment: before a thread has taken it up, and after.
/// That a thread has it is made certain by refusing to revoke it, as libuv does then.
class FileCancellationTest {
  @TempDir Path dir;

  /// Cancels the body in its first await, and returns what it noted.
  private static void cancelled(List<Object> log, dev.couv.coro.Action body) throws Exception {
    Coroutine<?> coroutine =
        Coroutine.spawn(
            () -> {
              try {
                body.run();
                log.add("done");
              } catch (Cancelled e) {
                log.add("cancelled");
                throw e;
              }
            });
    Coroutine.pause();
    coroutine.cancel();
    assertThrows(CancellationException.class, coroutine::await);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDescriptorThatComesLateIsClosed(boolean inside) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    List<Object> log = new ArrayList<>();
    Loop.run(
        () -> {
          try (var _ = inside ? inside() : null) {
            cancelled(log, () -> Fs.open(file));
          }
        });

    assertEquals(List.of("cancelled"), log); // and the leak check sees no descriptor
  }

  @Test
  void aTemporaryFileThatComesLateIsRemoved() throws Exception {
    List<Object> log = new ArrayList<>();
    Loop.run(
        () -> {
          try (var _ = inside()) {
            cancelled(log, () -> Fs.makeTempFile(dir, "late"));
          }
        });

    try (var left = Files.list(dir)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCancelledReadLosesNothingAndTouchesNothingAfterwards(boolean direct) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "hello, world");
    List<Object> log = new ArrayList<>();
    Loop.run(
        () -> {
          try (OpenFile open = Fs.open(file);
              var _ = inside()) {
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(5) : ByteBuffer.allocate(5);
            cancelled(log, () -> open.read(buffer));

            assertEquals(0, buffer.position());
            buffer.put("mine!".getBytes()).clear(); // libuv has left it
            Coroutine.pause();
            assertEquals('m', buffer.get(0));
            open.read(buffer);
            byte[] read = new byte[5];
            buffer.flip().get(read);
            assertEquals("hello", new String(read));
          }
        });

    assertEquals(List.of("cancelled"), log);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCancelledWriteTellsHowFarItCame(boolean direct) throws Exception {
    Path file = dir.resolve("file");
    List<Object> log = new ArrayList<>();
    Loop.run(
        () -> {
          try (OpenFile open = Fs.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
              var _ = inside()) {
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(5) : ByteBuffer.allocate(5);
            buffer.put("hello".getBytes()).flip();
            cancelled(log, () -> open.write(buffer));

            assertEquals(5, buffer.position(), "a thread was inside, and wrote it");
            open.write(ByteBuffer.wrap(", world".getBytes()));
          }
        });

    assertEquals(List.of("cancelled"), log);
    assertEquals("hello, world", Files.readString(file));
  }

  @InLoop
  @Test
  void aWriteThatIsRevokedWritesNothing() throws Exception {
    Path file = dir.resolve("file");
    Path fifo = Fifo.in(dir);
    try (OpenFile open = Fs.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      List<Coroutine<OpenFile>> blocking = occupyThreads(fifo);
      List<Object> log = new ArrayList<>();
      ByteBuffer buffer = ByteBuffer.wrap("hello".getBytes());
      cancelled(log, () -> open.write(buffer));

      assertEquals(0, buffer.position());
      assertEquals(0, Files.size(file));
      release(fifo, blocking);
    }
  }

  @InLoop
  @Test
  void aResumedReadEndsWithTheValuesAndIsNotLost() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "hello");
    try (OpenFile open = Fs.open(file)) {
      ByteBuffer buffer = ByteBuffer.allocate(5);
      Coroutine<Object> reader =
          Coroutine.spawn(
              () -> {
                try {
                  return open.read(buffer);
                } catch (Resumed e) {
                  return e.values();
                }
              });
      Coroutine.pause();
      reader.resume("instead");

      assertEquals(List.of("instead"), reader.await());
      assertEquals(5, open.read(buffer));
    }
  }

  @InLoop
  @Test
  void closingEndsWhatIsAwaitedAndWaitsForTheThreadInside() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "hello");
    Path fifo = Fifo.in(dir);
    OpenFile open = Fs.open(file);
    List<Coroutine<OpenFile>> blocking = occupyThreads(fifo);
    Coroutine<Integer> reader = Coroutine.spawn(() -> open.read(ByteBuffer.allocate(5)));
    Coroutine<FileInfo> asker = Coroutine.spawn(open::info);
    Coroutine.pause();

    open.close();

    assertThrows(AsynchronousCloseException.class, reader::await);
    assertThrows(AsynchronousCloseException.class, asker::await);
    assertFalse(open.isOpen());
    release(fifo, blocking);
  }

  @Test
  void aCancelledListingLosesNoEntry() throws Exception {
    LargeDirectory.fill(dir);
    List<Object> log = new ArrayList<>();
    Loop.run(
        () -> {
          try (Listing entries = Fs.list(dir);
              var _ = inside()) {
            LargeDirectory.takeFirst(entries);
            cancelled(log, entries::next);
            LargeDirectory.takeRest(entries);
          }
        });

    assertEquals(List.of("cancelled"), log);
  }

  /// Not begun by any thread, it brings none, which is not the end.
  @InLoop
  @Test
  void aListingWhoseRequestIsRevokedLosesNoEntry() throws Exception {
    Path listed = LargeDirectory.fill(Files.createDirectory(dir.resolve("listed")));
    Path fifo = Fifo.in(dir);
    try (Listing entries = Fs.list(listed)) {
      LargeDirectory.takeFirst(entries);
      List<Coroutine<OpenFile>> blocking = occupyThreads(fifo);
      Coroutine<DirEntry> reader = Coroutine.spawn(entries::next);
      Coroutine.pause();
      reader.cancel();
      assertThrows(CancellationException.class, reader::await);
      release(fifo, blocking);

      LargeDirectory.takeRest(entries);
    }
  }

  @InLoop
  @Test
  void closingAListingEndsItsAwaitAndItIsFreedLater() throws Exception {
    LargeDirectory.fill(dir);
    Path fifo = Fifo.in(Files.createDirectory(dir.resolve("apart")));
    Listing entries = Fs.list(dir);
    LargeDirectory.takeFirst(entries);
    List<Coroutine<OpenFile>> blocking = occupyThreads(fifo);
    Coroutine<DirEntry> reader = Coroutine.spawn(entries::next);
    Coroutine.pause();

    entries.close();

    assertThrows(AsynchronousCloseException.class, reader::await);
    release(fifo, blocking);
  }

  @Test
  void aListingThatIsAbandonedIsClosedWhenItIsCollected() throws Exception {
    LargeDirectory.fill(dir);
    int before = descriptors();
    Listing abandoned = Fs.listNow(dir);
    abandoned.next();
    assertEquals(before + 1, descriptors());
    abandoned = null;

    while (descriptors() > before) {
      System.gc();
      Thread.onSpinWait();
    }
  }

  private static int descriptors() {
    return java.util.Objects.requireNonNull(new java.io.File("/proc/self/fd").list()).length;
  }

  /// Keeps all of libuv's threads busy: nothing is taken up until [#release].
  private static List<Coroutine<OpenFile>> occupyThreads(Path fifo) {
    List<Coroutine<OpenFile>> blocking = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      blocking.add(Coroutine.spawn(() -> Fs.open(fifo)));
    }
    Coroutine.pause();
    return blocking;
  }

  private static void release(Path fifo, List<Coroutine<OpenFile>> blocking) throws Exception {
    try (var writer = Loop.offload(() -> new RandomAccessFile(fifo.toFile(), "rw"))) {
      for (Coroutine<OpenFile> each : blocking) {
        each.await().close();
      }
      assertTrue(writer.getFD().valid());
    }
  }
}
