// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvLoop;

/// The processor that the calling thread runs on.
public final class Processor {
  static {
    pass();
  }

  private Processor() {}

  /// Before the first [#pass] in a coroutine: a native function is linked by its first call, and meanwhile
  /// the JDK may take a coroutine off its thread. That first call is here.
  static void prepare() {}

  /// Lets the system run other threads, for some ten microseconds. For who waits for a thread that was
  /// taken off its processor in the middle of something short. Any thread; a virtual one stays on its
  /// carrier, where `Thread.yield` would hand it to its scheduler.
  public static void pass() {
    UvLoop.uv_sleep(0);
  }
}
