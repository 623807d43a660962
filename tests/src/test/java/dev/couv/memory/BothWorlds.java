// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.fs.Fs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the same calls in the host's world and in one in memory, and compares what came of them: same results, same exceptions,
/// same order.
final class BothWorlds {
  /// What is done, in an empty directory.
  interface Script {
    void run(Path dir, Transcript told) throws Exception;
  }

  /// A loop in one of the worlds, until the body has ended.
  interface Run {
    void run(Action body) throws Exception;
  }

  interface Step {
    @Nullable Object run() throws Exception;
  }

  /// What came of each step. The directory, which has another name in each world, is `$` there; numbers of processes and ports
  /// are left out.
  static final class Transcript {
    private final List<String> lines = new ArrayList<>();
    private final String dir;

    private Transcript(Path dir) {
      this.dir = dir.toString();
    }

    void get(String what, Step step) {
      try {
        add(what + " = " + step.run());
      } catch (Exception thrown) {
        String code = thrown instanceof UvException uv ? " [" + uv.code() + "]" : "";
        add(what + " threw " + thrown + code);
      }
    }

    void did(String what, Action deed) {
      get(
          what,
          () -> {
            deed.run();
            return "done";
          });
    }

    private void add(String line) {
      lines.add(
          line.replace(dir, "$")
              .replaceAll("(127.0.0.1):\\d+", "$1")
              .replaceAll("(process |coroutine-)\\d+", "$1N"));
    }
  }

  private BothWorlds() {}

  static void same(Path temporary, Run memory, Script script) throws Exception {
    List<String> host = lines(Loop::run, temporary.toRealPath().resolve("in"), script);
    List<String> there = lines(memory, Path.of("/somewhere/in"), script);
    assertTrue(host.size() > 3, host::toString);
    assertEquals(String.join("\n", host), String.join("\n", there));
  }

  private static List<String> lines(Run world, Path dir, Script script) throws Exception {
    Transcript told = new Transcript(dir);
    world.run(
        () -> {
          Fs.makeDirs(dir);
          script.run(dir, told);
        });
    return told.lines;
  }
}
