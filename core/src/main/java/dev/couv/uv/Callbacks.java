// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The C function pointers that are given to libuv, one per callback type for the life of the
/// process. They lead to the one [CallbackTable], which finds the object by the address.
///
/// A stub per call, or per handle, would fill the code heap. Any thread.
public final class Callbacks {
  private static final AtomicReference<@Nullable CallbackTable> TABLE = new AtomicReference<>();

  public static final long CLOSE_CB = stub("close_cb", long.class);
  public static final long TIMER_CB = stub("timer_cb", long.class);
  public static final long ASYNC_CB = stub("async_cb", long.class);
  public static final long IDLE_CB = stub("idle_cb", long.class);
  public static final long SIGNAL_CB = stub("signal_cb", long.class, int.class);
  public static final long POLL_CB = stub("poll_cb", long.class, int.class, int.class);
  public static final long EXIT_CB = stub("exit_cb", long.class, long.class, int.class);
  public static final long WALK_CB = stub("walk_cb", long.class, long.class);
  public static final long ALLOC_CB = stub("alloc_cb", long.class, long.class, long.class);
  public static final long READ_CB = stub("read_cb", long.class, long.class, long.class);
  public static final long WRITE_CB = stub("write_cb", long.class, int.class);
  public static final long CONNECT_CB = stub("connect_cb", long.class, int.class);
  public static final long SHUTDOWN_CB = stub("shutdown_cb", long.class, int.class);
  public static final long CONNECTION_CB = stub("connection_cb", long.class, int.class);
  public static final long GETADDRINFO_CB =
      stub("getaddrinfo_cb", long.class, int.class, long.class);
  public static final long GETNAMEINFO_CB =
      stub("getnameinfo_cb", long.class, int.class, long.class, long.class);
  public static final long UDP_SEND_CB = stub("udp_send_cb", long.class, int.class);
  public static final long UDP_RECV_CB =
      stub("udp_recv_cb", long.class, long.class, long.class, long.class, int.class);
  public static final long FS_POLL_CB =
      stub("fs_poll_cb", long.class, int.class, long.class, long.class);
  public static final long FS_CB = stub("fs_cb", long.class);
  public static final long RANDOM_CB =
      stub("random_cb", long.class, int.class, long.class, long.class);

  private Callbacks() {}

  /// Says where callbacks go. Once per process, before the first of them.
  public static void install(CallbackTable table) {
    CallbackTable former = TABLE.compareAndExchange(null, table);
    if (former != null && !former.equals(table)) {
      throw new AssertionError("a callback table is already installed");
    }
  }

  /// Whether a table is installed.
  public static boolean installed() {
    return TABLE.get() != null;
  }

  /*
   * The targets of the stubs, found by name. Nothing may leave them: an exception that leaves an
   * upcall ends the VM.
   */

  static void close_cb(long handle) {
    try {
      table().close_cb(handle);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void timer_cb(long timer) {
    try {
      table().timer_cb(timer);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void async_cb(long async) {
    try {
      table().async_cb(async);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void idle_cb(long idle) {
    try {
      table().idle_cb(idle);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void signal_cb(long signal, int signum) {
    try {
      table().signal_cb(signal, signum);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void poll_cb(long poll, int status, int events) {
    try {
      table().poll_cb(poll, status, events);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void exit_cb(long process, long exit_status, int term_signal) {
    try {
      table().exit_cb(process, exit_status, term_signal);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void walk_cb(long handle, long arg) {
    try {
      table().walk_cb(handle, arg);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void alloc_cb(long handle, long suggested_size, long buf) {
    try {
      table().alloc_cb(handle, suggested_size, buf);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void read_cb(long stream, long nread, long buf) {
    try {
      table().read_cb(stream, nread, buf);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void write_cb(long req, int status) {
    try {
      table().write_cb(req, status);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void connect_cb(long req, int status) {
    try {
      table().connect_cb(req, status);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void shutdown_cb(long req, int status) {
    try {
      table().shutdown_cb(req, status);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void connection_cb(long server, int status) {
    try {
      table().connection_cb(server, status);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void getaddrinfo_cb(long req, int status, long res) {
    try {
      table().getaddrinfo_cb(req, status, res);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void getnameinfo_cb(long req, int status, long hostname, long service) {
    try {
      table().getnameinfo_cb(req, status, hostname, service);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void udp_send_cb(long req, int status) {
    try {
      table().udp_send_cb(req, status);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void udp_recv_cb(long udp, long nread, long buf, long addr, int flags) {
    try {
      table().udp_recv_cb(udp, nread, buf, addr, flags);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void fs_poll_cb(long handle, int status, long prev, long curr) {
    try {
      table().fs_poll_cb(handle, status, prev, curr);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void fs_cb(long req) {
    try {
      table().fs_cb(req);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  static void random_cb(long req, int status, long buf, long buflen) {
    try {
      table().random_cb(req, status, buf, buflen);
    } catch (Throwable t) {
      escaped(t);
    }
  }

  private static void escaped(Throwable thrown) {
    try {
      table().escaped(thrown);
    } catch (Throwable lost) {
      // There is nobody left to tell, and to throw would end the VM.
    }
  }

  private static CallbackTable table() {
    CallbackTable table = TABLE.get();
    if (table == null) throw new AssertionError("no callback table is installed");
    return table;
  }

  private static long stub(String name, Class<?>... arguments) {
    try {
      return Native.upcall(
          MethodHandles.lookup()
              .findStatic(Callbacks.class, name, MethodType.methodType(void.class, arguments)),
          FunctionDescriptor.ofVoid(layouts(arguments)));
    } catch (ReflectiveOperationException e) {
      throw Native.unexpected(e);
    }
  }

  private static ValueLayout[] layouts(Class<?>... arguments) {
    ValueLayout[] layouts = new ValueLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] = arguments[i] == int.class ? ValueLayout.JAVA_INT : NativeCalls.POINTER;
    }
    return layouts;
  }
}
