// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import dev.couv.uv.UvFsRequest;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The way from libuv's [Callbacks] to the owners of the memory they are about. An exception must not
/// leave a callback: it is kept, and thrown by the loop's poll.
///
/// Threads: loops are added and removed under the class's lock by any thread; callbacks read the
/// table without one, on the thread of the loop they are about.
final class Dispatch {
  private static volatile @Nullable NativeLoop[] loops = new NativeLoop[4];

  private Dispatch() {}

  /// A number for the loop, unique while it lives.
  static synchronized int add(NativeLoop loop) {
    @Nullable NativeLoop[] table = loops;
    int number = 0;
    while (number < table.length && table[number] != null) {
      number++;
    }
    @Nullable NativeLoop[] copy = Arrays.copyOf(table, Math.max(table.length, number + 1));
    copy[number] = loop;
    loops = copy;
    return number;
  }

  static synchronized void remove(int number) {
    @Nullable NativeLoop[] copy = loops.clone();
    copy[number] = null;
    loops = copy;
  }

  /// Calls the owner of a handle or a request. What comes many times in a turn has a method of its own here: the callback would
  /// be an object each time.
  static void tell(long block, Consumer<NativeOwner> callback) {
    long key = Memory.getLong(block);
    NativeLoop loop = loop(key);
    try {
      callback.accept(loop.owner(key));
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  static void alloc(long handle, long buffer) {
    long key = Memory.getLong(handle);
    NativeLoop loop = loop(key);
    try {
      loop.owner(key).onAlloc(buffer);
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  static void read(long stream, long count) {
    long key = Memory.getLong(stream);
    NativeLoop loop = loop(key);
    try {
      loop.owner(key).onRead(count);
      loop.eventServed();
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  static void datagram(long udp, long count, long buffer, long address, int flags) {
    long key = Memory.getLong(udp);
    NativeLoop loop = loop(key);
    try {
      loop.owner(key).onDatagram(count, buffer, address, flags);
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  static void status(long request, int status) {
    long key = Memory.getLong(request);
    NativeLoop loop = loop(key);
    try {
      loop.owner(key).onStatus(status);
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  static void fs(long request) {
    long key = Memory.getLong(request);
    NativeLoop loop = loop(key);
    try {
      long result = UvFsRequest.uv_fs_get_result(request);
      loop.owner(key).onResult((int) Math.min(result, 0), result);
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  /// What no loop could be found for: a bug of ours, and there is nobody to throw it to.
  static void escaped(Throwable thrown) {
    for (NativeLoop loop : loops) {
      if (loop != null) {
        loop.escaped.add(thrown);
      }
    }
  }

  private static NativeLoop loop(long key) {
    NativeLoop loop = loops[(int) (key >>> 32)];
    if (loop == null) {
      throw new AssertionError("a callback for a loop that is closed");
    }
    return loop;
  }
}
