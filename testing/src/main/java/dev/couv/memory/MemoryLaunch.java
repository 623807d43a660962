// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.ExitWatch;
import dev.couv.world.Launch;
import dev.couv.world.LocalName;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/// A program of a machine in memory on its way to become a process. Owns what the child is given until that has it.
final class MemoryLaunch implements Launch {
  private static final int STANDARD = 3;
  private static final LocalName NAMELESS = new LocalName(new byte[0], false);

  private final MemoryProcess parent;
  private final Node node;
  private final EventLoop loop;
  private final MemoryProcess.Birth birth;
  private final Runner runner;
  private final Runner.Main main;
  private final TreeMap<Integer, Descriptors.Target> targets = new TreeMap<>();

  MemoryLaunch(
      MemoryProcess parent,
      EventLoop loop,
      MemoryProcess.Birth birth,
      Runner runner,
      Runner.Main main) {
    this.parent = parent;
    this.loop = loop;
    this.birth = birth;
    this.runner = runner;
    this.main = main;
    node = parent.node();
  }

  private void put(int descriptor, Descriptors.Target target) {
    Descriptors.Target before = targets.put(descriptor, target);
    if (before != null) {
      before.released();
    }
  }

  @Override
  public void inherit(int descriptor) {
    Descriptors.Target own = parent.descriptors().at(descriptor);
    if (own == null) {
      discard(descriptor);
    } else {
      own.shared();
      put(descriptor, own);
    }
  }

  @Override
  public void discard(int descriptor) {
    put(descriptor, new Descriptors.Opened(node.tree().nowhere()));
  }

  @Override
  public void give(int descriptor, int owned) {
    Descriptors.Target own = Objects.requireNonNull(parent.descriptors().at(owned));
    own.shared();
    put(descriptor, own);
  }

  @Override
  public void giveByNumber(int descriptor, int number) throws IOException {
    Descriptors.Target own = parent.descriptors().at(number);
    if (own == null && number < STANDARD) {
      throw Failures.named("EBADF", "give", "fd " + number + " to " + birth.words().getFirst());
    } else if (own == null) {
      throw Failures.named("EBADF", "start", birth.words().getFirst());
    }
    own.shared();
    put(descriptor, own);
  }

  @Override
  public StreamHandle pipe(int descriptor, String name) {
    End ours = new End(node, true, (end, on) -> new MemoryPipe(end, on, name));
    End theirs = new End(node, true, (end, on) -> new MemoryPipe(end, on, name));
    End.pipe(ours, theirs);
    put(descriptor, new Descriptors.Socket(theirs));
    return ours.handle(loop);
  }

  @Override
  public int socket(int descriptor) {
    End ours = socket();
    End theirs = socket();
    End.made(ours, theirs);
    put(descriptor, new Descriptors.Socket(theirs));
    return parent.descriptors().add(new Descriptors.Socket(ours));
  }

  private End socket() {
    return new End(node, true, (end, on) -> new MemoryLocal(end, on, NAMELESS, NAMELESS));
  }

  @Override
  public ExitWatch start(ExitWatch.Listener listener) throws IOException {
    if (parent.isOver()) {
      throw Failures.named("EAGAIN", "start", birth.words().getFirst()); // nothing starts there
    }
    MemoryProcess child = node.add(birth);
    targets.forEach(child.descriptors()::put);
    targets.clear();
    child.watch(loop, listener);
    node.history("start", child.toString());
    node.network()
        .agenda()
        .soon(
            node,
            () -> {
              if (!child.isOver()) {
                runner.run(child, main);
              }
            });
    return new Running(parent, child);
  }

  @Override
  public void close() {
    targets.values().forEach(Descriptors.Target::released);
    targets.clear();
  }

  /// As its parent sees it, until that has ended.
  private record Running(MemoryProcess parent, MemoryProcess child) implements ExitWatch {
    @Override
    public long pid() {
      return child.pid();
    }

    @Override
    public boolean signal(String name) {
      return sent(child.isOver() ? List.of() : List.of(child), name);
    }

    @Override
    public boolean signalGroup(String name) {
      return sent(child.node().group(child.pid()), name);
    }

    private boolean sent(List<MemoryProcess> to, String name) {
      if (parent.isOver()) {
        return false;
      }
      to.forEach(each -> each.signals().send(name));
      return !to.isEmpty();
    }
  }
}
