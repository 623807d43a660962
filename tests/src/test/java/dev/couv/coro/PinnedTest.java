// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Awaiting where the thread cannot leave the loop's: in a static initialiser, and in a callback from
/// native code. It is refused with the frame's name, and everything goes on. On the other engine such a
/// thread is not the loop's, so that it can wait.
@Tag("loop-scheduled-engine")
class PinnedTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  // ---- static initialisers

  /// What the initialisers below run; they run once, so each test has its own.
  private static Action initialiser;

  private static void runInitialiser() {
    try {
      initialiser.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static final class Sleeping {
    static {
      runInitialiser();
    }
  }

  private static final class Pausing {
    static {
      runInitialiser();
    }
  }

  private static final class Reading {
    static {
      runInitialiser();
    }
  }

  private static final class Resuming {
    static {
      runInitialiser();
    }
  }

  private static final class Yielding {
    static {
      runInitialiser();
    }
  }

  private static void initialise(Class<?> type, Action action) throws Exception {
    initialiser = action;
    MethodHandles.lookup().ensureInitialized(type);
  }

  @InLoop
  @Test
  void aSleepInAStaticInitialiserIsRefusedByName() throws Exception {
    Coroutine<?> other = Coroutine.spawn(() -> Time.sleep(Duration.ofMillis(1)));
    initialise(
        Sleeping.class,
        () -> {
          IllegalStateException refused =
              assertThrows(IllegalStateException.class, () -> Time.sleep(HOUR));
          assertTrue(refused.getMessage().contains("static initialiser"), refused::toString);
          assertTrue(refused.getMessage().contains("PinnedTest$Sleeping"), refused::toString);
          assertTrue(refused.getMessage().contains("Time.sleep"), refused::toString);
        });

    assertEquals(0, countTimersOf(other));
    Time.sleep(Duration.ofMillis(1));
    other.await();
  }

  /// The refused sleep has left nothing; at most the other coroutine's timer is there.
  private static int countTimersOf(Coroutine<?> other) {
    int timers = Loop.current().stats().timers();
    return other.status() == Status.SUSPENDED ? timers - 1 : timers;
  }

  /// To go on silently would make a loop of pauses hang the program.
  @InLoop
  @Test
  void aPauseInAStaticInitialiserIsRefused() throws Exception {
    initialise(
        Pausing.class,
        () -> {
          IllegalStateException refused =
              assertThrows(IllegalStateException.class, Coroutine::pause);
          assertTrue(refused.getMessage().contains("PinnedTest$Pausing"));
        });
  }

  @InLoop
  @Test
  void aRefusedReadLeavesTheStreamUsable() throws Exception {
    try (TcpListener listener =
            Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        TcpStream client = Tcp.connect(listener.local());
        TcpStream server = listener.accept()) {
      ByteBuffer buffer = ByteBuffer.allocate(10);
      initialise(
          Reading.class,
          () -> assertThrows(IllegalStateException.class, () -> server.read(buffer)));

      client.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      assertEquals(3, server.read(buffer));
    }
  }

  /// What was resumed runs later by itself; nobody is lost, however often it is tried.
  @InLoop
  @Test
  void resumingInAStaticInitialiserIsRefusedAndLosesNobody() throws Exception {
    List<Coroutine<?>> halted = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      halted.add(Coroutine.spawn(() -> log.add(Coroutine.halt())));
    }
    Coroutine.pause();
    initialise(
        Resuming.class,
        () -> {
          for (int i = 0; i < 3; i++) {
            int number = i;
            assertThrows(IllegalStateException.class, () -> halted.get(number).resume(number));
          }
        });
    assertEquals(Status.RUNNING, Coroutine.current().status());

    for (Coroutine<?> each : halted) {
      each.await();
    }
    assertEquals(List.of(0, 1, 2), log.stream().sorted().toList());
  }

  @InLoop
  @Test
  void aRefusedYieldLeavesTheGeneratorToItsResumer() throws Exception {
    Coroutine<?> generator =
        Coroutine.create(
            () -> {
              initialise(
                  Yielding.class,
                  () -> {
                    assertThrows(IllegalStateException.class, () -> Coroutine.yield("lost"));
                    Coroutine<?> other = Coroutine.create(() -> log.add("other"));
                    assertThrows(IllegalStateException.class, other::resume);
                  });
              return Coroutine.yield("second");
            });

    Object first = generator.resume();
    while (generator.status() != Status.SUSPENDED) {
      Coroutine.pause();
    }

    assertEquals("lost", first);
    assertEquals("passed", generator.resume("passed"));
    Coroutine.pause();
    assertEquals(List.of("other"), log);
  }

  // ---- callbacks from native code

  @InLoop
  @Test
  void anAwaitUnderANativeFrameIsRefused() throws Exception {
    Coroutine<?> other = Coroutine.spawn(() -> log.add("other"));
    sort(
        () -> {
          IllegalStateException refused =
              assertThrows(IllegalStateException.class, () -> Time.sleep(HOUR));
          assertTrue(refused.getMessage().contains("native"), refused::toString);
          log.add("refused");
        });
    assertEquals(List.of("refused"), log.subList(0, 1));

    other.await();
    Time.sleep(Duration.ofMillis(1));
  }

  @InLoop
  @Test
  void spawningUnderANativeFrameIsFine() throws Exception {
    sort(() -> Coroutine.spawn(() -> log.add("spawned")));
    Coroutine.pause();
    assertTrue(log.contains("spawned"));
  }

  /// An await that is complete already needs no wait, but after 64 of them the others would get a
  /// turn: here they do not, and nothing breaks.
  @Test
  void awaitsThatAreCompleteWorkUnderANativeFrame() throws Exception {
    Loop.run(
        () -> {
          Coroutine<String> done = Coroutine.spawn(() -> "done");
          done.await();
          sort(
              () -> {
                for (int i = 0; i < 200; i++) {
                  assertEquals("done", done.await());
                }
                log.add("all");
              });
        });

    assertTrue(log.contains("all"));
  }

  /// Lets the C library's `qsort` compare two numbers by the action.
  @SuppressWarnings("restricted") // the native frame is what is tested
  private static void sort(Action compare) throws Exception {
    Linker linker = Linker.nativeLinker();
    MethodHandle qsort =
        linker.downcallHandle(
            linker.defaultLookup().find("qsort").orElseThrow(),
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
    List<Throwable> escaped = new ArrayList<>();
    Comparison comparison =
        () -> {
          try {
            compare.run();
          } catch (Throwable thrown) {
            escaped.add(thrown); // leaving a callback would end the VM
          }
          return 0;
        };
    MethodHandle comparator =
        MethodHandles.dropArguments(
            MethodHandles.lookup()
                .findVirtual(Comparison.class, "compare", MethodType.methodType(int.class))
                .bindTo(comparison),
            0,
            MemorySegment.class,
            MemorySegment.class);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocateFrom(JAVA_INT, 2, 1);
      MemorySegment stub =
          linker.upcallStub(comparator, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), arena);
      qsort.invokeExact(numbers, 2L, 4L, stub);
    } catch (Throwable thrown) {
      throw new AssertionError(thrown);
    }
    for (Throwable thrown : escaped) {
      throw new AssertionError(thrown);
    }
  }

  private interface Comparison {
    int compare();
  }
}
