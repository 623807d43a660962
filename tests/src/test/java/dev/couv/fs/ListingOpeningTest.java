// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Faults.before;
import static dev.couv.fs.Faults.failing;
import static dev.couv.fs.FileLifetimeTest.descriptorsOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.UvException;
import dev.couv.loop.PoolThreads;
import dev.couv.strand.Suspension;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A directory is opened and read in one go, on one thread: what becomes of it at every moment.
class ListingOpeningTest {
  @TempDir static Path large;

  @TempDir Path dir;

  @BeforeAll
  static void fill() throws IOException {
    LargeDirectory.fill(large);
  }

  /// A way into a call, which is held there until this is opened, or closed at the end of a test that has failed.
  private static final class Gate implements Runnable, AutoCloseable {
    private final AtomicInteger came = new AtomicInteger();
    private final CountDownLatch open = new CountDownLatch(1);

    @Override
    public void run() {
      came.incrementAndGet();
      Patience.await(open);
    }

    void awaitCome(int count) {
      Patience.until(() -> came.get() == count);
    }

    void open() {
      open.countDown();
    }

    @Override
    public void close() {
      open();
    }
  }

  private static void awaitDescriptors(long count, Path path) {
    Patience.until(
        () -> {
          try {
            return descriptorsOf(path) == count;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void theFirstEntriesComeWithTheOpeningWhichIsAllThatASmallDirectoryNeeds(BothWays way)
      throws Exception {
    Files.createFile(dir.resolve("one"));
    Files.createFile(dir.resolve("two"));
    way.run(
        () -> {
          Listing entries = way.fs("list", dir);
          try (var _ = failing("uv_fs_readdir", "EIO")) {
            assertEquals(0, descriptorsOf(dir));
            assertTrue(entries.next().isRegularFile());
            assertTrue(entries.next().isRegularFile());
            assertNull(entries.next());
            assertNull(entries.next());
          }
          entries.close();
        });
  }

  @ParameterizedTest
  @EnumSource
  void aLargeDirectoryStaysOpenUntilItIsClosed(BothWays way) throws Exception {
    way.run(
        () -> {
          Listing entries = way.fs("list", large);
          assertEquals(1, descriptorsOf(large));
          LargeDirectory.takeFirst(entries);
          LargeDirectory.takeRest(entries);
          assertEquals(1, descriptorsOf(large));
          entries.close();
          assertEquals(0, descriptorsOf(large));
        });
  }

  @ParameterizedTest
  @EnumSource
  void aDirectoryThatCannotBeReadIsClosedAgain(BothWays way) throws Exception {
    way.run(
        () -> {
          try (var _ = failing("uv_fs_readdir", "EIO")) {
            UvException thrown = assertThrows(UvException.class, () -> way.fs("list", dir));
            assertEquals("readdir " + dir, thrown.call() + " " + thrown.subject());
          }
          assertEquals(0, descriptorsOf(dir));
        });
  }

  /// The memory of a request, that of the entries, that of the request that reads them.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void withoutMemoryItIsClosedAgain(int nth) throws Exception {
    AtomicInteger left = new AtomicInteger(nth);
    MethodHandle real = NativeCalls.target("calloc");
    MethodHandle none =
        MethodHandles.dropArguments(
            MethodHandles.constant(long.class, 0L), 0, real.type().parameterList());
    MethodHandle nthTime =
        MethodHandles.guardWithTest(
            MethodHandles.dropArguments(
                MethodHandles.lookup()
                    .bind(
                        (java.util.function.BooleanSupplier) () -> left.decrementAndGet() == 0,
                        "getAsBoolean",
                        java.lang.invoke.MethodType.methodType(boolean.class)),
                0,
                real.type().parameterList()),
            none,
            real);
    try (var _ = NativeCalls.replace("calloc", nthTime)) {
      assertThrows(OutOfMemoryError.class, () -> Fs.listNow(dir));
    }

    assertEquals(0, descriptorsOf(dir));
    Fs.listNow(dir).close();
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"uv_fs_opendir", "uv_fs_readdir"})
  void whoeverIsCancelledLeavesAtOnceAndTheThreadClosesWhatItHas(String call) throws Exception {
    Gate gate = new Gate();
    try (gate;
        var _ = before(call, gate)) {
      Coroutine<Listing> lister = Coroutine.spawn(() -> Fs.list(large));
      Coroutine.pause();
      gate.awaitCome(1);
      lister.cancel();
      assertThrows(CancellationException.class, lister::await);
      assertEquals(
          0, Suspension.loop("test").stats().outsideWork(), "the loop does not wait for it");
      gate.open();
      awaitDescriptors(0, large);
    }
  }

  /// Before it has begun, in the middle, when it has come and nobody has it yet; by a cancellation, or instead of it.
  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoeverLeavesAtAnyTimeLeavesNothing(boolean resumed) throws Exception {
    for (int turns = 1, listed = 0; listed < 10; turns += 1 + turns / 4) {
      Coroutine<Boolean> lister =
          Coroutine.spawn(
              () -> {
                try (Listing entries = Fs.list(large)) {
                  return !entries.isClosed();
                } catch (Resumed | Cancelled left) {
                  return false;
                }
              });
      for (int i = 0; i < turns; i++) {
        Coroutine.pause();
      }
      if (lister.status() != Status.DONE) {
        if (resumed) {
          lister.resume();
        } else {
          lister.cancel();
        }
      }
      try {
        listed += lister.await() ? 1 : 0;
      } catch (CancellationException e) {
        assertFalse(resumed);
      }
    }
    awaitDescriptors(0, large);
  }

  /// It has come, and the loop stands still meanwhile, so nobody was told.
  @InLoop
  @Test
  void whatHasComeAndNobodyWasToldOfIsClosed() throws Exception {
    Coroutine<Listing> lister = Coroutine.spawn(() -> Fs.list(large));
    Coroutine.pause();
    awaitDescriptors(1, large);
    Patience.until(() -> threads().stream().allMatch(each -> each.getState() != RUNNING));
    lister.cancel();
    assertThrows(CancellationException.class, lister::await);
    awaitDescriptors(0, large);
  }

  /// It has come, and whoever waited for it is to go on, and goes on for another reason.
  @InLoop
  @Test
  void whatHasComeAndNobodyHasTakenIsClosed() throws Exception {
    Coroutine<Boolean> lister =
        Coroutine.spawn(
            () -> {
              try (Listing entries = Fs.list(large)) {
                return !entries.isClosed();
              } catch (Resumed left) {
                return false;
              }
            });
    Coroutine.pause();
    while (lister.status() == Status.SUSPENDED) {
      Coroutine.pause();
    }
    assertEquals(Status.READY, lister.status());
    lister.resume();
    assertFalse(lister.await());
    assertEquals(0, descriptorsOf(large));
  }

  private static final Thread.State RUNNING = Thread.State.RUNNABLE;

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("couv-directory-"))
        .toList();
  }

