// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.error.UvException;
import dev.couv.host.Inside;
import dev.couv.host.Spawner;
import dev.couv.net.LocalStream;
import dev.couv.signal.Signal;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Every native call fails once. The leak check shows that no descriptor, handle or memory is left, and
/// each test that no child is.
final class ChildFaultsTest {
  private static final int EMFILE = 24;

  /// `nth` is the call that fails.
  @InLoop
  @ParameterizedTest
  @CsvSource({
    "POSIX, uv_pipe, 1",
    "POSIX, uv_pipe, 2",
    "POSIX, uv_pipe, 3",
    "POSIX, uv_pipe_init, 1",
    "POSIX, uv_pipe_init, 3",
    "POSIX, uv_pipe_open, 1",
    "POSIX, uv_pipe_open, 2",
    "POSIX, uv_socketpair, 1",
    "POSIX, uv_pipe_init, 4",
    "POSIX, uv_pipe_open, 4",
    "POSIX, posix_spawn_file_actions_init, 1",
    "POSIX, posix_spawn_file_actions_adddup2, 1",
    "POSIX, posix_spawn_file_actions_addclose, 1",
    "POSIX, posix_spawn_file_actions_addopen, 1",
    "POSIX, posix_spawn_file_actions_addclosefrom_np, 1",
    "POSIX, posix_spawn_file_actions_addchdir_np, 1",
    "POSIX, posix_spawnattr_init, 1",
    "POSIX, posix_spawnattr_setflags, 1",
    "POSIX, posix_spawnattr_setsigdefault, 1",
    "POSIX, posix_spawnattr_setsigmask, 1",
    "POSIX, posix_spawn, 1",
    "POSIX, pidfd_open, 1",
    "POSIX, pidfd_open, 2",
    "POSIX, uv_poll_init, 1",
    "POSIX, uv_poll_start, 1",
    "LIBUV, uv_spawn, 1",
    "LIBUV, pidfd_open, 1",
    "LIBUV, pidfd_open, 2",
    "LIBUV, uv_poll_start, 1",
    "LIBUV_ONLY, uv_spawn, 1"
  })
  void aStartThatFailsLeavesNothing(Spawner spawner, String call, int nth) throws Exception {
    Command command =
        Command.of("sleep", "1000")
            .stdin(Stdio.pipe())
            .stdout(Stdio.pipe())
            .stderr(Stdio.pipe())
            .stdio(3, Stdio.share())
            .stdio(5, Stdio.discard())
            .dir(Path.of("/"));
    // These answer the number itself; the others its negative, as libuv does.
    int code = call.startsWith("posix_") ? EMFILE : -EMFILE;
    Set<Long> before = children();
    try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, code, nth))) {
      var failed = assertThrows(UvException.class, () -> Ways.start(command, spawner));
      assertEquals("EMFILE", failed.code());
      assertTrue(
          failed.getMessage().contains("sleep") || call.contains("pipe"), failed.getMessage());
    }
    assertEquals(0, Loop.current().stats().handles());
    assertEquals(before, children());
  }

  /// Whichever piece of native memory is refused.
  @ParameterizedTest
  @EnumSource
  void aStartWithoutMemoryLeavesNothing(Spawner spawner) throws Exception {
    Command command =
        Command.of("sleep", "30")
            .stdin(Stdio.pipe())
            .stdout(Stdio.pipe())
            .stderr(Stdio.pipe())
            .env("NAME", "value")
            .dir(Path.of("/"));
    for (String call : new String[] {"malloc", "calloc"}) {
      AtomicInteger refused = new AtomicInteger();
      for (int nth = 1; nth <= 10; nth++) {
        MethodHandle failing = NativeCalls.failing(call, 0, nth);
        Loop.run(
            () -> {
              Set<Long> before = children();
              try (var _ = NativeCalls.replace(call, failing)) {
                Ways.start(command, spawner).close();
              } catch (OutOfMemoryError e) {
                refused.incrementAndGet();
                Set<Long> after = children();
                after.removeAll(before);
                assertEquals(Set.of(), after);
              }
            });
      }
      assertTrue(refused.get() > 1, refused + " times " + call);
    }
  }

  private static Set<Long> children() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
  }

  @InLoop
  @Test
  void anEndThatCannotBeAskedForIsReported() throws Exception {
    try (Child child = Command.of("true").start()) {
      try (var _ =
          NativeCalls.replace("waitid", NativeCalls.failing("waitid", UvErrors.code("EINVAL")))) {
        assertEquals("EINVAL", assertThrows(UvException.class, child::await).code());
      }
      Inside.leave(child.pid());
    }
    while (Inside.leftovers() > 0) {
      Coroutine.pause();
      Inside.reapLeftovers();
    }
  }

  @InLoop
  @Test
  void aSignalThatCannotBeSentIsReported() throws Exception {
    try (Child child = Command.of("sleep", "1000").detached(true).start()) {
      for (String call : new String[] {"pidfd_send_signal", "uv_kill"}) {
        int code = UvErrors.code("EPERM");
        try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, code))) {
          IOException failed =
              assertThrows(
                  IOException.class,
                  () -> {
                    if (call.equals("uv_kill")) {
                      child.signalGroup(Signal.TERM);
                    } else {
                      child.signal(Signal.TERM);
                    }
                  });
          assertTrue(failed.getMessage().contains("send TERM"), failed.getMessage());
        }
      }
      assertTrue(child.kill());
      child.await();
    }
  }

  /// What only tidies up, or is no more than a precaution, may fail: the child runs, and its end is told.
  @InLoop
  @ParameterizedTest
  @CsvSource({
    "POSIX, posix_spawn_file_actions_destroy",
    "POSIX, posix_spawnattr_destroy",
    "POSIX, close",
    "POSIX, uv_poll_stop",
    "LIBUV, close_range"
  })
  void aChildRunsAlsoIfWhatTidiesUpFails(Spawner spawner, String call) throws Exception {
    int code = call.startsWith("posix_") ? EMFILE : -EMFILE;
    try (var _ = NativeCalls.replace(call, NativeCalls.failingAfterwards(call, code));
        Child child = Ways.start(Command.of("echo", "hello").stdout(Stdio.pipe()), spawner)) {
      assertEquals("hello", child.stdout().lines().next());
      assertEquals(new Exit.Code(0), child.await());
    }
  }

  @Test
  void theLoopDoesNotWaitForOneThatMayNotBeKilled() throws Exception {
    long[] pid = new long[1];
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            Child child = Command.of("sleep", "1000").start();
            pid[0] = child.pid();
            int code = UvErrors.code("EPERM");
            try (var _ =
                NativeCalls.replace(
                    "pidfd_send_signal", NativeCalls.failing("pidfd_send_signal", code))) {
              child.close();
            }
          });
      assertFalse(loop.run(Mode.LOOP));
    }

    assertTrue(ProcessHandle.of(pid[0]).orElseThrow().destroyForcibly());
    while (Inside.leftovers() > 0) {
      Thread.onSpinWait();
      Inside.reapLeftovers();
    }
  }

  @InLoop
  @ParameterizedTest
  @CsvSource({"uv_fileno", "uv_stream_set_blocking"})
  void aSocketThatCannotBeGivenAwayIsReported(String call) throws Exception {
    var pair = LocalStream.pair();
    try (LocalStream first = pair.first();
        LocalStream second = pair.second()) {
      Command command = Command.of("true").stdin(Stdio.stream(second)).stdout(Stdio.pipe());
      try (var _ =
          NativeCalls.replace(call, NativeCalls.failing(call, UvErrors.code("EBADF"), 1))) {
        assertThrows(UvException.class, command::start);
      }
      assertTrue(first.isOpen() && second.isOpen());
      assertEquals(2, Loop.current().stats().handles());
    }
  }

  @Test
  void withoutADescriptorToWaitForItNothingIsStarted() throws Exception {
    List<Integer> started = new ArrayList<>();
    IntUnaryOperator noting =
        code -> {
          started.add(code);
          return code;
        };
    MethodHandle noted =
        MethodHandles.filterReturnValue(
            NativeCalls.target("posix_spawn"),
            MethodHandles.lookup()
                .findVirtual(
                    IntUnaryOperator.class,
                    "applyAsInt",
                    MethodType.methodType(int.class, int.class))
                .bindTo(noting));
    Loop.run(
        () -> {
          try (var _ = NativeCalls.replace("posix_spawn", noted);
              var _ =
                  NativeCalls.replace("pidfd_open", NativeCalls.failing("pidfd_open", -EMFILE))) {
            assertThrows(UvException.class, () -> Command.of("true").start());
          }
        });

    assertEquals(List.of(), started);
  }

  @InLoop
  @Test
  void aPipeThatLibuvDoesNotReadLeavesTheChildUsable() throws Exception {
    try (Child child = Command.of("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start()) {
      int code = UvErrors.code("EIO");
      try (var _ =
          NativeCalls.replace("uv_read_start", NativeCalls.failing("uv_read_start", code))) {
        UvException thrown = assertThrows(UvException.class, () -> child.stdout().read());
        assertEquals("EIO", thrown.code());
      }

      child.stdin().write("after all");
      child.stdin().close();

      assertEquals("after all", new String(child.stdout().readAll(100), UTF_8));
      assertEquals(new Exit.Code(0), child.await());
    }
  }

  @InLoop
  @Test
  void aStreamThatIsClosedCannotBeGivenAway() throws Exception {
    var pair = LocalStream.pair();
    pair.first().close();
    pair.second().close();
    assertThrows(
        ClosedChannelException.class,
        () -> Command.of("true").stdin(Stdio.stream(pair.second())).start());
  }

  @Test
  @Tag("jvm")
  void tooManyOpenFilesAreReportedAndLeaveNothing() throws Exception {
    List<String> words = new ArrayList<>();
    // In a process of its own: the limit is the process's.
    words.addAll(List.of("sh", "-c", "ulimit -n 250; exec \"$@\"", "sh"));
    words.addAll(FreshJvm.command(Program.class));

    Output output = Loop.run(() -> Command.of(words).output());

    assertEquals(
        "EMFILE, and then 3 descriptors more and Code[value=0]\n",
        output.stdoutText(),
        output::stderrText);
  }

  /// Starts children until no descriptor is left, ends them, and starts one more.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      Loop.run(
          () -> {
            List<Child> children = new ArrayList<>();
            Command cat = Command.of("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe());
            // Whatever the VM opens at the first use, and loads: it cannot open a class then.
            try {
              Command.of("/no/such").start();
            } catch (IOException expected) {
              System.err.println(expected);
            }
            try (Child first = cat.start()) {
              first.stdin().close();
              first.await();
            }
            int before = descriptors();
            String code = "";
            while (code.isEmpty()) {
              try {
                children.add(cat.start());
              } catch (UvException e) {
                code = e.code();
              }
            }
            for (Child child : children) {
              child.close();
            }
            try (Child last = cat.start()) {
              int more = descriptors() - before;
              while (more > 3) { // the killed ones take a moment
                Time.sleep(Duration.ofMillis(1));
                more = descriptors() - before;
              }
              last.stdin().close();
              System.out.println(
                  code + ", and then " + more + " descriptors more and " + last.await());
            }
          });
    }

    private static int descriptors() {
      String[] open = new File("/proc/self/fd").list();
      return open == null ? 0 : open.length;
    }
  }
}
