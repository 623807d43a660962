// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.net.Tcp;
import dev.couv.time.Time;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/// `@InLoop`: the test method is a coroutine.
final class InLoopTest {
  /// What the tests that are run inside have to tell, in their order.
  private static final List<Object> LOG = new ArrayList<>();

  @BeforeEach
  void forget() {
    LOG.clear();
  }

  private static String place() {
    try {
      return Coroutine.current() == null ? "nowhere" : "inside";
    } catch (IllegalStateException e) {
      return "outside";
    }
  }

  // ---- those that pass

  @InLoop
  @Test
  void theBodyIsTheMainCoroutineOfALoop() {
    assertEquals("main", Coroutine.current().name());
    assertTrue(Loop.current().isRunning());
  }

  @InLoop
  @Test
  void theBodyAwaits() throws Exception {
    Coroutine<String> other =
        Coroutine.spawn(
            () -> {
              Time.sleep(Duration.ofMillis(1));
              return "value";
            });

    assertEquals("value", other.await());
  }

  @InLoop
  @Test
  void parametersAreResolvedAsEver(TestInfo info, @TempDir Path directory) {
    assertTrue(info.getDisplayName().startsWith("parametersAreResolvedAsEver("));
    assertTrue(Files.isDirectory(directory));
    assertNotNull(Coroutine.current());
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"one", "two"})
  void argumentsAreGivenAsEver(String argument, TestInfo info) {
    assertTrue(info.getDisplayName().contains(argument), info.getDisplayName());
    assertNotNull(Coroutine.current());
  }

  @InLoop
  @RepeatedTest(3)
  void eachRepetitionIsACoroutine(RepetitionInfo repetition) {
    assertTrue(repetition.getCurrentRepetition() <= 3);
    assertEquals("main", Coroutine.current().name());
  }

  @InLoop
  @Test
  void aRunInsideComposes() throws Exception {
    Coroutine<?> outer = Coroutine.current();

    assertEquals(7, Loop.run(() -> 7));
    assertSame(outer, Coroutine.current());
  }

  @InLoop
  @Test
  void theTestEndsWhenNoCoroutineIsLeft(TestClock clock) {
    Coroutine.spawn(() -> Time.sleep(Duration.ofDays(1)));
  }

  // ---- virtual time

  @InLoop
  @Test
  void aLoopLivesByTheClockThatTheMethodAsksFor(TestClock clock) {
    Time.sleep(Duration.ofHours(1));

    assertEquals(Duration.ofHours(1), clock.elapsed());
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void eachInvocationHasAClockOfItsOwn(int hours, TestClock clock) {
    Time.sleep(Duration.ofHours(hours));

    assertEquals(Duration.ofHours(hours), clock.elapsed());
  }

  // ---- where it stands

  @Test
  void everyTestOfAnAnnotatedClassIsOneWhereverItIsDeclared() {
    assertEquals(Map.of(), outcomes(Derived.class));

    assertEquals(
        Set.of(
            "plain inside",
            "inherited inside",
            "nested inside",
            "factory outside",
            "first inside",
            "second inside"),
        Set.copyOf(LOG));
    assertEquals(6, LOG.size());
  }

  @Test
  void anAnnotationOfOnesOwnMayCarryIt() {
    assertEquals(Map.of(), outcomes(Composed.class));

    assertEquals(List.of("inside"), LOG);
  }

  @Test
  void onlyTheTestItselfIsInside() {
    assertEquals(Map.of(), outcomes(Lifecycle.class));

    assertEquals(
        List.of("new outside", "before outside", "test inside", "later inside", "after outside"),
        LOG);
  }

  @Test
  void twoTestsShareNoLoop() {
    assertEquals(Map.of(), outcomes(Two.class));

    assertEquals(2, LOG.size());
    assertNotEquals(LOG.getFirst(), LOG.getLast());
  }

  // ---- those that fail

  @Test
  void whatTheBodyThrowsIsTheFailure() {
    var outcomes = outcomes(Failing.class);

    assertInstanceOf(IOException.class, outcomes.get("exception"));
    assertEquals("checked", outcomes.get("exception").getMessage());
    assertInstanceOf(AssertionError.class, outcomes.get("assertion"));
    assertInstanceOf(StackOverflowError.class, outcomes.get("error"));
    assertEquals("odd", outcomes.get("throwable").getCause().getMessage());
    assertInstanceOf(TestAbortedException.class, outcomes.get("assumption"));
    assertEquals("of another", outcomes.get("anotherCoroutine").getMessage());
    assertInstanceOf(Deadlock.class, outcomes.get("deadlock"));
    assertEquals(7, outcomes.size());
  }

  @Test
  void whatIsLeftWhenTheBodyFailsIsCancelled() {
    var outcomes = outcomes(Abandoning.class);

    assertEquals("its own", outcomes.get("abandons").getMessage());
    assertEquals(0, outcomes.get("abandons").getSuppressed().length); // and nothing leaks
    assertEquals(List.of("unwound"), LOG);
  }

  @Test
  void theLeakCheckSeesWhatATestLeaves() throws Exception {
    var outcomes = outcomes(Leaking.class);
    for (Object left : LOG) {
      ((AutoCloseable) left).close();
    }

    String message = outcomes.get("leaves").getMessage();
    assertTrue(message.contains("is still open: socket:["), message);
    assertEquals(1, outcomes.size());
  }

  // ---- timeouts

  @Test
  void aTimeoutEndsWhatWaits() {
    long before = System.nanoTime();
    var outcomes = outcomes(Hanging.class);

    assertEquals(Set.of("awaits", "blocks", "spins", "elsewhere"), outcomes.keySet());
    outcomes.forEach((test, thrown) -> assertInstanceOf(TimeoutException.class, thrown, test));
    assertTrue(System.nanoTime() - before < TimeUnit.SECONDS.toNanos(240));
    assertEquals(List.of("unwound"), LOG);
  }

  @Test
  void whatGoesWrongAfterATimeoutIsToldWithIt() {
    var thrown = outcomes(HangingAndFailing.class).get("awaits");

    assertInstanceOf(TimeoutException.class, thrown);
    assertTrue(
        Stream.of(thrown.getSuppressed()).anyMatch(each -> each instanceof InterruptedException),
        () -> List.of(thrown.getSuppressed()).toString());
    assertFalse(Thread.interrupted());
  }

  // ---- how they are run

  /// What each test of the class that does not succeed ends with, by its method.
  private static Map<String, Throwable> outcomes(Class<?> type) {
    Map<String, Throwable> outcomes = new TreeMap<>();
    NestedRun.results(type)
        .forEach((test, result) -> result.getThrowable().ifPresent(t -> outcomes.put(test, t)));
    return outcomes;
  }

  // ---- the tests that are run inside

  @InLoop
  static class Base {
    @Test
    void inherited() {
      LOG.add("inherited " + place());
    }
  }

  static final class Derived extends Base {
    @Test
    void plain() {
      LOG.add("plain " + place());
    }

    @TestFactory
    List<DynamicTest> dynamic() {
      LOG.add("factory " + place());
      return List.of(
          DynamicTest.dynamicTest("1", () -> LOG.add("first " + place())),
          DynamicTest.dynamicTest("2", () -> LOG.add("second " + place())));
    }

    @Nested
    final class Inner {
      @Test
      void nested() {
        LOG.add("nested " + place());
      }
    }
  }

  @InLoop
  @Test
  @Retention(RetentionPolicy.RUNTIME)
  @interface LoopTest {}

  static final class Composed {
    @LoopTest
    void composed() {
      LOG.add(place());
    }
  }

  @InLoop
  static final class Lifecycle {
    Lifecycle() {
      LOG.add("new " + place());
    }

    @BeforeEach
    void before() {
      LOG.add("before " + place());
    }

    @Test
    void test() {
      LOG.add("test " + place());
      Coroutine.spawn(() -> LOG.add("later " + place()));
    }

    @AfterEach
    void after() {
      LOG.add("after " + place());
    }
  }

  @InLoop
  static final class Two {
    @Test
    void one() {
      LOG.add(Loop.current());
    }

    @Test
    void other() {
      LOG.add(Loop.current());
    }
  }

  @InLoop
  static final class Failing {
    @Test
    void exception() throws Exception {
      Coroutine.pause();
      throw new IOException("checked");
    }

    @Test
    void assertion() {
      assertEquals(1, 2);
    }

    @Test
    void error() {
      throw new StackOverflowError();
    }

    @Test
    void throwable() throws Throwable {
      throw new Throwable("odd");
    }

    @Test
    void assumption() {
      assumeTrue(false);
    }

    @Test
    void anotherCoroutine() {
      Coroutine.spawn(
          () -> {
            throw new IOException("of another");
          });
      Time.sleep(Duration.ofDays(1));
    }

    @Test
    void deadlock() {
      Coroutine.halt();
    }
  }

  @InLoop
  static final class Abandoning {
    @Test
    void abandons() throws Exception {
      Coroutine.spawn(
          () -> {
            try (var listener =
                Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
              listener.accept();
            } finally {
              LOG.add("unwound");
            }
          });
      Coroutine.pause();
      throw new IOException("its own");
    }
  }

  @InLoop
  static final class Leaking {
    @Test
    void leaves() throws IOException {
      LOG.add(DatagramChannel.open());
    }
  }

  @InLoop
  @Timeout(value = 50, unit = TimeUnit.MILLISECONDS)
  static final class Hanging {
    @Test
    void awaits() {
      try {
        Time.sleep(Duration.ofDays(1));
      } finally {
        LOG.add("unwound");
      }
    }

    @Test
    void blocks() throws InterruptedException {
      Thread.sleep(Duration.ofDays(1));
    }

    @Test
    void spins() {
      while (true) {
        Coroutine.pause();
      }
    }

    @Test
    @Timeout(
        value = 50,
        unit = TimeUnit.MILLISECONDS,
        threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void elsewhere() {
      Time.sleep(Duration.ofDays(1));
    }
  }

  @InLoop
  static final class HangingAndFailing {
    @Test
    @Timeout(value = 50, unit = TimeUnit.MILLISECONDS)
    void awaits() throws IOException {
      try {
        Time.sleep(Duration.ofDays(1));
      } finally {
        throwIt();
      }
    }

    private static void throwIt() throws IOException {
      throw new IOException("on the way out");
    }
  }
}
