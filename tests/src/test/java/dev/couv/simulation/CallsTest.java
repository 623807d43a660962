// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.simulation.Model.QueueCall;
import dev.couv.simulation.Model.RegisterCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Whether calls could have happened one after the other.
final class CallsTest {
  private static final RegisterCall READ = new RegisterCall.Read();

  private static RegisterCall write(String value) {
    return new RegisterCall.Write(value);
  }

  private static void call(
      Calls<RegisterCall, @Nullable String> calls, RegisterCall what, @Nullable String answer) {
    calls.begin("one", what).end(answer);
  }

  @Test
  void aReadThatIsTooOldIsFound() {
    Calls<RegisterCall, @Nullable String> calls = new Calls<>();
    call(calls, write("a"), null);
    call(calls, write("b"), null);
    call(calls, READ, "b");
    assertTrue(calls.isLinearizable(Model.register()));

    call(calls, READ, "a");
    assertFalse(calls.isLinearizable(Model.register()));
    AssertionError told = assertThrows(AssertionError.class, () -> calls.check(Model.register()));
    assertTrue(String.valueOf(told.getMessage()).contains("Read[] -> a"), told.getMessage());
  }

  @Test
  void callsAtOneTimeMayBeInEitherOrderButAllSeeOne() {
    Calls<RegisterCall, @Nullable String> calls = new Calls<>();
    var first = calls.begin("a", write("a"));
    var second = calls.begin("b", write("b"));
    first.end(null);
    second.end(null);
    call(calls, READ, "a");
    assertTrue(calls.isLinearizable(Model.register()));
    call(calls, READ, "b");
    assertFalse(calls.isLinearizable(Model.register()));
  }

  @Test
  void aCallThatNobodyHeardOfMayHaveHappenedOrNot() {
    Calls<RegisterCall, @Nullable String> calls = new Calls<>();
    calls.begin("gone", write("x"));
    call(calls, READ, null);
    assertTrue(calls.isLinearizable(Model.register()));
    call(calls, READ, "x");
    assertTrue(calls.isLinearizable(Model.register()));
    call(calls, READ, null);
    assertFalse(calls.isLinearizable(Model.register()));
  }

  @Test
  void comparedAndSet() {
    Calls<RegisterCall, @Nullable String> calls = new Calls<>();
    call(calls, new RegisterCall.CompareAndSet(null, "a"), "true");
    call(calls, new RegisterCall.CompareAndSet(null, "b"), "false");
    calls.check(Model.register());
    call(calls, new RegisterCall.CompareAndSet("b", "c"), "true");
    assertFalse(calls.isLinearizable(Model.register()));
  }

  @Test
  void aCounterThatLosesIsFound() {
    Calls<Long, Long> calls = new Calls<>();
    calls.begin("a", 1L).end(1L);
    calls.begin("b", 1L).end(2L);
    calls.check(Model.counter());
    calls.begin("c", 1L).end(2L);
    assertFalse(calls.isLinearizable(Model.counter()));
    assertEquals(3, calls.size());
  }

  @Test
  void aQueueOutOfOrderIsFound() {
    Calls<QueueCall, @Nullable String> calls = new Calls<>();
    calls.begin("a", new QueueCall.Offer("1")).end(null);
    calls.begin("a", new QueueCall.Offer("2")).end(null);
    calls.begin("b", new QueueCall.Poll()).end("1");
    calls.check(Model.queue());
    calls.begin("b", new QueueCall.Poll()).end(null);
    assertFalse(calls.isLinearizable(Model.queue()));
  }

  /// Ten clients at a time, whose calls really took effect in some order: however they overlap, that is found.
  @Test
  void manyCallsAtOnceAreQuick() {
    Random random = new Random(1);
    Calls<RegisterCall, @Nullable String> calls = new Calls<>();
    String value = null;
    List<Runnable> open = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      boolean reads = random.nextBoolean();
      String answer = reads ? value : null;
      RegisterCall what = reads ? READ : write(Integer.toString(random.nextInt(5)));
      var call = calls.begin("client", what);
      if (what instanceof RegisterCall.Write(String written)) {
        value = written;
      }
      open.add(() -> call.end(answer));
      while (open.size() >= 10) {
        open.remove(random.nextInt(open.size())).run();
      }
    }
    open.forEach(Runnable::run);
    assertTimeout(Duration.ofMinutes(1), () -> calls.check(Model.register()));
  }
}
