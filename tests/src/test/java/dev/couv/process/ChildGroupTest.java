// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import dev.couv.host.Spawner;
import dev.couv.signal.Signal;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The group of a detached child, whose number may go to a stranger when all of it has ended.
final class ChildGroupTest {
  private static final int ESRCH = UvErrors.code("ESRCH");

  /// Signals that were sent, by the number they were sent to; the system's answer is as the test says.
  private static NativeCalls.Replacement kill(List<Integer> sent, IntBinaryOperator answer)
      throws Exception {
    IntBinaryOperator noting =
        (number, signal) -> {
          if (signal != 0) {
            sent.add(number);
          }
          return answer.applyAsInt(number, signal);
        };
    return NativeCalls.replace(
        "uv_kill",
        MethodHandles.lookup()
            .findVirtual(
                IntBinaryOperator.class,
                "applyAsInt",
                MethodType.methodType(int.class, int.class, int.class))
            .bindTo(noting));
  }

  @ParameterizedTest
  @EnumSource
  void aGroupThatEndedWithItsLeaderIsNeverSentASignalAgain(Spawner spawner) throws Exception {
    List<Integer> sent = new ArrayList<>();
    Loop.run(
        () -> {
          try (Child child = Ways.start(Command.of("true").detached(true), spawner)) {
            child.await();

            // As if a stranger had the number now, and led a group.
            try (var _ = kill(sent, (number, signal) -> 0)) {
              assertFalse(child.killGroup());
              assertFalse(child.signalGroup(Signal.TERM));
            }
          }
        });
    assertEquals(List.of(), sent);
  }

  @ParameterizedTest
  @EnumSource
  void whatTheLeaderLeftBehindIsReachedAndThenNobody(Spawner spawner) throws Exception {
    Command family =
        Command.of("sh", "-c", "sleep 1000 & echo $!").stdout(Stdio.pipe()).detached(true);
    List<Integer> sent = new ArrayList<>();
    Loop.run(
        () -> {
          try (Child child = Ways.start(family, spawner)) {
            child.await();
            assertFalse(child.isRunning());
            assertFalse(child.kill());
            String pid = child.stdout().lines().next();
            ProcessHandle left = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();

            assertTrue(child.killGroup());

            Loop.offload(() -> left.onExit().join());
            try (var _ = kill(sent, (number, signal) -> 0)) {
              assertFalse(child.killGroup());
              try (var _ = kill(sent, (number, signal) -> number < 0 ? 0 : ESRCH)) {
                assertFalse(child.killGroup(), "once it is known, it stays known");
              }
            }
          }
        });
    assertEquals(List.of(), sent);
  }

  @InLoop
  @Test
  void aLeaderThatRunsIsReachedWithItsGroup() throws Exception {
    try (Child child = Command.of("sleep", "1000").detached(true).start()) {
      assertTrue(child.signalGroup(Signal.TERM));
      assertEquals(new Exit.Signalled(Signal.TERM), child.await());
    }
  }
}
