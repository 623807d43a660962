// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// What a block of native memory is in use for: the receiver of libuv's callbacks on it. A kind
/// overrides the callbacks that can come for it; any other is a bug of ours.
public abstract class NativeOwner {
  /// A timer, async or idle handle fired.
  protected void onEvent() {
    throw unexpected("event");
  }

  protected void onSignal(int number) {
    throw unexpected("signal");
  }

  /// A descriptor is ready for `events`, or polling it failed.
  protected void onPoll(int status, int events) {
    throw unexpected("poll");
  }

  /// The descriptor that [EpollSet] watches for it has something to be read, or has ended. `more`: it has, or may have, something beside bytes.
  protected void onReadable(boolean more) {
    throw unexpected("readable");
  }

  /// A child process ended.
  protected void onExit(long exitStatus, int termSignal) {
    throw unexpected("exit");
  }

  /// A request ended.
  protected void onStatus(int status) {
    throw unexpected("status");
  }

  /// A request ended with something that may need releasing: an address list.
  protected void onResult(int status, long result) {
    throw unexpected("result");
  }

  /// A request ended with two things: a host and a service.
  protected void onResult(int status, long result, long second) {
    throw unexpected("result");
  }

  /// A datagram of `count` bytes is in the `uv_buf_t` at `buffer`; or nothing, if there is no address;
  /// or a failure.
  protected void onDatagram(long count, long buffer, long address, int flags) {
    throw unexpected("datagram");
  }

  /// libuv wants room for what it is about to read: fill the `uv_buf_t` at `buffer`, or leave it
  /// empty to refuse.
  protected void onAlloc(long buffer) {
    throw unexpected("alloc");
  }

  protected void onRead(long count) {
    throw unexpected("read");
  }

  protected void onConnection(int status) {
    throw unexpected("connection");
  }

  /// The handle is closed: its memory is ours again.
  protected void onClosed() {
    throw unexpected("close");
  }

  /// The loop is going away: whoever waits is told, handles are closed, requests cancelled.
  protected abstract void loopEnds();

  private AssertionError unexpected(String callback) {
    return new AssertionError("unexpected " + callback + " callback for " + this);
  }
}
