// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;

/// Datagrams: `uv_udp_t`.
///
/// A `sockaddr` given is copied. [Layouts] has its form.
public final class UvUdp {
  /// Flags of [#uv_udp_bind].
  public static final int UV_UDP_IPV6ONLY = 1;

  /// A flag of the receive callback: the datagram was longer than the buffer.
  public static final int UV_UDP_PARTIAL = 2;

  public static final int UV_UDP_REUSEADDR = 4;

  /// A flag of the receive callback: the buffer is part of a larger one, which is not free yet.
  public static final int UV_UDP_MMSG_CHUNK = 8;

  /// A flag of the receive callback: the larger buffer is free again.
  public static final int UV_UDP_MMSG_FREE = 16;

  /// A flag of [#uv_udp_init_ex]: receive several datagrams by one system call.
  public static final int UV_UDP_RECVMMSG = 256;

  public static final int UV_LEAVE_GROUP = 0;
  public static final int UV_JOIN_GROUP = 1;

  private static final Call INIT_EX = Call.of("uv_udp_init_ex", INT, POINTER, POINTER, INT);
  private static final Call BIND = Call.of("uv_udp_bind", INT, POINTER, POINTER, INT);
  private static final Call CONNECT = Call.of("uv_udp_connect", INT, POINTER, POINTER);
  private static final Call GETSOCKNAME =
      Call.of("uv_udp_getsockname", INT, POINTER, POINTER, POINTER);
  private static final Call SET_MEMBERSHIP =
      Call.of("uv_udp_set_membership", INT, POINTER, POINTER, POINTER, INT);
  private static final Call SET_SOURCE_MEMBERSHIP =
      Call.of("uv_udp_set_source_membership", INT, POINTER, POINTER, POINTER, POINTER, INT);
  private static final Call SET_MULTICAST_LOOP =
      Call.of("uv_udp_set_multicast_loop", INT, POINTER, INT);
  private static final Call SET_MULTICAST_TTL =
      Call.of("uv_udp_set_multicast_ttl", INT, POINTER, INT);
  private static final Call SET_MULTICAST_INTERFACE =
      Call.of("uv_udp_set_multicast_interface", INT, POINTER, POINTER);
  private static final Call SET_BROADCAST = Call.of("uv_udp_set_broadcast", INT, POINTER, INT);
  private static final Call SET_TTL = Call.of("uv_udp_set_ttl", INT, POINTER, INT);
  private static final Call SEND =
      Call.of("uv_udp_send", INT, POINTER, POINTER, POINTER, INT, POINTER, POINTER);
  private static final Call TRY_SEND =
      Call.of("uv_udp_try_send", INT, POINTER, POINTER, INT, POINTER);
  private static final Call RECV_START =
      Call.of("uv_udp_recv_start", INT, POINTER, POINTER, POINTER);
  private static final Call RECV_STOP = Call.of("uv_udp_recv_stop", INT, POINTER);
  // Reads a field.
  private static final Call GET_SEND_QUEUE_SIZE =
      Call.critical("uv_udp_get_send_queue_size", SIZE_T, POINTER);

  private UvUdp() {}

  /// `flags` is an address family, for which the socket is made at once, and [#UV_UDP_RECVMMSG].
  public static int uv_udp_init_ex(long loop, long udp, int flags) {
    return (int) INIT_EX.call(loop, udp, flags);
  }

  public static int uv_udp_bind(long udp, long addr, int flags) {
    return (int) BIND.call(udp, addr, flags);
  }

  /// 0 as `addr` disconnects.
  public static int uv_udp_connect(long udp, long addr) {
    return (int) CONNECT.call(udp, addr);
  }

  /// `namelen` is an `int`, in and out: the room at `name`, then the bytes used.
  public static int uv_udp_getsockname(long udp, long name, long namelen) {
    return (int) GETSOCKNAME.call(udp, name, namelen);
  }

  /// The addresses are C strings; 0 as `interface_addr` lets the system choose.
  public static int uv_udp_set_membership(
      long udp, long multicast_addr, long interface_addr, int membership) {
    return (int) SET_MEMBERSHIP.call(udp, multicast_addr, interface_addr, membership);
  }

  /// As [#uv_udp_set_membership].
  public static int uv_udp_set_source_membership(
      long udp, long multicast_addr, long interface_addr, long source_addr, int membership) {
    return (int)
        SET_SOURCE_MEMBERSHIP.call(udp, multicast_addr, interface_addr, source_addr, membership);
  }

  public static int uv_udp_set_multicast_loop(long udp, int on) {
    return (int) SET_MULTICAST_LOOP.call(udp, on);
  }

  public static int uv_udp_set_multicast_ttl(long udp, int ttl) {
    return (int) SET_MULTICAST_TTL.call(udp, ttl);
  }

  /// A C string; 0 lets the system choose.
  public static int uv_udp_set_multicast_interface(long udp, long interface_addr) {
    return (int) SET_MULTICAST_INTERFACE.call(udp, interface_addr);
  }

  public static int uv_udp_set_broadcast(long udp, int on) {
    return (int) SET_BROADCAST.call(udp, on);
  }

  public static int uv_udp_set_ttl(long udp, int ttl) {
    return (int) SET_TTL.call(udp, ttl);
  }

  /// The array `bufs` and the address are copied; the bytes are libuv's until the callback.
  public static int uv_udp_send(long req, long udp, long bufs, int nbufs, long addr, long cb) {
    return (int) SEND.call(req, udp, bufs, nbufs, addr, cb);
  }

  /// Bytes sent; `UV_EAGAIN` if the datagram could not be sent at once.
  public static int uv_udp_try_send(long udp, long bufs, int nbufs, long addr) {
    return (int) TRY_SEND.call(udp, bufs, nbufs, addr);
  }

  public static int uv_udp_recv_start(long udp, long alloc_cb, long recv_cb) {
    return (int) RECV_START.call(udp, alloc_cb, recv_cb);
  }

  public static int uv_udp_recv_stop(long udp) {
    return (int) RECV_STOP.call(udp);
  }

  /// Bytes queued and not yet sent.
  public static long uv_udp_get_send_queue_size(long udp) {
    return GET_SEND_QUEUE_SIZE.call(udp);
  }
}
