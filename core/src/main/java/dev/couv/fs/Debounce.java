// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import dev.couv.loop.TimerQueue;
import dev.couv.world.PathEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Gathers changes for a while from the first one on, and tells each path once, in the order of their
/// first changes. Without a while, tells everything at once.
///
/// What became of a path is what its last change says; one that was made and changed since is still new.
final class Debounce extends TimerEntry {
  private final EventLoop loop;
  private final long nanos;
  private final Consumer<PathChange> told;
  private final Map<Path, ChangeKind> gathered = new LinkedHashMap<>();

  Debounce(EventLoop loop, Duration during, Consumer<PathChange> told) {
    this.loop = loop;
    this.nanos = TimerQueue.nanos(during);
    this.told = told;
  }

  /// What the system tells of something else than the directory itself that it listens to.
  void happened(Path path, PathEvent event) {
    ChangeKind kind = ChangeKind.of(event);
    if (kind != null) {
      changed(path, kind);
    }
  }

  void changed(Path path, ChangeKind kind) {
    if (nanos == 0) {
      told.accept(new PathChange(path, kind));
      return;
    }
    gathered.merge(path, kind, Debounce::merged);
    if (!isQueued()) {
      loop.timers().add(this, loop.clock() + nanos);
    }
  }

  private static ChangeKind merged(ChangeKind before, ChangeKind now) {
    return switch (now) {
      case MODIFIED -> before == ChangeKind.CREATED || before == ChangeKind.OVERFLOW ? before : now;
      case ATTRIBUTES -> before == ChangeKind.REMOVED ? now : before; // all others say more
      case CREATED -> before == ChangeKind.REMOVED ? ChangeKind.MODIFIED : now;
      case REMOVED -> before == ChangeKind.OVERFLOW ? before : now;
      case OVERFLOW -> now;
    };
  }

  @Override
  protected void due() {
    List<PathChange> changes =
        gathered.entrySet().stream()
            .map(each -> new PathChange(each.getKey(), each.getValue()))
            .toList();
    gathered.clear();
    changes.forEach(told);
  }

  void close() {
    gathered.clear();
    if (isQueued()) {
      loop.timers().remove(this);
    }
  }
}
