// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Callbacks;
import dev.couv.uv.Memory;
import dev.couv.uv.UvFsRequest;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The way from libuv's callbacks to the owners of the memory they are about. An exception must not
/// leave a callback: it is kept, and thrown by the loop's poll.
///
/// Threads: loops are added and removed under the class's lock by any thread; callbacks read the
/// table without one, on the thread of the loop they are about.
final class Dispatch extends Callbacks {
  private static volatile @Nullable NativeLoop[] loops = new NativeLoop[4];

  static {
    Callbacks.install(new Dispatch());
  }

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

  @Override
  public void close_cb(long handle) {
    tell(handle, NativeOwner::onClosed);
  }

  @Override
  public void timer_cb(long timer) {
    event(timer);
  }

  @Override
  public void async_cb(long async) {
    event(async);
  }

  @Override
  public void signal_cb(long signal, int number) {
    tell(signal, owner -> owner.onSignal(number));
  }

  @Override
  public void poll_cb(long poll, int status, int events) {
    tell(poll, owner -> owner.onPoll(status, events));
  }

  @Override
  public void exit_cb(long process, long exitStatus, int termSignal) {
    tell(process, owner -> owner.onExit(exitStatus, termSignal));
  }

  @Override
  public void alloc_cb(long handle, long suggestedSize, long buffer) {
    long key = Memory.getLong(handle);
    NativeLoop loop = loop(key);
    try {
      loop.owner(key).onAlloc(buffer);
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  @Override
  public void read_cb(long stream, long count, long buffer) {
    long key = Memory.getLong(stream);
    NativeLoop loop = loop(key);
    try {
      loop.owner(key).onRead(count);
      loop.eventServed();
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  @Override
  public void write_cb(long request, int status) {
    status(request, status);
  }

  @Override
  public void connect_cb(long request, int status) {
    status(request, status);
  }

  @Override
  public void shutdown_cb(long request, int status) {
    status(request, status);
  }

  @Override
  public void fs_poll_cb(long handle, int status, long before, long after) {
    tell(handle, owner -> owner.onResult(status, before, after));
  }

  @Override
  public void fs_cb(long request) {
    long key = Memory.getLong(request);
    NativeLoop loop = loop(key);
    try {
      long result = UvFsRequest.uv_fs_get_result(request);
      loop.owner(key).onResult((int) Math.min(result, 0), result);
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  @Override
  public void random_cb(long request, int status, long buffer, long length) {
    status(request, status);
  }

  @Override
  public void connection_cb(long server, int status) {
    tell(server, owner -> owner.onConnection(status));
  }

  @Override
  public void getaddrinfo_cb(long request, int status, long addresses) {
    tell(request, owner -> owner.onResult(status, addresses));
  }

  @Override
  public void getnameinfo_cb(long request, int status, long host, long service) {
    tell(request, owner -> owner.onResult(status, host, service));
  }

  @Override
  public void udp_send_cb(long request, int status) {
    status(request, status);
  }

  @Override
  public void udp_recv_cb(long udp, long count, long buffer, long address, int flags) {
    long key = Memory.getLong(udp);
    NativeLoop loop = loop(key);
    try {
      loop.owner(key).onDatagram(count, buffer, address, flags);
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  /// What no loop could be found for: a bug of ours, and there is nobody to throw it to.
  @Override
  public void escaped(Throwable thrown) {
    for (NativeLoop loop : loops) {
      if (loop != null) {
        loop.escaped.add(thrown);
      }
    }
  }

  private static void event(long handle) {
    tell(handle, NativeOwner::onEvent);
  }

  /// Calls the owner of a handle or a request. What comes many times in a turn does it without this: the callback would
  /// be an object each time.
  private static void tell(long block, Consumer<NativeOwner> callback) {
    long key = Memory.getLong(block);
    NativeLoop loop = loop(key);
    try {
      callback.accept(loop.owner(key));
    } catch (Throwable t) {
      loop.escaped.add(t);
    }
  }

  private static void status(long request, int status) {
    long key = Memory.getLong(request);
    NativeLoop loop = loop(key);
    try {
      loop.owner(key).onStatus(status);
    } catch (Throwable t) {
      loop.escaped.add(t);
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
