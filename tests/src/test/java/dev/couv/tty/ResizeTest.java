// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.ClosedException;
import dev.couv.error.UvException;
import dev.couv.signal.Signal;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Sizes of a pseudo-terminal that is not this process's own: so the signal is sent by hand.
final class ResizeTest {
  private static void resize(Pty pty, int columns, int rows) throws Exception {
    pty.stty("cols", Integer.toString(columns), "rows", Integer.toString(rows));
    Signal.send(ProcessHandle.current().pid(), Signal.WINCH);
  }

  @InLoop
  @Test
  void whoAwaitsIsToldTheNewSize() throws Exception {
    try (var pty = new Pty()) {
      pty.stty("cols", "80", "rows", "24");
      try (var terminal = pty.terminal();
          var resize = terminal.onResize()) {
        var first = Coroutine.spawn(resize::await);
        var second = Coroutine.spawn(resize::await);
        Coroutine.pause();
        resize(pty, 100, 30);
        assertEquals(new TerminalSize(100, 30), first.await());
        assertEquals(new TerminalSize(100, 30), second.await());
        assertEquals(new TerminalSize(100, 30), terminal.size());
      }
    }
  }

  @InLoop
  @Test
  void changesWhileNobodyWaitsAreToldAsOne() throws Exception {
    try (var pty = new Pty()) {
      pty.stty("cols", "80", "rows", "24");
      try (var terminal = pty.terminal();
          var resize = terminal.onResize()) {
        pty.stty("cols", "90");
        pty.stty("cols", "95");
        assertEquals(new TerminalSize(95, 24), resize.await());
        var waiting = Coroutine.spawn(resize::await);
        Coroutine.pause();
        resize(pty, 95, 24); // a signal, and no change
        resize(pty, 96, 24);
        assertEquals(new TerminalSize(96, 24), waiting.await());
      }
    }
  }

  @InLoop
  @Test
  void canBeSelectedAndLeftAlone() throws Exception {
    try (var pty = new Pty()) {
      pty.stty("cols", "80", "rows", "24");
      try (var terminal = pty.terminal();
          var resize = terminal.onResize();
          var timer = Time.after(Duration.ofMillis(1))) {
        assertSame(timer, Await.select(resize, timer).source());
        pty.stty("rows", "40");
        var selected = Await.select(resize, Time.after(Duration.ofHours(1)));
        assertEquals(new TerminalSize(80, 40), selected.value());
      }
    }
  }

  @InLoop
  @Test
  void whoIsCancelledOrResumedMissesNothing() throws Exception {
    try (var pty = new Pty()) {
      pty.stty("cols", "80", "rows", "24");
      try (var terminal = pty.terminal();
          var resize = terminal.onResize()) {
        var cancelled = Coroutine.spawn(resize::await);
        Coroutine.pause();
        cancelled.cancel();
        assertThrows(CancellationException.class, cancelled::await);
        var resumed = Coroutine.spawn(() -> assertThrows(Resumed.class, resize::await));
        Coroutine.pause();
        resumed.resume();
        pty.stty("cols", "81");
        assertEquals(new TerminalSize(81, 24), resize.await());
      }
    }
  }

  @InLoop
  @Test
  void callbacksAreToldWhileItIsStarted() throws Exception {
    try (var pty = new Pty()) {
      pty.stty("cols", "80", "rows", "24");
      try (var terminal = pty.terminal();
          var resize = terminal.onResize()) {
        List<TerminalSize> told = new ArrayList<>();
        resize.subscribe((size, error) -> told.add(size));
        resize.start();
        resize(pty, 81, 24);
        resize.await();
        Coroutine.pause(); // callbacks are told by a coroutine
        resize.stop();
        assertEquals(List.of(new TerminalSize(81, 24)), told);
      }
    }
  }

  @InLoop
  @Test
  void closingWakesWhoAwaitsAndAClosedTerminalIsTold() throws Exception {
    try (var pty = new Pty()) {
      var terminal = pty.terminal();
      var resize = terminal.onResize();
      var waiting = Coroutine.spawn(() -> assertThrows(ClosedException.class, resize::await));
      Coroutine.pause();
      resize.close();
      waiting.await();
      var late = terminal.onResize();
      terminal.close();
      assertThrows(ClosedException.class, late::await);
      late.close();
    }
  }

  @InLoop
  @Test
  void aTerminalThatIsClosedWakesWhoAwaitsItsSize() throws Exception {
    try (var pty = new Pty()) {
      var terminal = pty.terminal();
      try (var first = terminal.onResize();
          var second = terminal.onResize();
          var idle = terminal.onResize()) {
        var waiters = new ArrayList<Coroutine<?>>();
        for (var event : List.of(first, first, second)) {
          waiters.add(Coroutine.spawn(() -> assertThrows(ClosedException.class, event::await)));
        }
        Coroutine.pause();
        terminal.close();
        for (var waiter : waiters) {
          waiter.await();
        }
        assertThrows(ClosedException.class, first::await);
        assertThrows(ClosedException.class, idle::await);
      }
    }
  }

  @Test
  void aSignalThatComesWithTheEndOfATerminalHarmsNobody() throws Exception {
    try (var pty = new Pty()) {
      Loop.run(
          () -> {
            var terminal = pty.terminal();
            try (var resize = terminal.onResize();
                var seen = Signal.watch(Signal.WINCH)) {
              List<Throwable> told = new ArrayList<>();
              resize.subscribe((size, error) -> told.add(error));
              resize.start();
              Signal.send(ProcessHandle.current().pid(), Signal.WINCH);
              seen.await();
              terminal.close(); // before the event hears of it
              Signal.send(ProcessHandle.current().pid(), Signal.WINCH);
              seen.await();
              Coroutine.pause();
              assertEquals(1, told.size());
              assertEquals(ClosedException.class, told.getFirst().getClass());
            }
          });
      Loop.run(
          () -> {
            var resize = pty.terminal().onResize();
            resize.hidden(true).start(); // the loop ends with it
          });
    }
  }

  @Test
  void aSignalThatCannotBeWatchedIsTold() throws Exception {
    int code = UvErrors.code("EMFILE");
    try (var pty = new Pty()) {
      Loop.run(
          () -> {
            try (var terminal = pty.terminal();
                var resize = terminal.onResize();
                var _ =
                    NativeCalls.replace(
                        "uv_signal_start", NativeCalls.failing("uv_signal_start", code))) {
              assertEquals("EMFILE", assertThrows(UvException.class, resize::await).code());
            }
          });
    }
  }
}
