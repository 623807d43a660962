// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import java.util.List;

/// Who runs the processes of a machine in memory that are started by others there: each in loops of its own, on the one thread.
public interface Runner {
  /// What a program does: its arguments in, its code out.
  @FunctionalInterface
  interface Main {
    int run(List<String> arguments) throws Exception;
  }

  /// Runs it from now on; the process is told when that has [ended][MemoryProcess#ended]. Called between the turns of all loops.
  void run(MemoryProcess process, Main main);

  /// The process is no more: its loops end, and its code unwinds. Called between the turns of all loops.
  void end(MemoryProcess process);
}
