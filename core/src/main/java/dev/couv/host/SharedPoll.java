// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPoll;
import dev.couv.world.PollHandle;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The one `uv_poll_t` of a loop for a descriptor, and the watchers that share it. It waits for whatever
/// one of them wants, and for nothing at all while there is none: a descriptor stays ready
/// until somebody has read from it. The bits are libuv's own.
///
/// Ownership: those who hold it own it together; the last one to release it closes the handle, and libuv keeps
/// the memory until its close callback. If the loop ends first, they outlive it and find it closed.
final class SharedPoll extends ObjectHandle implements PollHandle {
  private record Key(EventLoop loop, int descriptor) {}

  /// Those that are open. An entry is written by its loop only.
  private static final ConcurrentMap<Key, SharedPoll> OPEN = new ConcurrentHashMap<>();

  private final Key key;
  private final Set<Watcher> watchers = new LinkedHashSet<>(2);

  /// By how many of them each bit is wanted.
  private final int[] wanting = new int[Integer.SIZE];

  private int holders;
  private int armed;

  private SharedPoll(Key key) {
    super(key.loop, UvHandle.UV_POLL);
    this.key = key;
  }

  /// The handle for that descriptor, with one holder more.
  static SharedPoll hold(EventLoop loop, int descriptor) throws IOException {
    Key key = new Key(loop, descriptor);
    SharedPoll shared = OPEN.get(key);
    if (shared == null) {
      shared = new SharedPoll(key);
      OPEN.put(key, shared);
      try {
        Failures.check(
            shared.open((at, handle) -> UvPoll.uv_poll_init(at, handle, descriptor)),
            "poll",
            shared);
      } catch (Throwable failed) {
        OPEN.remove(key, shared);
        throw failed;
      }
    }
    shared.holders++;
    return shared;
  }

  @Override
  public void release() {
    if (--holders == 0) {
      close();
    }
  }

  @Override
  public void add(Watcher watcher) {
    watchers.add(watcher);
    count(watcher, 1);
    int code = arm();
    if (code < 0) {
      watchers.remove(watcher);
      count(watcher, -1);
      watcher.told().accept(Failures.of(code, "poll", toString()), 0);
    }
  }

  @Override
  public void remove(Watcher watcher) {
    if (watchers.remove(watcher)) {
      count(watcher, -1);
      arm();
    }
  }

  private void count(Watcher watcher, int more) {
    for (int left = watcher.wanted(); left != 0; left &= left - 1) {
      wanting[Integer.numberOfTrailingZeros(left)] += more;
    }
  }

  /// Waits for what is wanted now.
  private int arm() {
    int wanted = watchers.isEmpty() ? 0 : DISCONNECTED;
    for (int bit = 0; bit < wanting.length; bit++) {
      wanted |= wanting[bit] > 0 ? 1 << bit : 0;
    }
    if (wanted == armed || !isOpen()) {
      return 0;
    }
    int code =
        wanted == 0
            ? UvPoll.uv_poll_stop(address())
            : UvPoll.uv_poll_start(address(), wanted, Callbacks.POLL_CB);
    if (code >= 0) {
      armed = wanted;
    }
    return code;
  }

  /// Each is told of its own. Whoever is told may leave, and so changes the list.
  @Override
  protected void onPoll(int status, int events) {
    if (status < 0) {
      armed = 0; // libuv has stopped it
    }
    for (Watcher watcher : List.copyOf(watchers)) {
      int mine = events & (watcher.wanted() | DISCONNECTED);
      if (status < 0) {
        watcher.told().accept(Failures.of(status, "poll", toString()), 0);
      } else if (mine != 0) {
        watcher.told().accept(null, mine);
      }
    }
  }

  @Override
  protected void closing() {
    OPEN.remove(key, this);
    watchers.clear();
    Arrays.fill(wanting, 0);
    armed = 0;
  }

  @Override
  public String toString() {
    return "descriptor " + key.descriptor;
  }
}
