// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

/// A callback table that does nothing, for tests to override what they need.
class SilentTable extends Callbacks {
  @Override
  public void close_cb(long handle) {}

  @Override
  public void timer_cb(long timer) {}

  @Override
  public void async_cb(long async) {}

  @Override
  public void signal_cb(long signal, int signum) {}

  @Override
  public void poll_cb(long poll, int status, int events) {}

  @Override
  public void exit_cb(long process, long exit_status, int term_signal) {}

  @Override
  public void alloc_cb(long handle, long suggested_size, long buf) {}

  @Override
  public void read_cb(long stream, long nread, long buf) {}

  @Override
  public void write_cb(long req, int status) {}

  @Override
  public void connect_cb(long req, int status) {}

  @Override
  public void shutdown_cb(long req, int status) {}

  @Override
  public void connection_cb(long server, int status) {}

  @Override
  public void getaddrinfo_cb(long req, int status, long res) {}

  @Override
  public void getnameinfo_cb(long req, int status, long hostname, long service) {}

  @Override
  public void udp_send_cb(long req, int status) {}

  @Override
  public void udp_recv_cb(long udp, long nread, long buf, long addr, int flags) {}

  @Override
  public void fs_poll_cb(long handle, int status, long prev, long curr) {}

  @Override
  public void fs_cb(long req) {}

  @Override
  public void random_cb(long req, int status, long buf, long buflen) {}

  @Override
  public void escaped(Throwable thrown) {}
}
