// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
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

  public static final long CLOSE_CB = stub((to, a, b, c, d, e) -> to.close_cb(a));

  protected abstract void close_cb(long handle);

  public static final long TIMER_CB = stub((to, a, b, c, d, e) -> to.timer_cb(a));

  protected abstract void timer_cb(long timer);

  public static final long ASYNC_CB = stub((to, a, b, c, d, e) -> to.async_cb(a));

  protected abstract void async_cb(long async);

  public static final long SIGNAL_CB = stub((to, a, b, c, d, e) -> to.signal_cb(a, (int) b));

  protected abstract void signal_cb(long signal, int signum);

  public static final long POLL_CB = stub((to, a, b, c, d, e) -> to.poll_cb(a, (int) b, (int) c));

  /// The descriptor is ready for `events`, or `status` is an error code.
  protected abstract void poll_cb(long poll, int status, int events);

  public static final long EXIT_CB = stub((to, a, b, c, d, e) -> to.exit_cb(a, b, (int) c));

  protected abstract void exit_cb(long process, long exit_status, int term_signal);

  public static final long ALLOC_CB = stub((to, a, b, c, d, e) -> to.alloc_cb(a, b, c));

  /// Fills the `uv_buf_t` at `buf`, which is empty when this is called.
  protected abstract void alloc_cb(long handle, long suggested_size, long buf);

  public static final long READ_CB = stub((to, a, b, c, d, e) -> to.read_cb(a, b, c));

  /// `nread` is a count, 0 for "nothing now", or an error code; `buf` is what [#alloc_cb] filled
  /// in.
  protected abstract void read_cb(long stream, long nread, long buf);

  public static final long WRITE_CB = stub((to, a, b, c, d, e) -> to.write_cb(a, (int) b));

  protected abstract void write_cb(long req, int status);

  public static final long CONNECT_CB = stub((to, a, b, c, d, e) -> to.connect_cb(a, (int) b));

  protected abstract void connect_cb(long req, int status);

  public static final long SHUTDOWN_CB = stub((to, a, b, c, d, e) -> to.shutdown_cb(a, (int) b));

  protected abstract void shutdown_cb(long req, int status);

  public static final long CONNECTION_CB =
      stub((to, a, b, c, d, e) -> to.connection_cb(a, (int) b));

  protected abstract void connection_cb(long server, int status);

  public static final long GETADDRINFO_CB =
      stub((to, a, b, c, d, e) -> to.getaddrinfo_cb(a, (int) b, c));

  /// `res` is for the receiver to free, 0 on failure.
  protected abstract void getaddrinfo_cb(long req, int status, long res);

  public static final long GETNAMEINFO_CB =
      stub((to, a, b, c, d, e) -> to.getnameinfo_cb(a, (int) b, c, d));

  /// The strings are part of the request; 0 on failure.
  protected abstract void getnameinfo_cb(long req, int status, long hostname, long service);

  public static final long UDP_SEND_CB = stub((to, a, b, c, d, e) -> to.udp_send_cb(a, (int) b));

  protected abstract void udp_send_cb(long req, int status);

  public static final long UDP_RECV_CB =
      stub((to, a, b, c, d, e) -> to.udp_recv_cb(a, b, c, d, (int) e));

  /// `nread` is the length of a datagram or an error code; 0 without an `addr` means "nothing now".
  protected abstract void udp_recv_cb(long udp, long nread, long buf, long addr, int flags);

  public static final long FS_POLL_CB =
      stub((to, a, b, c, d, e) -> to.fs_poll_cb(a, (int) b, c, d));

  /// Two `uv_stat_t`, libuv's own.
  protected abstract void fs_poll_cb(long handle, int status, long prev, long curr);

  public static final long FS_CB = stub((to, a, b, c, d, e) -> to.fs_cb(a));

  /// The result and what comes with it are in the request: [UvFsRequest].
  protected abstract void fs_cb(long req);

  public static final long RANDOM_CB = stub((to, a, b, c, d, e) -> to.random_cb(a, (int) b, c, d));

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

  private static Callbacks table() {
    Callbacks table = INSTALLED.get();
    if (table == null) throw new AssertionError("no callback table is installed");
    return table;
  }

  /// One callback: with the first arguments that there are, and what is left in registers of others. [Shape] says why.
  private interface Receiver {
    void receive(Callbacks to, long a, long b, long c, long d, long e);
  }

  /// C code that calls that method of what is installed.
  private static long stub(Receiver receiver) {
    try {
      MethodHandle target =
          MethodHandles.lookup().bind(new Guard(receiver), "call", Guard.SHAPE.toMethodType());
      return Native.upcall(target, Guard.SHAPE);
    } catch (ReflectiveOperationException e) {
      throw Native.unexpected(e);
    }
  }

  /// The one place where nothing leaves an upcall.
  private record Guard(Receiver receiver) {
    static final FunctionDescriptor SHAPE =
        FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    @SuppressWarnings("UnusedMethod") // found by name
    void call(long a, long b, long c, long d, long e) {
      try {
        receiver.receive(table(), a, b, c, d, e);
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
