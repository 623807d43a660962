// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import dev.couv.loop.Census;
import dev.couv.loop.EventLoop;
import dev.couv.loop.NativeMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What the process holds at one moment. `looseBytes` are native bytes that belong to no open loop.
record Snapshot(
    List<EventLoop> loops,
    int coroutines,
    int outliving,
    int blocks,
    long looseBytes,
    Map<Integer, String> descriptors) {

  private static final String SPARE = "/dev/null";

  static Snapshot take() {
    List<EventLoop> loops = Census.loops();
    long ofLoops = loops.stream().mapToLong(loop -> loop.stats().nativeBytes()).sum();
    return new Snapshot(
        loops,
        Census.coroutines(),
        Census.outliving(),
        Census.blocks(),
        NativeMemory.allocatedBytes() - ofLoops,
        Descriptors.open());
  }

  /// What there is more than `before`, each in words.
  List<String> moreThan(Snapshot before) {
    List<String> leaks = new ArrayList<>();
    for (EventLoop loop : loops) {
      if (!before.loops.contains(loop)) {
        leaks.add("an event loop is still open: " + describe(loop));
      }
    }
    if (outliving > before.outliving) {
      leaks.add(
          count(outliving - before.outliving, "coroutine")
              + " outlived a closed loop, blocked in plain Java code");
    }
    if (coroutines > before.coroutines) {
      leaks.add(count(coroutines - before.coroutines, "coroutine") + " not ended");
    }
    if (blocks > before.blocks) {
      leaks.add(count(blocks - before.blocks, "native block") + " in use");
    }
    if (coroutines > before.coroutines || blocks > before.blocks) {
      for (EventLoop loop : loops) {
        if (before.loops.contains(loop)) {
          leaks.add("in a loop that was open before: " + describe(loop));
        }
      }
    }
    if (looseBytes > before.looseBytes) {
      leaks.add((looseBytes - before.looseBytes) + " bytes of native memory not freed");
    }
    descriptors.forEach(
        (number, target) -> {
          if (!target.equals(before.descriptors.get(number)) && !isSpare(target, before)) {
            leaks.add("file descriptor " + number + " is still open: " + target);
          }
        });
    return leaks;
  }

  /// From its first listener on libuv keeps a descriptor per loop, to get by when it runs out of them.
  private static boolean isSpare(String target, Snapshot before) {
    return target.equals(SPARE) && !before.loops.isEmpty();
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /// The loop may be running on another thread, which does not expect to be looked at.
  private static String describe(EventLoop loop) {
    try {
      return "%s%n  %d bytes of native memory"
          .formatted(loop.describe(), loop.stats().nativeBytes());
    } catch (RuntimeException | AssertionError busy) {
      return "loop: running on another thread (" + busy + ")";
    }
  }
}
