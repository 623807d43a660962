// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.host.Inside;
import dev.couv.host.Spawner;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import java.io.IOException;

/// Starts commands by each of the ways there are, whichever the system would choose.
final class Ways {
  private Ways() {}

  static Child start(Command command, Spawner spawner) throws IOException {
    EventLoop loop = Suspension.loop("Command.start");
    return command.start(loop, Inside.prepare(loop, command.program(), spawner));
  }
}
