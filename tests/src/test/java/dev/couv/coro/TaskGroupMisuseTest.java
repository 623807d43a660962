// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Leaving each wait of a group, and using it from where it does not belong.
@SuppressWarnings("try") // closing a group waits, and throws what failed
class TaskGroupMisuseTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private interface Wait {
    void of(TaskGroup<Integer> group) throws Exception;
  }

  static Stream<Arguments> waits() {
    return Stream.of(
        wait("all", TaskGroup::all),
        wait("any", TaskGroup::any),
        wait("race", TaskGroup::race),
        wait("iteration", group -> group.iterator().hasNext()),
        wait("spawn", group -> group.spawn(() -> 2)));
  }

  private static Arguments wait(String name, Wait wait) {
    return Arguments.of(Named.of(name, wait));
  }

  /// The tasks go on, and the group is as it was.
  @ParameterizedTest
  @MethodSource("waits")
  void oneThatIsCancelledOrResumedLeavesTheGroupAlone(Wait wait) throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(0)) {
            group.spawn(
                () -> {
                  Time.sleep(HOUR);
                  return 1;
                });
            Coroutine<?> cancelled = Coroutine.spawn(() -> wait.of(group));
            Coroutine<?> resumed = Coroutine.spawn(() -> wait.of(group));
            Coroutine.pause();

            cancelled.cancel();
            assertThrows(Resumed.class, resumed::resume);
            assertThrows(CancellationException.class, cancelled::await);

            assertEquals(1, group.size());
            assertEquals(List.of(1), group.all());
          }
        });
  }

  @ParameterizedTest
  @MethodSource("waits")
  void oneThatIsCancelledBeforeItWaitsDoesNothing(Wait wait) throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(0)) {
            group.spawn(
                () -> {
                  Time.sleep(HOUR);
                  return 1;
                });
            Coroutine<?> waiter =
                Coroutine.spawn(
                    () -> {
                      Coroutine.current().cancel();
                      wait.of(group);
                    });
            assertThrows(CancellationException.class, waiter::await);
            assertEquals(List.of(1), group.all());
          }
        });
  }

  @Test
  void itBelongsToItsLoop() throws Exception {
    Loop.run(
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.open()) {
            List<Throwable> refused = new ArrayList<>();
            Loop.offload(
                () -> {
                  for (Action use :
                      List.<Action>of(
                          () -> group.spawn(() -> 1),
                          () -> group.spawnAll(List.of()),
                          group::all,
                          group::any,
                          group::race,
                          group::iterator,
                          group::results,
                          group::failures,
                          group::cancel,
                          group::close,
                          () -> group.limit(1),
                          () -> group.queue(1))) {
                    refused.add(assertThrows(IllegalStateException.class, use::run));
                  }
                  return null;
                });
            assertEquals(12, refused.size());
            assertEquals(0, group.size());
          }
        });
    assertThrows(IllegalStateException.class, TaskGroup::open);
  }

  /// The one that cannot go on is named, with the end it waits for.
  @Test
  void aScopeWhoseCoroutineNothingCanWakeIsADeadlock() {
    Deadlock deadlock =
        assertThrows(
            Deadlock.class,
            () ->
                Loop.run(
                    () -> {
                      try (Scope scope = Scope.open().named("stuck")) {
                        scope.spawn(() -> Coroutine.halt()).named("halted");
                        scope.join();
                      }
                    }));

    String message = deadlock.getMessage();
    assertTrue(message.contains("main SUSPENDED, awaiting the end of scope stuck"), message);
    assertTrue(message.contains("halted SUSPENDED, awaiting"), message);
    assertTrue(message.contains("spawned at dev.couv.coro.TaskGroupMisuseTest"), message);
  }
}
