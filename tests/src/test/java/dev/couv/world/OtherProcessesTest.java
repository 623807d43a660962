// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.loop.EventLoop;
import dev.couv.process.Child;
import dev.couv.process.Command;
import dev.couv.process.Exit;
import dev.couv.signal.Signal;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A loop whose children are bodies in Java: no process is started, and no signal reaches the system.
final class OtherProcessesTest {
  private static final LoopOptions ELSEWHERE = LoopOptions.DEFAULT.withWorld(new Elsewhere());

  @Test
  void aBodyRunsInThePlaceOfAProgram() throws Exception {
    Loop.run(
        ELSEWHERE,
        () -> {
          assertEquals(new Exit.Code(3), Command.of("length", "abc").run());
          assertEquals(new Exit.Code(0), Command.of("length", "").run());
        });
  }

  @Test
  void whatTheWorldHasNotIsMissing() throws Exception {
    Loop.run(
        ELSEWHERE, () -> assertThrows(NoSuchFileException.class, () -> Command.of("true").run()));
  }

  @Test
  void whoNeverEndsIsAwaitedKilledAndCancelled() throws Exception {
    Loop.run(
        ELSEWHERE,
        () -> {
          try (Child child = Command.of("forever").start()) {
            Coroutine<Exit> end = Coroutine.spawn(child::exit);
            Coroutine.pause();
            assertTrue(child.isRunning() && child.signal(Signal.TERM));
            assertEquals(new Exit.Signalled(Signal.TERM), end.await());
            assertFalse(child.kill());
          }
          Coroutine<Exit> running = Coroutine.spawn(() -> Command.of("forever").run());
          Coroutine.pause();
          running.cancel();
          assertThrows(CancellationException.class, running::await);
        });
  }

  private static final class Elsewhere implements World {
    @Override
    public Processes processes() {
      return new Bodies(
          Map.of("length", program -> program.words().get(1).length(), "forever", _ -> -1));
    }
  }

  /// By their names; a code that is negative is no end.
  private record Bodies(Map<String, Function<Program, Integer>> bodies) implements Processes {
    @Override
    public Launch prepare(EventLoop loop, Program program) throws IOException {
      Function<Program, Integer> body = bodies.get(program.name());
      if (body == null) {
        throw new NoSuchFileException(program.name());
      }
      return new Body(loop, program, body);
    }
  }

  private record Body(EventLoop loop, Program program, Function<Program, Integer> body)
      implements Launch {
    @Override
    public void inherit(int descriptor) {}

    @Override
    public void discard(int descriptor) {}

    @Override
    public void give(int descriptor, int owned) {}

    @Override
    public void giveByNumber(int descriptor, int number) {}

    @Override
    public StreamHandle pipe(int descriptor, String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int socket(int descriptor) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ExitWatch start(ExitWatch.Listener listener) {
      Running running = new Running(loop, listener);
      int code = body.apply(program);
      if (code >= 0) {
        running.ends(code, null);
      }
      return running;
    }

    @Override
    public void close() {}
  }

  private static final class Running implements ExitWatch {
    private final EventLoop loop;
    private final Listener listener;
    private boolean over;

    Running(EventLoop loop, Listener listener) {
      this.loop = loop;
      this.listener = listener;
    }

    void ends(int code, @Nullable String signal) {
      over = true;
      loop.post(() -> listener.ended(code, signal));
    }

    @Override
    public long pid() {
      return 2;
    }

    @Override
    public boolean signal(String name) {
      boolean sent = !over;
      if (sent) {
        ends(0, name);
      }
      return sent;
    }

    @Override
    public boolean signalGroup(String name) {
      return signal(name);
    }
  }
}
