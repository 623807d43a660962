// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.ChildSignal;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.ObjectHandle;
import dev.couv.signal.Signal;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.SystemLayouts;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvProcess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A process that libuv starts, and waits for where there is nothing better.
final class ProcessWatch extends ObjectHandle implements ExitWatch {
  private static final boolean CAN_MARK = Native.systemHas("close_range");

  private final @Nullable Child child;
  private int pid;
  private boolean over;

  private ProcessWatch(EventLoop loop, @Nullable Child child) {
    super(loop, UvHandle.UV_PROCESS);
    this.child = child;
  }

  static ProcessWatch spawn(EventLoop loop, Launch launch, Child child) throws IOException {
    return start(loop, launch, child);
  }

  /// The process number of a child that libuv will not wait for.
  static int spawnUnwatched(EventLoop loop, Launch launch) throws IOException {
    ProcessWatch watch = start(loop, launch, null);
    watch.over = true;
    watch.close();
    return watch.pid;
  }

  private static ProcessWatch start(EventLoop loop, Launch launch, @Nullable Child child)
      throws IOException {
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
      options = NativeMemory.check(Memory.calloc(1, SystemLayouts.PROCESS_OPTIONS_SIZE));
      watch = new ProcessWatch(loop, child);
      fill(options, launch, stdio, child == null ? 0 : Callbacks.EXIT_CB);
      code = watch.spawn(options);
    } finally {
      Memory.free(options);
      Memory.free(stdio);
    }
    if (code < 0) {
      watch.over = true;
      watch.close();
      throw Failures.ofFile(code, "start", launch.command.words().getFirst());
    }
    watch.pid = UvProcess.uv_process_get_pid(watch.address());
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

  private static long stdio(Launch launch) {
    int count = launch.sources.lastKey() + 1;
    long containers = NativeMemory.check(Memory.calloc(count, SystemLayouts.STDIO_CONTAINER_SIZE));
    launch.sources.forEach(
        (descriptor, source) -> {
          long at = containers + descriptor * SystemLayouts.STDIO_CONTAINER_SIZE;
          if (source != ChildEnds.NOTHING) {
            Memory.putInt(at + SystemLayouts.STDIO_CONTAINER_FLAGS, UvProcess.UV_INHERIT_FD);
            Memory.putInt(at + SystemLayouts.STDIO_CONTAINER_DATA, source);
          }
        });
    return containers;
  }

  private static void fill(long options, Launch launch, long stdio, long exitCallback) {
    int flags =
        (launch.command.uid() == null ? 0 : UvProcess.UV_PROCESS_SETUID)
            | (launch.command.gid() == null ? 0 : UvProcess.UV_PROCESS_SETGID)
            | (launch.command.isDetached() ? UvProcess.UV_PROCESS_DETACHED : 0);
    Memory.putLong(options + SystemLayouts.PROCESS_OPTIONS_EXIT_CB, exitCallback);
    Memory.putLong(options + SystemLayouts.PROCESS_OPTIONS_FILE, launch.program);
    Memory.putLong(options + SystemLayouts.PROCESS_OPTIONS_ARGS, launch.arguments);
    Memory.putLong(options + SystemLayouts.PROCESS_OPTIONS_ENV, launch.environment);
    Memory.putLong(options + SystemLayouts.PROCESS_OPTIONS_CWD, launch.dir);
    Memory.putInt(options + SystemLayouts.PROCESS_OPTIONS_FLAGS, flags);
    Memory.putInt(
        options + SystemLayouts.PROCESS_OPTIONS_STDIO_COUNT, launch.sources.lastKey() + 1);
    Memory.putLong(options + SystemLayouts.PROCESS_OPTIONS_STDIO, stdio);
    Memory.putInt(options + SystemLayouts.PROCESS_OPTIONS_UID, launch.uid());
    Memory.putInt(options + SystemLayouts.PROCESS_OPTIONS_GID, launch.gid());
  }

  @Override
  public int pid() {
    return pid;
  }

  @Override
  public int signal(int number) {
    return UvProcess.uv_kill(pid, number);
  }

  @Override
  protected void onExit(long exitStatus, int termSignal) {
    over = true;
    close();
    if (child != null) {
      child.ended(
          termSignal == 0
              ? new Exit.Code((int) exitStatus)
              : new Exit.Signalled(Signal.of(termSignal)));
    }
  }

  @Override
  protected int startEvents() {
    return 0;
  }

  @Override
  protected void stopEvents() {}

  @Override
  protected void closing() {
    if (!over) {
      Leftovers.add(pid);
    }
  }

  @Override
  public String toString() {
    return "end of " + child;
  }
}
