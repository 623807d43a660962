// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.host.Inside;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SignalRulesTest {
  private static final long ME = ProcessHandle.current().pid();

  @InLoop
  @ParameterizedTest
  @EnumSource(
      names = {
        "SEGV", "BUS", "ILL", "FPE", "PIPE", "XFSZ", "QUIT", "USR2", "KILL", "STOP", "SIG32",
        "SIG33", "SIG62"
      })
  void whatTheVmOwnsOrNobodyCanCatchIsRefusedByName(Signal signal) throws Exception {
    for (Signal[] signals : List.of(new Signal[] {signal}, new Signal[] {Signal.INT, signal})) {
      var refused = assertThrows(IllegalArgumentException.class, () -> Signal.watch(signals));
      assertTrue(refused.getMessage().contains("signal " + signal), refused.getMessage());
      assertThrows(IllegalArgumentException.class, () -> Signal.await(signals));
    }
    assertEquals(0, Loop.current().stats().handles());
  }

  @Test
  void noSignalAtAllIsRefused() throws Exception {
    Loop.run(
        () -> {
          assertThrows(IllegalArgumentException.class, Signal::watch);
          assertThrows(IllegalArgumentException.class, Signal::await);
        });
    assertThrows(IllegalStateException.class, () -> Signal.watch(Signal.USR1));
  }

  @Test
  void everySignalOfTheSystemIsThereOnce() {
    Set<Integer> numbers = new TreeSet<>();
    for (Signal signal : Signal.values()) {
      numbers.add(signal.number());
      assertSame(signal, Signal.of(signal.number()));
    }

    assertEquals(64, numbers.size());
    assertThrows(IllegalArgumentException.class, () -> Signal.of(0));
    assertThrows(IllegalArgumentException.class, () -> Signal.of(65));
  }

  @Test
  void aSignalIsNotSentToWhatIsNoProcess() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> Signal.send(0, Signal.CONT));
    assertThrows(IllegalArgumentException.class, () -> Signal.send(-1, Signal.CONT));
    assertThrows(IllegalArgumentException.class, () -> Signal.send(1L << 40, Signal.CONT));
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();

    var failed = assertThrows(UvException.class, () -> Signal.send(gone.pid(), Signal.CONT));

    assertEquals("ESRCH", failed.code());
    assertTrue(failed.getMessage().contains("process " + gone.pid()), failed.getMessage());
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"uv_signal_init", "uv_signal_start", "uv_async_init"})
  void aCallThatFailsLeavesNothingBehind(String call) throws Exception {
    int code = UvErrors.code("EMFILE");
    try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, code))) {
      var watch = assertThrows(UvException.class, () -> Signal.watch(Signal.TERM, Signal.USR1));
      var await = assertThrows(UvException.class, () -> Signal.await(Signal.TERM, Signal.USR1));
      assertEquals(List.of("EMFILE", "EMFILE"), List.of(watch.code(), await.code()));
    }
    assertEquals(0, Loop.current().stats().handles());
    assertTrue(Inside.isDefault(Signal.USR1));
  }

  @InLoop
  @Test
  void theHandlerIsPutBackWhateverLibuvAnswers() throws Exception {
    int code = UvErrors.code("EINVAL");
    SignalWatch watch = Signal.watch(Signal.USR1);
    assertFalse(Inside.isDefault(Signal.USR1));
    try (var _ =
        NativeCalls.replace(
            "uv_signal_stop", NativeCalls.failingAfterwards("uv_signal_stop", code))) {
      watch.close();
      Coroutine.pause();
    }
    assertTrue(Inside.isDefault(Signal.USR1));
  }

  @InLoop
  @Test
  void aSystemThatDoesNotTellItsHandlersStillCatches() throws Exception {
    int code = UvErrors.code("EINVAL");
    try (var _ = NativeCalls.replace("sigaction", NativeCalls.failing("sigaction", code));
        SignalWatch watch = Signal.watch(Signal.USR1)) {
      Signal.send(ME, Signal.USR1);
      assertEquals(Signal.USR1, watch.await());
    }
  }

  @Test
  void aRefusedSendIsTold() {
    int code = UvErrors.code("EPERM");
    try (var _ = NativeCalls.replace("uv_kill", NativeCalls.failing("uv_kill", code))) {
      IOException failed = assertThrows(IOException.class, () -> Signal.send(ME, Signal.CONT));
      assertTrue(failed.getMessage().contains("send CONT"), failed.getMessage());
    }
  }
}
