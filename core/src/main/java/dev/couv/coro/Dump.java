// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Scheduler;
import dev.couv.strand.Strand;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// The coroutines of a loop in words.
final class Dump {
  private static final long PATIENCE_MILLIS = 1000;

  private Dump() {}

  /// The coroutines of the loop's scope; below each of them the scopes it has opened, and so on.
  static String of(LoopStats stats, Block root) {
    StringJoiner tree = new StringJoiner("\n");
    branch(root, "  ", root.scheduler.events().clock(), tree);
    return "loop: %d coroutines, %d ready, %d handles, %d requests, %s engine%n%s"
        .formatted(
            stats.coroutines(),
            stats.ready(),
            stats.handles(),
            stats.requests(),
            stats.engine(),
            tree);
  }

  private static void branch(Block scope, String indent, long now, StringJoiner lines) {
    List<Strand> members = scope.members.list();
    for (Strand strand : members) {
      lines.add(indent + line(strand, now));
      for (Block inner : scope.nesting.children()) {
        if (inner.owner == strand) {
          twig(inner, indent + "  ", now, lines);
        }
      }
    }
    for (Block inner : scope.nesting.children()) {
      if (!members.contains(inner.owner)) {
        twig(inner, indent, now, lines); // its opener has ended, or it has left its zombies here
      }
    }
  }

  private static void twig(Block scope, String indent, long now, StringJoiner lines) {
    lines.add(indent + scope.describe());
    branch(scope, indent + "  ", now, lines);
  }

  /// Asked from another thread, by a coroutine whose answer that is. A loop that does not answer is busy or stuck: its
  /// stack says where.
  static String from(Scheduler scheduler, Supplier<Future<String>> asked) {
    if (!scheduler.isRunning()) {
      return "loop: not running, %d coroutines".formatted(scheduler.strands());
    }
    try {
      return asked.get().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return "loop: has not answered for %d ms; its thread is at%n%s"
          .formatted(PATIENCE_MILLIS, scheduler.thread().stack());
    } catch (CancellationException e) {
      return "loop: is ending";
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "loop: interrupted while asking it";
    }
  }

  static String list(List<Strand> strands, long now) {
    StringJoiner lines = new StringJoiner("\n");
    for (Strand strand : strands) {
      lines.add("  " + line(strand, now));
    }
    return lines.toString();
  }

  private static String line(Strand strand, long now) {
    String awaiting = strand.awaiting();
    StringBuilder line = new StringBuilder(strand.name()).append(' ').append(strand.status());
    if (awaiting != null) {
      Duration since = Duration.ofNanos(Math.max(0, now - strand.awaitingSince()));
      line.append(", awaiting ").append(awaiting).append(" for ").append(since.toMillis());
      line.append(" ms");
    }
    return line.append(", spawned at ").append(strand.site()).toString();
  }
}
