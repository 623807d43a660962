// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import dev.couv.world.DirectoryEvents;
import dev.couv.world.PathEvent;
import dev.couv.world.Watching;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How programs of a machine in memory learn of changes of its files: with the next event, and nothing gets lost.
final class MemoryWatching implements Tree.Watcher {
  private final Node node;
  private final Map<EventLoop, Events> byLoop = new LinkedHashMap<>();

  MemoryWatching(Node node) {
    this.node = node;
  }

  /// Whoever watched there is gone.
  void forget(MemoryProcess process) {
    byLoop.values().removeIf(events -> events.process == process);
  }

  /// As that process sees it.
  Watching of(MemoryProcess process) {
    return new Watching() {
      @Override
      public DirectoryEvents join(EventLoop loop, DirectoryEvents.Member member) {
        return MemoryWatching.this.join(process, loop, member);
      }

      @Override
      public Runnable poll(EventLoop loop, Path path, int millis, Consumer<PathEvent> told) {
        process.enter(loop);
        Poll poll = new Poll(loop, process.absolute(path), millis * 1_000_000L, told);
        poll.next();
        return poll::end;
      }
    };
  }

  @Override
  public void happened(
      Inode directory, PathEvent event, boolean ofDirectory, @Nullable String name) {
    for (Events events : List.copyOf(byLoop.values())) {
      events.happened((int) directory.number, event, ofDirectory, name);
    }
  }

  private DirectoryEvents join(
      MemoryProcess process, EventLoop loop, DirectoryEvents.Member member) {
    process.enter(loop);
    Events events = byLoop.computeIfAbsent(loop, at -> new Events(process, at));
    events.members.add(member);
    return events;
  }

  private final class Events implements DirectoryEvents {
    private record Listening(Interest interest, Listener listener) {}

    private final MemoryProcess process;
    private final EventLoop loop;
    private final Set<Member> members = new LinkedHashSet<>();
    private final Map<Integer, List<Listening>> listeners = new LinkedHashMap<>();
    private long happened;
    private long told;

    Events(MemoryProcess process, EventLoop loop) {
      this.process = process;
      this.loop = loop;
    }

    void happened(int number, PathEvent event, boolean ofDirectory, @Nullable String name) {
      if (!listeners.containsKey(number)) {
        return;
      }
      happened++;
      node.network()
          .agenda()
          .soon(
              node,
              () -> {
                told++;
                for (Listening each : List.copyOf(listeners.getOrDefault(number, List.of()))) {
                  if (each.interest() == Interest.ALL
                      || (event != PathEvent.MODIFIED && event != PathEvent.ATTRIBUTES)) {
                    each.listener()
                        .happened(event, ofDirectory, name == null ? null : Path.of(name));
                  }
                }
              });
    }

    @Override
    public int listen(Path directory, Interest interest, Listener listener) {
      try {
        Inode inode = node.tree().inode(process.absolute(directory), interest == Interest.NAMES);
        if (!inode.isDirectory()) {
          return ABSENT;
        }
        int number = (int) inode.number;
        List<Listening> there = listeners.computeIfAbsent(number, _ -> new ArrayList<>(1));
        there.removeIf(each -> each.listener() == listener);
        there.add(new Listening(interest, listener));
        return number;
      } catch (Errno absent) {
        return ABSENT;
      }
    }

    @Override
    public void unlisten(int number, Listener listener) {
      List<Listening> there = listeners.get(number);
      if (there != null) {
        there.removeIf(each -> each.listener() == listener);
        if (there.isEmpty()) {
          listeners.remove(number);
        }
      }
    }

    @Override
    public long mark() {
      return happened;
    }

    @Override
    public boolean hasTold(long mark) {
      return told >= mark;
    }

    @Override
    public boolean isOpen() {
      return !members.isEmpty();
    }

    @Override
    public void leave(Member member) {
      members.remove(member);
      if (members.isEmpty()) {
        byLoop.remove(loop);
      }
    }
  }

  private final class Poll extends TimerEntry {
    /// What is compared; null if there is nothing.
    private record State(long number, long size, Object modified, Object changed) {}

    private final EventLoop loop;
    private final Path path;
    private final long nanos;
    private final Consumer<PathEvent> told;
    private @Nullable State known;

    Poll(EventLoop loop, Path path, long nanos, Consumer<PathEvent> told) {
      this.loop = loop;
      this.path = path;
      this.nanos = nanos;
      this.told = told;
      known = look();
    }

    private @Nullable State look() {
      try {
        Inode inode = node.tree().inode(path, true);
        return new State(inode.number, inode.size(), inode.modified, inode.changed);
      } catch (Errno absent) {
        return null;
      }
    }

    void next() {
      loop.timers().hide(this, true);
      loop.timers().add(this, loop.clock() + nanos);
    }

    void end() {
      loop.timers().remove(this);
    }

    @Override
    protected void due() {
      State before = known;
      known = look();
      next();
      if (!Objects.equals(before, known)) {
        told.accept(event(before, known));
      }
    }

    private static PathEvent event(@Nullable State before, @Nullable State now) {
      if (before == null) {
        return PathEvent.APPEARED;
      } else if (now == null) {
        return PathEvent.DISAPPEARED;
      }
      return before.number() == now.number() && before.modified().equals(now.modified())
          ? PathEvent.ATTRIBUTES
          : PathEvent.MODIFIED;
    }
  }
}