  /// As many at a time as libuv has threads; the others wait, and who leaves then has opened nothing.
  @InLoop
  @Test
  void asManyAreOpenedAtATimeAsLibuvHasThreads() throws Exception {
    int most = PoolThreads.count();
    Gate gate = new Gate();
    List<Coroutine<Listing>> listers = new ArrayList<>();
    try (gate;
        var _ = before("uv_fs_opendir", gate)) {
      for (int i = 0; i < 3 * most; i++) {
        listers.add(Coroutine.spawn(() -> Fs.list(dir)));
      }
      Coroutine.pause();
      gate.awaitCome(most);
      Coroutine<Listing> last = listers.removeLast();
      last.cancel();
      assertThrows(CancellationException.class, last::await);
      assertTrue(threads().size() <= most, () -> threads().toString());
      gate.open();
      for (Coroutine<Listing> each : listers) {
        each.await().close();
      }
      assertEquals(3 * most - 1, gate.came.get());
    }
  }

  @Test
  void aLoopThatEndsDoesNotWaitForAThreadThatIsInside() throws Exception {
    Gate gate = new Gate();
    try (gate;
        var _ = before("uv_fs_readdir", gate)) {
      Loop.run(
          () -> {
            Coroutine<Listing> lister = Coroutine.spawn(() -> Fs.list(large));
            Coroutine.pause();
            gate.awaitCome(1);
            Loop.current().halt();
            return lister;
          });
      assertEquals(1, descriptorsOf(large));
      gate.open();
      awaitDescriptors(0, large);
    }
  }

  @InLoop
  @Test
  void whatIsAtHandIsAnAwaitAllTheSame() throws Exception {
    try (Listing entries = Fs.list(dir)) {
      Coroutine<DirEntry> reader =
          Coroutine.spawn(
              () -> {
                Coroutine.current().cancel();
                return entries.next();
              });
      assertThrows(CancellationException.class, reader::await);
      assertNull(entries.next());
    }
  }

  @InLoop
  @Test
  void whatIsClosedInATurnOfTheOthersIsToldAsClosed() throws Exception {
    Listing entries = Fs.list(large);
    Coroutine<?> reader =
        Coroutine.spawn(
            () -> {
              while (entries.next() != null) {
                assertFalse(entries.isClosed());
              }
            });
    Coroutine.pause();
    entries.close();

    assertThrows(AsynchronousCloseException.class, reader::await);
  }
}
