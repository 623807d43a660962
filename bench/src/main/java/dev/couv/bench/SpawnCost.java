// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import dev.couv.coro.Loop;
import dev.couv.process.Child;
import dev.couv.process.Command;
import java.util.Arrays;
import java.util.Locale;

/// What it costs to start a process and wait for its end, beside the JDK, while the VM has as much memory
/// resident as it is told, in MiB. The two take turns; the medians are compared.
final class SpawnCost {
  private static final int ROUNDS = 300;
  private static final int WARM_UP = 50;
  private static final int PAGE = 4096;
  private static final String PROGRAM = "/bin/true";

  private SpawnCost() {}

  public static void main(String[] arguments) throws Exception {
    for (String argument : arguments.length == 0 ? new String[] {"0", "2048"} : arguments) {
      int mebibytes = Integer.parseInt(argument);
      byte[][] resident = touched(mebibytes);
      Loop.run(() -> compare(mebibytes));
      if (resident.length != mebibytes) {
        throw new AssertionError("the memory must stay");
      }
    }
  }

  private static byte[][] touched(int mebibytes) {
    byte[][] blocks = new byte[mebibytes][];
    for (int i = 0; i < mebibytes; i++) {
      blocks[i] = new byte[(1 << 20) - PAGE]; // one that is larger has a region of its own
      for (int at = 0; at < blocks[i].length; at += PAGE) {
        blocks[i][at] = 1;
      }
    }
    return blocks;
  }

  private static void compare(int mebibytes) throws Exception {
    long[] ours = new long[ROUNDS];
    long[] theirs = new long[ROUNDS];
    long[] oursToStart = new long[ROUNDS];
    long[] theirsToStart = new long[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      int at = Math.max(i, 0);
      long begin = System.nanoTime();
      try (Child child = Command.of(PROGRAM).start()) {
        oursToStart[at] = System.nanoTime() - begin;
        child.await();
      }
      long middle = System.nanoTime();
      Process process = new ProcessBuilder(PROGRAM).inheritIO().start();
      theirsToStart[at] = System.nanoTime() - middle;
      process.waitFor();
      long end = System.nanoTime();
      ours[at] = middle - begin;
      theirs[at] = end - middle;
    }
    report(mebibytes, "start", oursToStart, theirsToStart);
    report(mebibytes, "start and end", ours, theirs);
  }

  private static void report(int mebibytes, String what, long[] ours, long[] theirs) {
    Arrays.sort(ours);
    Arrays.sort(theirs);
    double our = ours[ROUNDS / 2] / 1e6;
    double their = theirs[ROUNDS / 2] / 1e6;
    System.out.printf(
        Locale.ROOT,
        "%5d MiB resident, %-13s Couv %.2f ms, ProcessBuilder %.2f ms, ratio %.2f%n",
        mebibytes,
        what,
        our,
        their,
        our / their);
  }
}
