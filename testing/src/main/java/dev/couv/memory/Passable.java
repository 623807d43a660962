// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.world.SocketHandle;

/// A socket of a machine that several handles may share, and that can be passed from one program to another there. It goes
/// with the last who has it.
interface Passable {
  /// Somebody has it, too.
  void shared();

  /// Somebody has it no more.
  void released();

  /// For that loop, which is one of those who have it.
  SocketHandle open(EventLoop loop);
}
