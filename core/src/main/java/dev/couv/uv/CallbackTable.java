// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

/// What happens when libuv calls back: one method per C callback type, with C's arguments.
///
/// Called on the thread that runs the loop, inside the libuv function that calls back. An exception
/// may leave a method: it goes to [#escaped].
public interface CallbackTable {
  void close_cb(long handle);

  void timer_cb(long timer);

  void async_cb(long async);

  void idle_cb(long idle);

  void signal_cb(long signal, int signum);

  /// The descriptor is ready for `events`, or `status` is an error code.
  void poll_cb(long poll, int status, int events);

  void exit_cb(long process, long exit_status, int term_signal);

  void walk_cb(long handle, long arg);

  /// Fills the `uv_buf_t` at `buf`, which is empty when this is called.
  void alloc_cb(long handle, long suggested_size, long buf);

  /// `nread` is a count, 0 for "nothing now", or an error code; `buf` is what [#alloc_cb] filled
  /// in.
  void read_cb(long stream, long nread, long buf);

  void write_cb(long req, int status);

  void connect_cb(long req, int status);

  void shutdown_cb(long req, int status);

  void connection_cb(long server, int status);

  /// `res` is for the receiver to free, 0 on failure.
  void getaddrinfo_cb(long req, int status, long res);

  /// The strings are part of the request; 0 on failure.
  void getnameinfo_cb(long req, int status, long hostname, long service);

  void udp_send_cb(long req, int status);

  /// `nread` is the length of a datagram or an error code; 0 without an `addr` means "nothing now".
  void udp_recv_cb(long udp, long nread, long buf, long addr, int flags);

  /// Two `uv_stat_t`, libuv's own.
  void fs_poll_cb(long handle, int status, long prev, long curr);

  /// The result and what comes with it are in the request: [UvFsRequest].
  void fs_cb(long req);

  void random_cb(long req, int status, long buf, long buflen);

  /// Takes what one of the other methods threw. What this one throws is lost: an exception that
  /// left a callback would end the VM.
  void escaped(Throwable thrown);
}
