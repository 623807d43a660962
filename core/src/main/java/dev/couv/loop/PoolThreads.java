// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvEnv;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// libuv's threads for files and names: how many there are, and that they do not outlast the process.
///
/// ## Their number
///
/// libuv asks the environment when it first needs one, and never again; so it can be set from Java
/// until then.
///
/// ## The end of the process
///
/// When the process exits, libuv waits for its threads. One that is inside a call which never ends, an
/// `open` of a named pipe for example, would keep even `Runtime.halt` from ending it. So with the
/// first request the C library is told to end the process before it comes to that, with the same
/// status: by then the VM has run its shutdown hooks and flushed what it had. Where the C library has
/// no `on_exit`, macOS for example, the process waits.
public final class PoolThreads {
  private static final int MOST = 1024;

  /// libuv's own.
  private static final int UNLESS_SET = 4;

  private static final String SIZE = "UV_THREADPOOL_SIZE";

  /// No more digits than there can be threads: one more decides nothing.
  private static final Pattern NUMBER = Pattern.compile("\\s*\\+?(-?\\d{1,9})");

  private static int count = ofEnvironment();

  /// Whether libuv may have started its threads. Set by any loop's thread, before the first request.
  private static volatile boolean started;

  /// Whether the C library knows that the process does not wait for them.
  private static boolean exitIsShort;

  private PoolThreads() {}

  /// Any thread, one at a time: the environment has no lock.
  ///
  /// @throws IllegalStateException if the threads are there already
  public static synchronized void set(int newCount) {
    if (newCount < 1 || newCount > MOST) {
      throw new IllegalArgumentException("from 1 to " + MOST + " threads, not " + newCount);
    }
    if (started) {
      throw new IllegalStateException(
          "libuv's threads have started: their number can be set only before the first file call or"
              + " name lookup");
    }
    long name = NativeMemory.check(Memory.newString(SIZE));
    long value = 0;
    try {
      value = NativeMemory.check(Memory.newString(Integer.toString(newCount)));
      Failures.assertOk("uv_os_setenv", UvEnv.uv_os_setenv(name, value));
      count = newCount;
    } finally {
      Memory.free(name);
      Memory.free(value);
    }
  }

  private static int ofEnvironment() {
    String asked = System.getenv(SIZE);
    return asked == null ? UNLESS_SET : asLibuvReads(asked);
  }

  /// By its first digits, as C's `atoi` does, and without a sign: 1 for what begins with none, as many as can be for less than none.
  static int asLibuvReads(String text) {
    Matcher number = NUMBER.matcher(text);
    long asked = number.lookingAt() ? Long.parseLong(number.group(1)) : 0;
    return asked < 0 ? MOST : Math.clamp(asked, 1, MOST);
  }

  /// How many there are, from now on for certain. Any thread.
  public static synchronized int count() {
    needed();
    return count;
  }

  /// A request for one of the threads is about to be made.
  static void needed() {
    if (!started) {
      endWithTheProcess();
    }
  }

  private static synchronized void endWithTheProcess() {
    if (!started) {
      started = true;
      shortenExit();
    }
  }

  /// Has the process end without them. What the C library is told to do at exit runs only if it is told so
  /// after this: the last one that is told runs first, and this one ends the process. Any thread.
  public static synchronized void shortenExit() {
    if (!exitIsShort && Native.systemHas("on_exit")) {
      // Without memory for it the process waits, as it does where there is no such function.
      exitIsShort = Posix.on_exit(Posix.exitAtOnce(), 0) == 0;
    }
  }
}
