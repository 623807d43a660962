// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.List;

/// What a child process of a simulated host does, in the place of a program of the system: see [Simulation#program(String, Program)].
///
/// It runs in a loop of its own, and whatever it calls of Couv is that of a process of its own: its standard streams are
/// [dev.couv.tty.Terminal#stdin] and its likes, its variables [dev.couv.process.Env], its directory [dev.couv.process.Dir], its
/// signals [dev.couv.signal.Signal#await], its number [dev.couv.info.Info#pid].
@FunctionalInterface
public interface Program {
  /// Runs it, as a coroutine. Returns the code that it ends with: 0 if all went well. An exception is told at its error output,
  /// and the code is 1.
  int run(List<String> arguments) throws Exception;
}
