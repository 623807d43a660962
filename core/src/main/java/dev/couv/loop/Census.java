// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// What of the runtime is alive in this process: for test tools and for diagnosis. Nothing is
/// counted for it while coroutines come and go; the loops are asked.
///
/// Any thread. The numbers of a loop that is running meanwhile are as old as its last turn.
public final class Census {
  private static final CopyOnWriteArrayList<EventLoop> LOOPS = new CopyOnWriteArrayList<>();
  private static final AtomicInteger OUTLIVING = new AtomicInteger();

  private Census() {}

  /// The loops that are open.
  public static List<EventLoop> loops() {
    return List.copyOf(LOOPS);
  }

  static void opened(EventLoop loop) {
    LOOPS.add(loop);
  }

  static void closed(EventLoop loop) {
    LOOPS.remove(loop);
  }

  /// Coroutines that have not ended: those of the open loops, and those that outlive a closed one.
  public static int coroutines() {
    return loops().stream().mapToInt(loop -> loop.residents().count()).sum() + outliving();
  }

  /// Coroutines that have not ended although their loop is closed: they block in plain Java code and
  /// ignored their interrupt.
  public static int outliving() {
    return OUTLIVING.get();
  }

  /// Native blocks that libuv may still know of, without those that every loop has.
  public static int blocks() {
    return loops().stream().mapToInt(EventLoop::blocksInUse).sum();
  }

  /// A loop closed over the heads of so many coroutines; less if some have ended after all.
  public static void outlive(int more) {
    OUTLIVING.addAndGet(more);
  }
}
