// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What libuv calls back: for each C callback type the function pointer that is given to libuv, one for the
/// life of the process, and what happens when it is called, with C's arguments. A stub per call, or per handle,
/// would fill the code heap.
///
/// One object of a subclass is installed and gets all of them; it finds by the address whom they are about.
/// They come on the thread that runs the loop, inside the libuv function that calls back. An exception may leave
/// a method: it goes to [#escaped]. If it left the upcall it would end the VM.
public abstract class Callbacks {
  private static final AtomicReference<@Nullable Callbacks> INSTALLED = new AtomicReference<>();

  public static final long CLOSE_CB = stub("close_cb", long.class);

  protected abstract void close_cb(long handle);

  public static final long TIMER_CB = stub("timer_cb", long.class);

  protected abstract void timer_cb(long timer);

  public static final long ASYNC_CB = stub("async_cb", long.class);

  protected abstract void async_cb(long async);

  public static final long SIGNAL_CB = stub("signal_cb", long.class, int.class);

  protected abstract void signal_cb(long signal, int signum);

  public static final long POLL_CB = stub("poll_cb", long.class, int.class, int.class);

  /// The descriptor is ready for `events`, or `status` is an error code.
  protected abstract void poll_cb(long poll, int status, int events);

  public static final long EXIT_CB = stub("exit_cb", long.class, long.class, int.class);

  protected abstract void exit_cb(long process, long exit_status, int term_signal);

  public static final long ALLOC_CB = stub("alloc_cb", long.class, long.class, long.class);

  /// Fills the `uv_buf_t` at `buf`, which is empty when this is called.
  protected abstract void alloc_cb(long handle, long suggested_size, long buf);

  public static final long READ_CB = stub("read_cb", long.class, long.class, long.class);

  /// `nread` is a count, 0 for "nothing now", or an error code; `buf` is what [#alloc_cb] filled
  /// in.
  protected abstract void read_cb(long stream, long nread, long buf);

  public static final long WRITE_CB = stub("write_cb", long.class, int.class);

  protected abstract void write_cb(long req, int status);

  public static final long CONNECT_CB = stub("connect_cb", long.class, int.class);

  protected abstract void connect_cb(long req, int status);

  public static final long SHUTDOWN_CB = stub("shutdown_cb", long.class, int.class);

  protected abstract void shutdown_cb(long req, int status);

  public static final long CONNECTION_CB = stub("connection_cb", long.class, int.class);

  protected abstract void connection_cb(long server, int status);

  public static final long GETADDRINFO_CB =
      stub("getaddrinfo_cb", long.class, int.class, long.class);

  /// `res` is for the receiver to free, 0 on failure.
  protected abstract void getaddrinfo_cb(long req, int status, long res);

  public static final long GETNAMEINFO_CB =
      stub("getnameinfo_cb", long.class, int.class, long.class, long.class);

  /// The strings are part of the request; 0 on failure.
  protected abstract void getnameinfo_cb(long req, int status, long hostname, long service);

  public static final long UDP_SEND_CB = stub("udp_send_cb", long.class, int.class);

  protected abstract void udp_send_cb(long req, int status);

  public static final long UDP_RECV_CB =
      stub("udp_recv_cb", long.class, long.class, long.class, long.class, int.class);

  /// `nread` is the length of a datagram or an error code; 0 without an `addr` means "nothing now".
  protected abstract void udp_recv_cb(long udp, long nread, long buf, long addr, int flags);

  public static final long FS_POLL_CB =
      stub("fs_poll_cb", long.class, int.class, long.class, long.class);

  /// Two `uv_stat_t`, libuv's own.
  protected abstract void fs_poll_cb(long handle, int status, long prev, long curr);

  public static final long FS_CB = stub("fs_cb", long.class);

  /// The result and what comes with it are in the request: [UvFsRequest].
  protected abstract void fs_cb(long req);

  public static final long RANDOM_CB =
      stub("random_cb", long.class, int.class, long.class, long.class);

  protected abstract void random_cb(long req, int status, long buf, long buflen);

  /// Takes what one of the other methods threw. What this one throws is lost: an exception that
  /// left a callback would end the VM.
  protected abstract void escaped(Throwable thrown);

  /// Says where callbacks go. Once per process, before the first of them.
  public static void install(Callbacks callbacks) {
    Callbacks former = INSTALLED.compareAndExchange(null, callbacks);
    if (former != null && !former.equals(callbacks)) {
      throw new AssertionError("a callback table is already installed");
    }
  }

  /// Whether it is said where callbacks go.
  public static boolean installed() {
    return INSTALLED.get() != null;
  }

  private static Callbacks table() {
    Callbacks table = INSTALLED.get();
    if (table == null) throw new AssertionError("no callback table is installed");
    return table;
  }

  /// C code that calls that method of what is installed.
  private static long stub(String name, Class<?>... arguments) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodType type = MethodType.methodType(void.class, arguments);
    try {
      Guard guard = new Guard(lookup.findVirtual(Callbacks.class, name, type));
      MethodHandle target = lookup.bind(guard, "call", type);
      return Native.upcall(target, Binder.descriptor(type));
    } catch (ReflectiveOperationException e) {
      throw Native.unexpected(e);
    }
  }

  /// The one place where nothing leaves an upcall, in each shape that callbacks have. Found by name. Written out,
  /// because each shape that method handles are combined for costs milliseconds when a program starts; and a
  /// record, whose fields the compiler takes for constants.
  @SuppressWarnings("UnusedMethod") // found by name
  private record Guard(MethodHandle method) {
    void call(long a) {
      try {
        method.invokeExact(table(), a);
      } catch (Throwable t) {
        leaves(t);
      }
    }

    void call(long a, int b) {
      try {
        method.invokeExact(table(), a, b);
      } catch (Throwable t) {
        leaves(t);
      }
    }

    void call(long a, int b, int c) {
      try {
        method.invokeExact(table(), a, b, c);
      } catch (Throwable t) {
        leaves(t);
      }
    }

    void call(long a, int b, long c) {
      try {
        method.invokeExact(table(), a, b, c);
      } catch (Throwable t) {
        leaves(t);
      }
    }

    void call(long a, long b, int c) {
      try {
        method.invokeExact(table(), a, b, c);
      } catch (Throwable t) {
        leaves(t);
      }
    }

    void call(long a, long b, long c) {
      try {
        method.invokeExact(table(), a, b, c);
      } catch (Throwable t) {
        leaves(t);
      }
    }

    void call(long a, int b, long c, long d) {
      try {
        method.invokeExact(table(), a, b, c, d);
      } catch (Throwable t) {
        leaves(t);
      }
    }

    void call(long a, long b, long c, long d, int e) {
      try {
        method.invokeExact(table(), a, b, c, d, e);
      } catch (Throwable t) {
        leaves(t);
      }
    }

    private static void leaves(Throwable thrown) {
      try {
        table().escaped(thrown);
      } catch (Throwable lost) {
        // There is nobody left to tell, and to throw would end the VM.
      }
    }
  }
}
