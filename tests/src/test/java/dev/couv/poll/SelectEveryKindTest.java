// SPDX-License-Identifier: Apache-2.0
package dev.couv.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Trigger;
import dev.couv.fs.Watch;
import dev.couv.net.Names;
import dev.couv.process.Command;
import dev.couv.process.Stdio;
import dev.couv.signal.Signal;
import dev.couv.sync.Chan;
import dev.couv.sync.Promise;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Everything that can be awaited, in one select: each wins when it is its turn to happen, and the others
/// are left as they were.
class SelectEveryKindTest {
  @TempDir Path dir;

  @InLoop
  @Test
  void eachKindOfEventWinsWhenItHappens() throws Exception {
    try (RawPair pair = new RawPair();
        var timer = Time.after(Duration.ofHours(1));
        var readable = Poll.on(pair.first(), Readiness.READABLE);
        var signal = Signal.watch(Signal.USR1);
        var child = Command.of("cat").stdin(Stdio.pipe()).start();
        var changes = Watch.path(dir);
        var trigger = new Trigger<String>()) {
      Chan<String> orders = Chan.create(0);
      var order = orders.receiving();
      Promise<String> promise = new Promise<>();
      List<Awaitable<?>> rest =
          new ArrayList<>(
              List.of(timer, readable, signal, child, changes, trigger, order, promise));

      RawPair.write(pair.second(), 1);
      wins(rest, readable);
      Signal.send(ProcessHandle.current().pid(), Signal.USR1);
      wins(rest, signal);
      child.stdin().close();
      wins(rest, child);
      Files.createFile(dir.resolve("file"));
      wins(rest, changes);
      Thread.ofPlatform().start(() -> trigger.trigger("from elsewhere"));
      wins(rest, trigger);
      Coroutine.spawn(() -> orders.send("bread"));
      wins(rest, order);
      Thread.ofPlatform().start(() -> promise.complete("kept"));
      wins(rest, promise);
      try (var name = Names.resolving("localhost", "80")) {
        rest.add(name);
        wins(rest, name);
      }
      try (var soon = Time.after(Duration.ofMillis(1))) {
        rest.add(soon);
        wins(rest, soon);
      }
      assertEquals(List.of(timer), rest);
    }
  }

  /// It is the one that is selected; from then on it is left out.
  private static void wins(List<Awaitable<?>> rest, Awaitable<?> expected) throws Exception {
    assertSame(expected, Await.select(rest).source());
    rest.remove(expected);
  }
}
