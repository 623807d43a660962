// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.world.ExitWatch;
import dev.couv.world.LoopThreads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A program that runs on a machine in memory, from its start to its end: what it has open, its directory and variables, its
/// signals. When it has ended, whatever its code still does while it unwinds has no effect.
public final class MemoryProcess {
  /// What is known when it is started.
  ///
  /// @param words its name and its arguments
  /// @param parent who started it; null for what the machine itself runs
  /// @param detached whether it leads a group of its own
  record Birth(
      List<String> words,
      Path file,
      @Nullable MemoryProcess parent,
      boolean detached,
      Path dir,
      Map<String, String> variables) {}

  private final Node node;
  private final long pid;
  private final Birth birth;
  private final long group;
  private final MemoryEnvironment environment;
  private final MemorySignals signals;
  private final Descriptors descriptors = new Descriptors();
  private final MemoryWorld world;

  private final Map<EventLoop, Set<MemoryHandle>> open = new LinkedHashMap<>();
  private final Set<MemoryCall<?>> calls = new LinkedHashSet<>();
  private final List<MemoryHandle> lost = new ArrayList<>();
  private Path dir;
  private int nice;
  private boolean over;
  private UnaryOperator<Executor> callOrder = UnaryOperator.identity();
  private LoopThreads threads =
      (_, _) -> {
        throw new UnsupportedOperationException(
            "a world in memory has one thread, and no LoopPool: a simulation has both");
      };

  /// Who waits for its end; null if nobody does, or he was told.
  private @Nullable Watcher watcher;

  private record Watcher(EventLoop loop, ExitWatch.Listener listener) {}

  MemoryProcess(Node node, long pid, Birth birth) {
    this.node = node;
    this.pid = pid;
    this.birth = birth;
    MemoryProcess parent = birth.parent();
    group = parent == null || birth.detached() ? pid : parent.group;
    nice = parent == null ? 0 : parent.nice;
    dir = birth.dir();
    environment = new MemoryEnvironment(this, birth.variables());
    signals = new MemorySignals(this);
    world = new MemoryWorld(this);
  }

  /// The one whose coroutine calls; else the machine's own program.
  static MemoryProcess here(Node node) {
    return Suspension.world() instanceof MemoryWorld memory && memory.process().node == node
        ? memory.process()
        : node.program();
  }

  // ---- what it is

  public Node node() {
    return node;
  }

  public long pid() {
    return pid;
  }

  /// As it was called.
  public String name() {
    return birth.words().getFirst();
  }

  public List<String> arguments() {
    return birth.words().subList(1, birth.words().size());
  }

  Path file() {
    return birth.file();
  }

  /// 1 if nobody is left who started it.
  long parentPid() {
    MemoryProcess parent = birth.parent();
    return parent == null || parent.over ? 1 : parent.pid;
  }

  long group() {
    return group;
  }

  /// Whether the machine runs it, and nobody there started it.
  boolean isFirst() {
    return birth.parent() == null;
  }

  /// The world as it sees it.
  public MemoryWorld world() {
    return world;
  }

  MemoryEnvironment environment() {
    return environment;
  }

  MemorySignals signals() {
    return signals;
  }

  Descriptors descriptors() {
    return descriptors;
  }

  int nice() {
    return nice;
  }

  void nice(int newNice) {
    nice = newNice;
  }

  /// Who runs the loops of its pools.
  public void threads(LoopThreads newThreads) {
    threads = newThreads;
  }

  /// Who decides when calls are made on other threads; nobody does unless told.
  public void callOrder(UnaryOperator<Executor> newOrder) {
    callOrder = newOrder;
  }

  Executor calls(Executor on) {
    return callOrder.apply(on);
  }

  LoopThreads threads() {
    return threads;
  }

  /// The directory that relative paths start from.
  Path dir() {
    return dir;
  }

  void dir(Path newDir) {
    dir = newDir;
  }

  Path absolute(Path path) {
    return path.isAbsolute() ? path : dir.resolve(path);
  }

  // ---- what it has open

  /// The handle is closed when its loop ends.
  void opened(MemoryHandle handle) {
    EventLoop at = handle.loop();
    enter(at);
    open.computeIfAbsent(
            at,
            added -> {
              added.atEnd(() -> loopEnds(added));
              return new LinkedHashSet<>();
            })
        .add(handle);
  }

  /// That loop is one of its own.
  ///
  /// @throws UnsupportedOperationException if it is of another thread than those that used the machine before
  void enter(EventLoop entering) {
    node.enter(entering);
  }

  void closed(MemoryHandle handle) {
    Set<MemoryHandle> among = open.get(handle.loop());
    if (among != null) {
      among.remove(handle);
    }
  }

  private void loopEnds(EventLoop ended) {
    Set<MemoryHandle> left = open.remove(ended);
    if (left != null) {
      new ArrayList<>(left).forEach(MemoryHandle::close);
    }
    node.left(ended, open.isEmpty() ? null : open.keySet().iterator().next());
  }

  /// Those that are under way, so that nobody waits for them when there is nobody to make them.
  Set<MemoryCall<?>> calls() {
    return calls;
  }

  // ---- its end

  /// Whether a signal lets it stand still.
  public boolean isStopped() {
    return signals.isStopped();
  }

  /// Whether it has ended: nothing that its code does reaches anybody.
  public boolean isOver() {
    return over;
  }

  /// Tells that listener of its end, in that loop.
  void watch(EventLoop loop, ExitWatch.Listener listener) {
    watcher = new Watcher(loop, listener);
  }

  /// It has ended by itself, or by the signal of that name. What it has open is closed by the system.
  public void ended(int code, @Nullable String signal) {
    if (over) {
      return;
    }
    for (Set<MemoryHandle> handles : List.copyOf(open.values())) {
      List.copyOf(handles).forEach(MemoryHandle::close);
    }
    open.clear();
    node.watching().forget(this);
    descriptors.close();
    over = true;
    node.gone(this);
    Watcher told = watcher;
    watcher = null;
    if (!isFirst()) {
      node.history("end", this + (signal == null ? " with " + code : " by " + signal));
    }
    MemoryProcess parent = birth.parent();
    if (told != null && parent != null && !parent.over) {
      told.loop().post(() -> told.listener().ended(code, signal)); // refused: that loop has ended
      parent.signals.arrived("CHLD");
    }
  }

  /// A signal ends it, wherever its code is.
  void kill(String signal) {
    if (isFirst()) {
      node.killed();
    } else if (!over) {
      ended(0, signal);
      node.runner().end(this);
    }
  }

  /// Its machine has lost its power: nobody is told of anything.
  void crash() {
    over = true;
    watcher = null;
    open.values().forEach(lost::addAll);
    open.clear();
    descriptors.forget();
    node.watching().forget(this);
  }

  /// Whoever still waits for something that it had open, because he is protected, can go on and unwind.
  public void lose() {
    lost.forEach(MemoryHandle::close);
    lost.clear();
    List.copyOf(calls).forEach(MemoryCall::lost);
    calls.clear();
  }

  @Override
  public String toString() {
    return name() + " (process " + pid + ")";
  }
}
