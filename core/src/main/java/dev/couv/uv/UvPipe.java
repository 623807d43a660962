// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.VOID;

/// Local sockets and named pipes: `uv_pipe_t`.
public final class UvPipe {
  /// Flags of [#uv_pipe_chmod].
  public static final int UV_READABLE = 1;

  public static final int UV_WRITABLE = 2;

  /// A flag of [#uv_socketpair].
  public static final int UV_NONBLOCK_PIPE = 64;

  private static final Call INIT = Call.of("uv_pipe_init", INT, POINTER, POINTER, INT);
  private static final Call OPEN = Call.of("uv_pipe_open", INT, POINTER, INT);
  private static final Call BIND = Call.of("uv_pipe_bind", INT, POINTER, POINTER);
  private static final Call CONNECT =
      Call.of("uv_pipe_connect", VOID, POINTER, POINTER, POINTER, POINTER);
  private static final Call GETSOCKNAME =
      Call.of("uv_pipe_getsockname", INT, POINTER, POINTER, POINTER);
  private static final Call GETPEERNAME =
      Call.of("uv_pipe_getpeername", INT, POINTER, POINTER, POINTER);
  // Reads a field, as the next.
  private static final Call PENDING_COUNT = Call.critical("uv_pipe_pending_count", INT, POINTER);
  private static final Call PENDING_TYPE = Call.of("uv_pipe_pending_type", INT, POINTER);
  private static final Call CHMOD = Call.of("uv_pipe_chmod", INT, POINTER, INT);

  private static final Call SOCKETPAIR = Call.of("uv_socketpair", INT, INT, INT, POINTER, INT, INT);

  private static final Call PIPE = Call.of("uv_pipe", INT, POINTER, INT, INT);

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
    return (int) PIPE.call(fds, read_flags, write_flags);
  }

  /// Two connected sockets of that type. `fds` is an array of two [Layouts#UV_OS_SOCK_SIZE]; the flags are
  /// 0 or [#UV_NONBLOCK_PIPE].
  public static int uv_socketpair(int type, int protocol, long fds, int flags0, int flags1) {
    return (int) SOCKETPAIR.call(type, protocol, fds, flags0, flags1);
  }

  /// With `ipc` handles can be passed. Not for a listener.
  public static int uv_pipe_init(long loop, long pipe, int ipc) {
    return (int) INIT.call(loop, pipe, ipc);
  }

  /// Takes the descriptor over.
  public static int uv_pipe_open(long pipe, int file) {
    return (int) OPEN.call(pipe, file);
  }

  /// A path that is too long is cut without a word. The file is removed when the handle is closed.
  public static int uv_pipe_bind(long pipe, long name) {
    return (int) BIND.call(pipe, name);
  }

  /// Reports failures to the callback only. A path that is too long is cut without a word.
  public static void uv_pipe_connect(long req, long pipe, long name, long cb) {
    CONNECT.call(req, pipe, name, cb);
  }

  /// `size` is a `size_t`, in and out: the room at `buffer`, then the bytes used. The name of a socket that
  /// is not bound is empty; one that begins with NUL is abstract.
  public static int uv_pipe_getsockname(long pipe, long buffer, long size) {
    return (int) GETSOCKNAME.call(pipe, buffer, size);
  }

  /// As [#uv_pipe_getsockname].
  public static int uv_pipe_getpeername(long pipe, long buffer, long size) {
    return (int) GETPEERNAME.call(pipe, buffer, size);
  }

  /// How many handles have come and were not accepted.
  public static int uv_pipe_pending_count(long pipe) {
    return (int) PENDING_COUNT.call(pipe);
  }

  /// The type of the handle that is next to be accepted.
  public static int uv_pipe_pending_type(long pipe) {
    return (int) PENDING_TYPE.call(pipe);
  }

  public static int uv_pipe_chmod(long pipe, int flags) {
    return (int) CHMOD.call(pipe, flags);
  }
}
