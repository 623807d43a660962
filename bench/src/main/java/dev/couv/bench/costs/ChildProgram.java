// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

import dev.couv.coro.Loop;
import dev.couv.process.Command;

/// Starts a child, takes its output, awaits its end, while the JVM has so many MiB resident: `SIZE WHO`.
public final class ChildProgram {
  private static final int CHILDREN = 1_500;
  private static final int WARM_UP = 10_000;
  private static final int PAGE = 4096;
  private static final String PROGRAM = "/bin/echo";

  private ChildProgram() {}

  public static void main(String[] args) throws Exception {
    byte[][] resident = touched(Integer.parseInt(args[0]));
    switch (args[1]) {
      case "couv" -> Loop.run(() -> Stopwatch.measure(WARM_UP, CHILDREN, ChildProgram::couv));
      case "jdk" -> Stopwatch.measure(WARM_UP, CHILDREN, ChildProgram::jdk);
      default -> throw new IllegalArgumentException(args[1]);
    }
    if (resident.length != Integer.parseInt(args[0])) {
      throw new AssertionError("the memory must stay");
    }
  }

  private static void couv(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      check(Command.of(PROGRAM, "hello").output().stdoutText());
    }
  }

  private static void jdk(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      Process process = new ProcessBuilder(PROGRAM, "hello").start();
      check(new String(process.getInputStream().readAllBytes()));
      process.waitFor();
    }
  }

  private static void check(String said) {
    if (!said.equals("hello\n")) {
      throw new AssertionError(said);
    }
  }

  private static byte[][] touched(int mebibytes) {
    byte[][] blocks = new byte[mebibytes][];
    for (int i = 0; i < mebibytes; i++) {
      blocks[i] = new byte[(1 << 20) - PAGE];
      for (int at = 0; at < blocks[i].length; at += PAGE) {
        blocks[i][at] = 1;
      }
    }
    return blocks;
  }
}
