// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Upcall;
import dev.couv.uv.UvFsRequest;

/// What libuv calls back: for each type of callback the function pointer that is given to libuv, and what the owner of the
/// memory it is about is told.
public final class Callbacks {
  public static final long CLOSE_CB =
      of((handle, _, _, _, _) -> Dispatch.tell(handle, NativeOwner::onClosed));

  public static final long TIMER_CB = of((timer, _, _, _, _) -> event(timer));

  public static final long ASYNC_CB = of((async, _, _, _, _) -> event(async));

  public static final long SIGNAL_CB =
      of((signal, number, _, _, _) -> Dispatch.tell(signal, owner -> owner.onSignal((int) number)));

  /// The descriptor is ready for `events`, or `status` is an error code.
  public static final long POLL_CB =
      of(
          (poll, status, events, _, _) ->
              Dispatch.tell(poll, owner -> owner.onPoll((int) status, (int) events)));

  public static final long EXIT_CB =
      of(
          (process, exitStatus, termSignal, _, _) ->
              Dispatch.tell(process, owner -> owner.onExit(exitStatus, (int) termSignal)));

  /// Fills the `uv_buf_t` at `buffer`, which is empty when this is called.
  public static final long ALLOC_CB =
      of((handle, _, buffer, _, _) -> Dispatch.alloc(handle, buffer));

  /// `count` may be 0 for "nothing now", or an error code.
  public static final long READ_CB = of((stream, count, _, _, _) -> Dispatch.read(stream, count));

  public static final long WRITE_CB = ofRequest();
  public static final long CONNECT_CB = ofRequest();
  public static final long SHUTDOWN_CB = ofRequest();
  public static final long UDP_SEND_CB = ofRequest();
  public static final long RANDOM_CB = ofRequest();

  public static final long CONNECTION_CB =
      of(
          (server, status, _, _, _) ->
              Dispatch.tell(server, owner -> owner.onConnection((int) status)));

  /// `addresses` are for the receiver to free, 0 on failure.
  public static final long GETADDRINFO_CB =
      of(
          (request, status, addresses, _, _) ->
              Dispatch.tell(request, owner -> owner.onResult((int) status, addresses)));

  /// The strings are part of the request; 0 on failure.
  public static final long GETNAMEINFO_CB =
      of(
          (request, status, host, service, _) ->
              Dispatch.tell(request, owner -> owner.onResult((int) status, host, service)));

  /// `count` is the length of a datagram or an error code; 0 without an address means "nothing now".
  public static final long UDP_RECV_CB =
      of(
          (udp, count, buffer, address, flags) ->
              Dispatch.datagram(udp, count, buffer, address, (int) flags));

  /// Two `uv_stat_t`, libuv's own.
  public static final long FS_POLL_CB =
      of(
          (handle, status, before, after, _) ->
              Dispatch.tell(handle, owner -> owner.onResult((int) status, before, after)));

  /// The result and what comes with it are in the request: [UvFsRequest].
  public static final long FS_CB = of((request, _, _, _, _) -> Dispatch.fs(request));

  private Callbacks() {}

  private static void event(long handle) {
    Dispatch.tell(handle, NativeOwner::onEvent);
  }

  private static long ofRequest() {
    return of((request, status, _, _, _) -> Dispatch.status(request, (int) status));
  }

  private static long of(Upcall.Receiver receiver) {
    return Upcall.to(receiver, Dispatch::escaped);
  }
}
