// SPDX-License-Identifier: Apache-2.0
package dev.couv.poll;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPoll;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// The one `uv_poll_t` of a loop for a descriptor, and the events that share it. It waits for whatever
/// one of the started ones wants, and for nothing at all while none is started: a descriptor stays ready
/// until somebody has read from it.
///
/// Ownership: the events own it together; the last one to be closed closes the handle, and libuv keeps
/// the memory until its close callback. If the loop ends first, the events outlive it and find it closed.
final class SharedPoll extends ObjectHandle {
  private record Key(EventLoop loop, int descriptor) {}

  /// Those that are open. An entry is written by its loop only.
  private static final ConcurrentMap<Key, SharedPoll> OPEN = new ConcurrentHashMap<>();

  private final Key key;
  private final Set<PollEvent> started = new LinkedHashSet<>(2);

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
      boolean open = false;
      try {
        Failures.check(
            shared.open((at, handle) -> UvPoll.uv_poll_init(at, handle, descriptor)),
            "poll",
            shared);
        open = true;
      } finally {
        if (!open) {
          OPEN.remove(key, shared);
        }
      }
    }
    shared.holders++;
    return shared;
  }

  void release() {
    if (--holders == 0) {
      close();
    }
  }

  /// Returns why libuv refused, if it did; then the event is not among the started ones.
  @Nullable IOException add(PollEvent event) {
    started.add(event);
    count(event, 1);
    int code = arm();
    if (code < 0) {
      started.remove(event);
      count(event, -1);
      return Failures.of(code, "poll", toString());
    }
    return null;
  }

  void remove(PollEvent event) {
    if (started.remove(event)) {
      count(event, -1);
      arm();
    }
  }

  private void count(PollEvent event, int more) {
    for (int left = event.wanted(); left != 0; left &= left - 1) {
      wanting[Integer.numberOfTrailingZeros(left)] += more;
    }
  }

  /// Waits for what is wanted now.
  private int arm() {
    int wanted = started.isEmpty() ? 0 : UvPoll.UV_DISCONNECT;
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

  /// Each is told of its own. Whoever is told stops, unless it was started otherwise, and so changes the
  /// list.
  @Override
  protected void onPoll(int status, int events) {
    if (status < 0) {
      armed = 0; // libuv has stopped it
    }
    for (PollEvent event : List.copyOf(started)) {
      int mine = events & (event.wanted() | UvPoll.UV_DISCONNECT);
      if (status < 0) {
        event.failed(Failures.of(status, "poll", toString()));
      } else if (mine != 0) {
        event.ready(mine);
      }
    }
  }

  @Override
  protected int startEvents() {
    throw new AssertionError("a poll handle is shared, and armed by its events");
  }

  @Override
  protected void stopEvents() {}

  @Override
  protected void closing() {
    OPEN.remove(key, this);
    started.clear();
    Arrays.fill(wanting, 0);
    armed = 0;
  }

  @Override
  public String toString() {
    return "descriptor " + key.descriptor;
  }
}
