// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.EventLoop;
import java.io.IOException;

/// The start of a child, in the order that leaves nothing behind when a step fails: first what can be
/// found missing, then the descriptors, last the process.
final class Start {
  private Start() {}

  static Child of(EventLoop loop, Command command, Spawner spawner) throws IOException {
    Leftovers.reap();
    byte[] program = ProgramSearch.find(command.words().getFirst(), command.dir());
    try (ChildEnds ends = ChildEnds.open(loop, command);
        Launch launch = new Launch(command, program, ends.sources())) {
      Child child = new Child(loop, command);
      ExitWatch watch = spawner.start(loop, launch, child);
      child.started(watch, ends.keepStreams(), ends.lent());
      return child;
    }
  }
}
