// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.Memory;
import dev.couv.uv.UvEnv;
import dev.couv.world.Launch;
import dev.couv.world.Processes;
import dev.couv.world.Program;
import java.io.IOException;

/// The processes of the machine.
final class HostProcesses implements Processes {
  static final HostProcesses INSTANCE = new HostProcesses();

  private static final long SELF = ProcessHandle.current().pid();

  private HostProcesses() {}

  @Override
  public Launch prepare(EventLoop loop, Program program) throws IOException {
    return HostLaunch.prepare(loop, program, HostLaunch.spawnerOf(program));
  }

  @Override
  public long pid() {
    return SELF;
  }

  @Override
  public int priority(long pid) throws IOException {
    return Answers.room(
        Integer.BYTES,
        at -> {
          Failures.check(
              UvEnv.uv_os_getpriority((int) pid, at), "get the priority of", "process " + pid);
          return Memory.getInt(at);
        });
  }

  @Override
  public void setPriority(long pid, int nice) throws IOException {
    Failures.check(
        UvEnv.uv_os_setpriority((int) pid, nice), "set the priority of", "process " + pid);
  }
}
