// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.DescriptorStreams;
import dev.couv.world.StreamHandle;
import dev.couv.world.TerminalHandle;
import java.io.IOException;

/// The standard streams of a process in memory, which it was given by whoever started it. What a machine runs itself has none.
final class MemoryDescriptorStreams implements DescriptorStreams {
  private final MemoryProcess process;

  MemoryDescriptorStreams(MemoryProcess process) {
    this.process = process;
  }

  private Descriptors.Target target(int descriptor, String name) throws IOException {
    if (process.isFirst()) {
      throw new UnsupportedOperationException(
          "a machine in memory has no terminal, and its own program no standard streams: a child"
              + " has those that it is given ("
              + name
              + ")");
    }
    Descriptors.Target target = process.descriptors().at(descriptor);
    if (target == null) {
      throw Failures.named("EBADF", "open", name);
    }
    return target;
  }

  @Override
  public Kind kind(int descriptor, String name) throws IOException {
    return switch (target(descriptor, name)) {
      case Descriptors.Socket _ -> Kind.PIPE;
      case Descriptors.Opened _ -> Kind.FILE;
    };
  }

  @Override
  public int duplicate(int descriptor, String name) throws IOException {
    Descriptors.Target target = target(descriptor, name);
    target.shared();
    return process.descriptors().add(target);
  }

  @Override
  public StreamHandle pipe(EventLoop loop, int descriptor, String name) throws IOException {
    if (!(target(descriptor, name) instanceof Descriptors.Socket(End end))) {
      throw new AssertionError(name + " is no pipe");
    }
    process.enter(loop);
    end.shared();
    return new MemoryPipe(end, loop, name);
  }

  @Override
  public TerminalHandle terminal(EventLoop loop, int descriptor, String name) {
    throw new AssertionError("no descriptor in memory is a terminal");
  }
}
