// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import dev.couv.loop.Census;
import dev.couv.loop.EventLoop;
import dev.couv.loop.NativeMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What the process holds at one moment.
record Snapshot(
    List<EventLoop> loops,
    int coroutines,
    int outliving,
    int blocks,
    long nativeBytes,
    Map<Integer, String> descriptors) {

  static Snapshot take() {
    return new Snapshot(
        Census.loops(),
        Census.coroutines(),
        Census.outliving(),
        Census.blocks(),
        NativeMemory.allocatedBytes(),
        Descriptors.open());
  }

  /// What there is more than `before`, each in words.
  List<String> moreThan(Snapshot before) {
    List<String> leaks = new ArrayList<>();
    List<EventLoop> fresh = new ArrayList<>(loops);
    fresh.removeAll(before.loops);
    for (EventLoop loop : fresh) {
      leaks.add("an event loop is still open: " + describe(loop));
    }
    if (coroutines > before.coroutines) {
      leaks.add(count(coroutines - before.coroutines, "coroutine") + " not ended");
      if (outliving > before.outliving) {
        leaks.add(
            count(outliving - before.outliving, "coroutine")
                + " outlived a closed loop, blocked in plain Java code");
      }
      // Those of the new loops are listed above.
      loops.stream()
          .filter(before.loops::contains)
          .forEach(loop -> leaks.add("in a loop that was open before: " + describe(loop)));
    }
    if (blocks > before.blocks) {
      leaks.add(count(blocks - before.blocks, "native block") + " in use");
    }
    if (nativeBytes > before.nativeBytes) {
      leaks.add((nativeBytes - before.nativeBytes) + " bytes of native memory not freed");
    }
    descriptors.forEach(
        (number, target) -> {
          if (!target.equals(before.descriptors.get(number))) {
            leaks.add("file descriptor " + number + " is still open: " + target);
          }
        });
    return leaks;
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /// The loop may be running on another thread, which does not expect to be looked at.
  private static String describe(EventLoop loop) {
    try {
      return loop.describe();
    } catch (RuntimeException | AssertionError busy) {
      return "loop: running on another thread (" + busy + ")";
    }
  }
}
