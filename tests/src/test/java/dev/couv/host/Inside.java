// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.signal.Signal;
import dev.couv.world.Launch;
import dev.couv.world.Program;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What tests of features look at in the native half.
public final class Inside {
  private Inside() {}

  /// Whether the system does with a signal what it does by default.
  public static boolean isDefault(Signal signal) {
    return Disposition.isDefault(signal.number());
  }

  /// What is locked while a signal is taken from the VM, or given back.
  public static Object vmSignals() {
    return VmSignals.class;
  }

  /// A launch by one of the ways, whichever the system would choose.
  public static Launch prepare(EventLoop loop, Program program, Spawner spawner)
      throws IOException {
    return HostLaunch.prepare(loop, program, spawner);
  }

  /// A process that nobody watches.
  public static int spawnUnwatched(EventLoop loop, Program program) throws IOException {
    try (HostLaunch launch = HostLaunch.prepare(loop, program, Spawner.POSIX)) {
      launch.inherit(0);
      launch.inherit(1);
      launch.inherit(2);
      return PosixSpawner.spawn(launch);
    }
  }

  /// Where programs are looked for, as the system has it.
  public static byte @Nullable [] path() throws IOException {
    return HostEnvironment.INSTANCE.bytes("PATH");
  }

  /// How many children have outlived their loops.
  public static int leftovers() {
    synchronized (HostExitWatch.LEFT) {
      return HostExitWatch.LEFT.size();
    }
  }

  public static void leave(long pid) {
    HostExitWatch.leave((int) pid);
  }

  public static void reapLeftovers() {
    HostExitWatch.reap();
  }

  public static void end(int pid) {
    HostExitWatch.end(pid);
  }
}
