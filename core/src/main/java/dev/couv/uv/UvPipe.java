// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Local sockets and named pipes: `uv_pipe_t`.
public final class UvPipe {
  /// Flags of [#uv_pipe_chmod].
  public static final int UV_READABLE = 1;

  public static final int UV_WRITABLE = 2;

  /// A flag of [#uv_socketpair].
  public static final int UV_NONBLOCK_PIPE = 64;

  private static final MethodHandle INIT =
      Binder.bind("uv_pipe_init", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle OPEN =
      Binder.bind("uv_pipe_open", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle BIND =
      Binder.bind("uv_pipe_bind", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle CONNECT =
      Binder.bind("uv_pipe_connect", FunctionDescriptor.ofVoid(POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle GETSOCKNAME =
      Binder.bind(
          "uv_pipe_getsockname", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  private static final MethodHandle GETPEERNAME =
      Binder.bind(
          "uv_pipe_getpeername", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  // Reads a field, as the next.
  private static final MethodHandle PENDING_COUNT =
      Binder.bindCritical("uv_pipe_pending_count", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle PENDING_TYPE =
      Binder.bind("uv_pipe_pending_type", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle CHMOD =
      Binder.bind("uv_pipe_chmod", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));

  private static final MethodHandle SOCKETPAIR =
      Binder.bind(
          "uv_socketpair",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, POINTER, JAVA_INT, JAVA_INT));

  private static final MethodHandle PIPE =
      Binder.bind("uv_pipe", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT, JAVA_INT));

  /// Where `uv_pipe_t.ipc` is: the first field behind those that all streams have. libuv documents it as
  /// open to read and write, and looks at it with every read and write.
  static final long IPC = UvHandle.uv_handle_size(UvHandle.UV_STREAM);

  private UvPipe() {}

  /// Whether handles are passed: without, libuv reads bytes alone, and the system closes what came with
  /// them.
  public static boolean ipc(long pipe) {
    return Memory.getInt(pipe + IPC) != 0;
  }

  public static void ipc(long pipe, boolean on) {
    Memory.putInt(pipe + IPC, on ? 1 : 0);
  }

  /// A plain pipe: `fds` is an array of two `int`, the end to read and the end to write, neither of
  /// which a child gets. The flags are 0 or [#UV_NONBLOCK_PIPE].
  public static int uv_pipe(long fds, int read_flags, int write_flags) {
    try {
      return (int) PIPE.invokeExact(fds, read_flags, write_flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Two connected sockets of that type. `fds` is an array of two [Layouts#UV_OS_SOCK_SIZE]; the flags are
  /// 0 or [#UV_NONBLOCK_PIPE].
  public static int uv_socketpair(int type, int protocol, long fds, int flags0, int flags1) {
    try {
      return (int) SOCKETPAIR.invokeExact(type, protocol, fds, flags0, flags1);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// With `ipc` handles can be passed. Not for a listener.
  public static int uv_pipe_init(long loop, long pipe, int ipc) {
    try {
      return (int) INIT.invokeExact(loop, pipe, ipc);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Takes the descriptor over.
  public static int uv_pipe_open(long pipe, int file) {
    try {
      return (int) OPEN.invokeExact(pipe, file);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// A path that is too long is cut without a word. The file is removed when the handle is closed.
  public static int uv_pipe_bind(long pipe, long name) {
    try {
      return (int) BIND.invokeExact(pipe, name);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Reports failures to the callback only. A path that is too long is cut without a word.
  public static void uv_pipe_connect(long req, long pipe, long name, long cb) {
    try {
      CONNECT.invokeExact(req, pipe, name, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `size` is a `size_t`, in and out: the room at `buffer`, then the bytes used. The name of a socket that
  /// is not bound is empty; one that begins with NUL is abstract.
  public static int uv_pipe_getsockname(long pipe, long buffer, long size) {
    try {
      return (int) GETSOCKNAME.invokeExact(pipe, buffer, size);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// As [#uv_pipe_getsockname].
  public static int uv_pipe_getpeername(long pipe, long buffer, long size) {
    try {
      return (int) GETPEERNAME.invokeExact(pipe, buffer, size);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// How many handles have come and were not accepted.
  public static int uv_pipe_pending_count(long pipe) {
    try {
      return (int) PENDING_COUNT.invokeExact(pipe);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The type of the handle that is next to be accepted.
  public static int uv_pipe_pending_type(long pipe) {
    try {
      return (int) PENDING_TYPE.invokeExact(pipe);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_pipe_chmod(long pipe, int flags) {
    try {
      return (int) CHMOD.invokeExact(pipe, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
