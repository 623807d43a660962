// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.Mutex;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/// Objects of the user's whose `toString` throws: what is told of them is told all the same, and the failure
/// that it was about is not lost for it.
class HostileWordsTest {
  @InLoop
  @Test
  void dumpTellsOfTheOthers() throws Exception {
    Mutex mutex = Mutex.of(new HostileKey());
    try (var _ = mutex.hold()) {
      Coroutine<?> waiting =
          Coroutine.spawn(
                  () -> {
                    try (var _ = mutex.hold()) {
                      return 1;
                    }
                  })
              .named("waiting");
      Coroutine<?> sleeping = Coroutine.spawn(() -> Time.sleep(Duration.ofDays(1)));
      sleeping.named("sleeping");
      Coroutine.pause();

      String dump = Loop.current().dump();

      assertTrue(dump.contains("waiting SUSPENDED"), dump);
      assertTrue(dump.contains("whose toString threw"), dump);
      assertTrue(dump.contains("sleeping SUSPENDED"), dump);
      waiting.cancel();
      sleeping.cancel();
    }
  }

  @InLoop
  @Test
  void closingAnEventTellsEverybodyWhoAwaitsIt() throws Exception {
    Event<String> event =
        new Event<>() {
          @Override
          public String toString() {
            throw new IllegalStateException("toString");
          }
        };
    Coroutine<String> first = Coroutine.spawn(event::await);
    Coroutine<String> second = Coroutine.spawn(event::await);
    Coroutine.pause();

    event.close();

    assertThrows(ClosedException.class, first::await);
    assertThrows(ClosedException.class, second::await);
  }

  @InLoop
  @Test
  void whatCanOnlyBeAwaitedIsAMemberOfAWait() throws Exception {
    Awaitable<String> hostile =
        new Awaitable<>() {
          @Override
          public String await() {
            Coroutine.pause();
            return "value";
          }

          @Override
          public String toString() {
            throw new IllegalStateException("toString");
          }
        };
    assertEquals("value", Await.any(hostile));
    assertEquals("value", Event.of(hostile).await());
  }

  @InLoop
  @Test
  void failuresOfAllAreStillComposed() throws Exception {
    RuntimeException hostile =
        new RuntimeException() {
          private static final long serialVersionUID = 1L;

          @Override
          public String toString() {
            throw new IllegalStateException("toString");
          }
        };
    Body<String> failing =
        () -> {
          throw hostile;
        };
    assertSame(
        hostile,
        assertThrows(CompositeException.class, () -> Await.firstSuccess(Coroutine.spawn(failing)))
            .failures()
            .getFirst());
  }

  @Test
  void deadlockIsStillOne() {
    Deadlock thrown =
        assertThrows(
            Deadlock.class,
            () ->
                Loop.run(
                    () -> {
                      Mutex mutex = Mutex.of(new HostileKey());
                      mutex.hold();
                      Coroutine.spawn(mutex::hold).await();
                    }));

    assertEquals(2, thrown.coroutines().size());
  }

  @Test
  void failureThatNobodyAwaitsEndsTheRunItself() {
    HostileFailure failure = new HostileFailure();

    try (var _ = new CapturedLog()) {
      HostileFailure thrown =
          assertThrows(
              HostileFailure.class,
              () ->
                  Loop.run(
                      () -> {
                        Coroutine.spawn(
                            () -> {
                              throw failure;
                            });
                        Time.sleep(Duration.ofDays(1));
                      }));
      assertSame(failure, thrown);
    }
  }

  @Test
  void reportHasItsTrace() {
    HostileFailure failure = new HostileFailure();

    try (CapturedLog log = new CapturedLog();
        Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            throw failure;
          });
      loop.run(Mode.LOOP);

      LogRecord record = log.records().getFirst();
      Throwable printed = record.getThrown();
      assertNotNull(printed, "no trace");
      StringWriter text = new StringWriter();
      printed.printStackTrace(new PrintWriter(text, true));
      assertTrue(text.toString().contains(HostileFailure.class.getName()), text::toString);
      assertTrue(text.toString().contains("reportHasItsTrace"), text::toString);
    }
  }

  @InLoop
  @Test
  void channelThatIsClosedWithItTellsIt() throws Exception {
    HostileFailure failure = new HostileFailure();

    Chan<String> chan = Chan.create(1);
    chan.close(failure);
    Throwable thrown = assertThrows(Exception.class, chan::receive);
    assertTrue(causes(thrown, failure), "the reason is lost");
  }

  @Test
  void throwableThatIsNeitherExceptionNorErrorIsTold() {
    HostileThrowable failure = new HostileThrowable();

    AssertionError thrown =
        assertThrows(
            AssertionError.class,
            () ->
                Loop.run(
                    () -> {
                      sneak(failure);
                    }));

    assertSame(failure, assertInstanceOf(HostileThrowable.class, thrown.getCause()));
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> void sneak(Throwable thrown) throws X {
    throw (X) thrown;
  }

  private static boolean causes(Throwable thrown, Throwable wanted) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each == wanted) {
        return true;
      }
    }
    return false;
  }

  private static final class HostileKey {
    @Override
    public String toString() {
      throw new IllegalStateException("no words");
    }
  }

  private static final class HostileFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }

  private static final class HostileThrowable extends Throwable {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }
}
