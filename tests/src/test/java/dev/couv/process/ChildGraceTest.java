// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.error.ClosedException;
import dev.couv.signal.Signal;
import dev.couv.testing.InLoop;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Ending a child: it is asked, has time, and is ended.
@InLoop
final class ChildGraceTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(50);

  /// Says when it is ready, and what it does with `TERM`.
  private static Child shell(boolean detached, String script) throws Exception {
    Child child = Command.of("sh", "-c", script).stdout(Stdio.pipe()).detached(detached).start();
    assertEquals("ready", child.stdout().lines().next());
    return child;
  }

  @Test
  void whoHeedsItHasTime() throws Exception {
    try (Child child =
        shell(false, "trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done")) {
      assertEquals(new Exit.Code(7), child.end(LONG));
      assertEquals(new Exit.Code(7), child.end(LONG), "and the second time");
    }
  }

  @Test
  void whoDoesNotHeedItIsEnded() throws Exception {
    try (Child child = shell(false, "trap '' TERM; echo ready; while :; do sleep 0.01; done")) {
      assertEquals(new Exit.Signalled(Signal.KILL), child.end(SHORT));
    }
  }

  @Test
  void aDetachedChildEndsWithAllThatItHasStarted() throws Exception {
    try (Child child =
        shell(true, "trap 'exit 3' TERM; (trap '' TERM; exec sleep 1000) & echo ready; wait")) {
      assertEquals(new Exit.Code(3), child.end(LONG));
      while (child.signalGroup(Signal.CONT)) {
        Coroutine.pause(); // the kernel takes a moment
      }
      assertFalse(child.killGroup());
    }
  }

  @Test
  void whoIsCancelledLeavesItAsItIs() throws Exception {
    try (Child child = shell(false, "trap '' TERM; echo ready; while :; do sleep 0.01; done")) {
      Coroutine<Exit> ending = Coroutine.spawn(() -> child.end(LONG));
      Coroutine.pause();
      ending.cancel();
      assertThrows(CancellationException.class, ending::await);
      assertTrue(child.isRunning());
    }
  }

  @Test
  void aClosedChildCannotBeEnded() throws Exception {
    Child child = shell(false, "echo ready; exec sleep 1000");
    child.close();
    assertThrows(ClosedException.class, () -> child.end(LONG));
    assertThrows(IllegalArgumentException.class, () -> child.end(Duration.ofSeconds(-1)));
  }
}
