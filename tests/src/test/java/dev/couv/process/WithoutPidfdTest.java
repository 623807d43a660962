// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.signal.Signal;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A kernel or a sandbox that refuses to watch processes by descriptors: children are started all the same.
final class WithoutPidfdTest {
  /// `pidfd_open` came with Linux 5.3, waiting for a pidfd with 5.4; gVisor says `ENOSYS`, filters of system calls `EPERM`.
  @ParameterizedTest
  @CsvSource({
    "pidfd_open, ENOSYS",
    "pidfd_open, EPERM",
    "pidfd_open, EACCES",
    "pidfd_open, EINVAL",
    "waitid, EINVAL",
    "waitid, EPERM",
    "pidfd_send_signal, ENOSYS",
    "pidfd_send_signal, EPERM"
  })
  void childrenAreStartedSignalledAndHeardOf(String call, String code) throws Exception {
    try (var _ = NativeCalls.replace(call, refusing(call, UvErrors.code(code)))) {
      Loop.run(
          () -> {
            assertEquals("hello\n", Command.of("echo", "hello").output().stdoutText());
            assertEquals(new Exit.Code(3), Command.of("sh", "-c", "exit 3").run());
            try (Child child = Command.of("sleep", "1000").start()) {
              Coroutine<Exit> end = Coroutine.spawn(child::await);
              Coroutine.pause();
              assertTrue(child.signal(Signal.TERM));
              assertEquals(new Exit.Signalled(Signal.TERM), end.await());
              assertFalse(child.kill());
            }
            Command.of("sleep", "1000").start().close();
          });
    }
  }

  /// Only what is about pidfds: other calls go on to the system.
  private static MethodHandle refusing(String call, int code) throws Exception {
    if (!call.equals("waitid")) {
      return NativeCalls.failing(call, code);
    }
    IntPredicate ofPidfd = kind -> kind == Posix.P_PIDFD;
    MethodHandle test =
        MethodHandles.lookup()
            .findVirtual(
                IntPredicate.class, "test", MethodType.methodType(boolean.class, int.class))
            .bindTo(ofPidfd);
    return MethodHandles.guardWithTest(
        test, NativeCalls.failing(call, code), NativeCalls.target(call));
  }

  /// That is no refusal: another way would not find one either.
  @InLoop
  @Test
  void aLackOfDescriptorsIsTold() throws Exception {
    int code = UvErrors.code("EMFILE");
    try (var _ = NativeCalls.replace("pidfd_open", NativeCalls.failing("pidfd_open", code))) {
      assertEquals(
          "EMFILE", assertThrows(UvException.class, () -> Command.of("true").start()).code());
    }
  }
}
