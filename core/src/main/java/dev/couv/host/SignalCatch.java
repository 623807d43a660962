// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

/// How one handle of libuv's catches one signal. Each await and each watch has its own: whoever catches the
/// signal, libuv or the VM, tells them all.
interface SignalCatch {
  /// The type of handle it takes.
  int type();

  /// Has libuv make the handle.
  int init(long loop, long handle);

  /// Catches the signal from now on.
  int start(long handle);

  /// Lets go of it, if it was caught; before the handle is closed.
  void stop(long handle);

  /// How many signals a callback of the handle stands for.
  int events();
}
