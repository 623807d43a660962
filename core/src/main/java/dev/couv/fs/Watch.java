// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.PathBytes;
import dev.couv.strand.Suspension;
import dev.couv.world.Watching;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A path that is watched until this is closed. [#next] gives the oldest change that nobody has taken, or
/// waits for one: changes are kept while nobody waits. If there are more than can be kept, that is told as
/// a change of its own, [ChangeKind#OVERFLOW].
///
/// ```java
/// try (var watch = Watch.path(Path.of("src"), WatchOptions.DEFAULT.withRecursive(true))) {
///   while (true) IO.println(watch.next());
/// }
/// ```
///
/// An event like others: it can be selected among, and callbacks can be subscribed.
public final class Watch extends Event<PathChange> {
  /// What is kept while nobody waits.
  private static final int KEPT = 1 << 16;

  private static final Duration SHORTEST_POLL = Duration.ofMillis(1);
  private static final Duration LONGEST_POLL = Duration.ofMillis(Integer.MAX_VALUE);

  private final Path path;
  private @Nullable Runnable end;
  private boolean overflown;

  private Watch(Path path) {
    this.path = path;
  }

  /// Watches a directory, or a file, which may be removed and made again meanwhile. If the path leads through symbolic
  /// links, what it leads to is watched, and when one of them is turned elsewhere, that is told (a directory as
  /// removed and created) and the new one watched. Waits until it is watched.
  ///
  /// @throws IOException if there is nothing at the path, or the system's limit of watched directories is
  ///     reached (`ENOSPC`, `EMFILE`)
  /// @throws UnsupportedOperationException where only [#poll] is there: elsewhere than on Linux
  public static Watch path(Path path) throws IOException {
    return path(path, WatchOptions.DEFAULT);
  }

  /// Watches a directory or a file as the options say, else as [#path(Path)] does.
  public static Watch path(Path path, WatchOptions options) throws IOException {
    PathBytes.check(path);
    Objects.requireNonNull(options, "options");
    EventLoop loop = Suspension.loop("Watch.path");
    Watch watch = new Watch(path);
    Debounce debounce = new Debounce(loop, options.debounce(), watch::told);
    try {
      WatchedTree tree =
          WatchedTree.open(Loop.current(), loop, path, options.recursive(), debounce);
      watch.end =
          () -> {
            tree.close();
            debounce.close();
          };
      tree.watchBelow();
    } catch (Throwable failed) {
      watch.close();
      throw failed;
    }
    return watch;
  }

  /// Compares what is known about the path every so often: for files of which the system tells nothing,
  /// those on a network or in `/proc`. It need not be there yet.
  public static Watch poll(Path path, Duration interval) throws IOException {
    PathBytes.check(path);
    if (interval.compareTo(SHORTEST_POLL) < 0 || interval.compareTo(LONGEST_POLL) > 0) {
      throw new IllegalArgumentException("an interval from 1 ms to 24 days, not " + interval);
    }
    EventLoop loop = Suspension.loop("Watch.poll");
    Watch watch = new Watch(path);
    Watching watching = Suspension.world().watching();
    Debounce atOnce = new Debounce(loop, Duration.ZERO, watch::told);
    try {
      int millis = (int) interval.toMillis();
      watch.end = watching.poll(loop, path, millis, event -> atOnce.happened(path, event));
    } catch (Throwable failed) {
      watch.close();
      throw failed;
    }
    return watch;
  }

  /// What is watched.
  public Path path() {
    return path;
  }

  /// Waits for the next change. Cancelling loses none.
  public PathChange next() throws IOException {
    if (isClosed()) {
      throw Failures.closed(this);
    }
    try {
      return await();
    } catch (ClosedException closed) {
      throw Failures.closedWhile(this, "awaited");
    } catch (Exception e) {
      throw Failures.io(e);
    }
  }

  private void told(PathChange change) {
    if (kept() < KEPT) {
      overflown = false;
      fireOnLoop(change, null);
    } else if (!overflown) {
      overflown = true;
      fireOnLoop(new PathChange(path, ChangeKind.OVERFLOW), null);
    }
  }

  @Override
  protected boolean keeps() {
    return true;
  }

  @Override
  protected boolean keepsAlive() {
    return true;
  }

  @Override
  protected void onDispose() {
    if (end != null) {
      end.run();
    }
  }

  @Override
  public String toString() {
    return "changes of " + path;
  }
}
