// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static dev.couv.uv.Binder.SIZE_T;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

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

  private static final MethodHandle INIT_EX =
      Binder.bind("uv_udp_init_ex", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle BIND =
      Binder.bind("uv_udp_bind", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle CONNECT =
      Binder.bind("uv_udp_connect", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle GETSOCKNAME =
      Binder.bind("uv_udp_getsockname", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  private static final MethodHandle SET_MEMBERSHIP =
      Binder.bind(
          "uv_udp_set_membership",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle SET_SOURCE_MEMBERSHIP =
      Binder.bind(
          "uv_udp_set_source_membership",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle SET_MULTICAST_LOOP =
      Binder.bind("uv_udp_set_multicast_loop", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle SET_MULTICAST_TTL =
      Binder.bind("uv_udp_set_multicast_ttl", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle SET_MULTICAST_INTERFACE =
      Binder.bind(
          "uv_udp_set_multicast_interface", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle SET_BROADCAST =
      Binder.bind("uv_udp_set_broadcast", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle SET_TTL =
      Binder.bind("uv_udp_set_ttl", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle SEND =
      Binder.bind(
          "uv_udp_send",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT, POINTER, POINTER));
  private static final MethodHandle TRY_SEND =
      Binder.bind(
          "uv_udp_try_send", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle RECV_START =
      Binder.bind("uv_udp_recv_start", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  private static final MethodHandle RECV_STOP =
      Binder.bind("uv_udp_recv_stop", FunctionDescriptor.of(JAVA_INT, POINTER));
  // Reads a field.
  private static final MethodHandle GET_SEND_QUEUE_SIZE =
      Binder.bindCritical("uv_udp_get_send_queue_size", FunctionDescriptor.of(SIZE_T, POINTER));

  private UvUdp() {}

  /// `flags` is an address family, for which the socket is made at once, and [#UV_UDP_RECVMMSG].
  public static int uv_udp_init_ex(long loop, long udp, int flags) {
    try {
      return (int) INIT_EX.invokeExact(loop, udp, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_udp_bind(long udp, long addr, int flags) {
    try {
      return (int) BIND.invokeExact(udp, addr, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// 0 as `addr` disconnects.
  public static int uv_udp_connect(long udp, long addr) {
    try {
      return (int) CONNECT.invokeExact(udp, addr);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `namelen` is an `int`, in and out: the room at `name`, then the bytes used.
  public static int uv_udp_getsockname(long udp, long name, long namelen) {
    try {
      return (int) GETSOCKNAME.invokeExact(udp, name, namelen);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The addresses are C strings; 0 as `interface_addr` lets the system choose.
  public static int uv_udp_set_membership(
      long udp, long multicast_addr, long interface_addr, int membership) {
    try {
      return (int) SET_MEMBERSHIP.invokeExact(udp, multicast_addr, interface_addr, membership);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// As [#uv_udp_set_membership].
  public static int uv_udp_set_source_membership(
      long udp, long multicast_addr, long interface_addr, long source_addr, int membership) {
    try {
      return (int)
          SET_SOURCE_MEMBERSHIP.invokeExact(
              udp, multicast_addr, interface_addr, source_addr, membership);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_udp_set_multicast_loop(long udp, int on) {
    try {
      return (int) SET_MULTICAST_LOOP.invokeExact(udp, on);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_udp_set_multicast_ttl(long udp, int ttl) {
    try {
      return (int) SET_MULTICAST_TTL.invokeExact(udp, ttl);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// A C string; 0 lets the system choose.
  public static int uv_udp_set_multicast_interface(long udp, long interface_addr) {
    try {
      return (int) SET_MULTICAST_INTERFACE.invokeExact(udp, interface_addr);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_udp_set_broadcast(long udp, int on) {
    try {
      return (int) SET_BROADCAST.invokeExact(udp, on);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_udp_set_ttl(long udp, int ttl) {
    try {
      return (int) SET_TTL.invokeExact(udp, ttl);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The array `bufs` and the address are copied; the bytes are libuv's until the callback.
  public static int uv_udp_send(long req, long udp, long bufs, int nbufs, long addr, long cb) {
    try {
      return (int) SEND.invokeExact(req, udp, bufs, nbufs, addr, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Bytes sent; `UV_EAGAIN` if the datagram could not be sent at once.
  public static int uv_udp_try_send(long udp, long bufs, int nbufs, long addr) {
    try {
      return (int) TRY_SEND.invokeExact(udp, bufs, nbufs, addr);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_udp_recv_start(long udp, long alloc_cb, long recv_cb) {
    try {
      return (int) RECV_START.invokeExact(udp, alloc_cb, recv_cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_udp_recv_stop(long udp) {
    try {
      return (int) RECV_STOP.invokeExact(udp);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Bytes queued and not yet sent.
  public static long uv_udp_get_send_queue_size(long udp) {
    try {
      return (long) GET_SEND_QUEUE_SIZE.invokeExact(udp);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
