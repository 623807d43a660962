// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import static dev.couv.uv.SystemLayouts.UV_PROCESS_OPTIONS_T;
import static dev.couv.uv.SystemLayouts.UV_STDIO_CONTAINER_T;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.uv.Fields;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvProcess;
import dev.couv.world.ExitWatch;
import dev.couv.world.Program;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A process that libuv starts, and waits for where there is nothing better.
final class ProcessWatch extends HostExitWatch {
  private static final boolean CAN_MARK = Native.systemHas("close_range");

  private ProcessWatch(EventLoop loop, HostLaunch launch, ExitWatch.@Nullable Listener listener) {
    super(loop, UvHandle.UV_PROCESS, launch.program, listener);
  }

  /// The process number of a child that libuv will not wait for.
  static int spawnUnwatched(EventLoop loop, HostLaunch launch) throws IOException {
    ProcessWatch watch = spawn(loop, launch, null);
    watch.over();
    return (int) watch.pid();
  }

  /// If there is a listener, it is told by libuv.
  static ProcessWatch spawn(
      EventLoop loop, HostLaunch launch, ExitWatch.@Nullable Listener listener) throws IOException {
    ChildSignal.settle();
    if (CAN_MARK) {
      // libuv's child keeps what is not marked, and the VM has descriptors that are not.
      Posix.close_range(3, -1, Posix.CLOSE_RANGE_CLOEXEC);
    }
    long stdio = stdio(launch);
    long options = 0;
    ProcessWatch watch;
    int code;
    try {
      options = NativeMemory.check(Memory.calloc(1, UV_PROCESS_OPTIONS_T.byteSize()));
      watch = new ProcessWatch(loop, launch, listener);
      fill(
          new Fields(UV_PROCESS_OPTIONS_T, options),
          launch,
          stdio,
          listener == null ? 0 : Callbacks.EXIT_CB);
      code = watch.spawn(options);
    } finally {
      Memory.free(options);
      Memory.free(stdio);
    }
    if (code < 0) {
      watch.over();
      throw Failures.ofFile(code, "start", launch.program.name());
    }
    watch.runs(UvProcess.uv_process_get_pid(watch.address()));
    return watch;
  }

  /// Also a handle that runs nothing must be closed, if libuv has come as far as to make it one.
  private int spawn(long options) {
    int[] code = {0};
    open(
        (loop, process) -> {
          Memory.zero(process, UvHandle.uv_handle_size(UvHandle.UV_PROCESS));
          code[0] = UvProcess.uv_spawn(loop, process, options);
          boolean isHandle = UvHandle.uv_handle_get_type(process) == UvHandle.UV_PROCESS;
          return isHandle ? 0 : code[0];
        });
    return code[0];
  }

  private static long stdio(HostLaunch launch) {
    int count = launch.sources.lastKey() + 1;
    long size = UV_STDIO_CONTAINER_T.byteSize();
    long containers = NativeMemory.check(Memory.calloc(count, size));
    launch.sources.forEach(
        (descriptor, source) -> {
          if (source != HostLaunch.NOTHING) {
            Fields container = new Fields(UV_STDIO_CONTAINER_T, containers + descriptor * size);
            container.putInt("flags", UvProcess.UV_INHERIT_FD);
            container.putInt("data", source);
          }
        });
    return containers;
  }

  private static void fill(Fields options, HostLaunch launch, long stdio, long exitCallback) {
    Program program = launch.program;
    Long uid = program.uid();
    Long gid = program.gid();
    int flags =
        (uid == null ? 0 : UvProcess.UV_PROCESS_SETUID)
            | (gid == null ? 0 : UvProcess.UV_PROCESS_SETGID)
            | (program.detached() ? UvProcess.UV_PROCESS_DETACHED : 0);
    options.putLong("exit_cb", exitCallback);
    options.putLong("file", launch.file);
    options.putLong("args", launch.arguments);
    options.putLong("env", launch.environment);
    options.putLong("cwd", launch.dir);
    options.putInt("flags", flags);
    options.putInt("stdio_count", launch.sources.lastKey() + 1);
    options.putLong("stdio", stdio);
    options.putInt("uid", uid == null ? 0 : uid.intValue());
    options.putInt("gid", gid == null ? 0 : gid.intValue());
  }

  @Override
  int send(int number) {
    return UvProcess.uv_kill((int) pid(), number);
  }

  @Override
  protected void onExit(long exitStatus, int termSignal) {
    ended((int) exitStatus, termSignal);
  }
}
