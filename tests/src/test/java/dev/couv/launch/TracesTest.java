// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loop-scheduled-engine")
class TracesTest {
  private static final StackTraceElement SCRIPT = frame("Script");
  private static final StackTraceElement LIBRARY = frame("dev.couv.strand.Suspension");
  private static final StackTraceElement STRAND = frame("dev.couv.strand.Strand");
  private static final StackTraceElement LAUNCHER = frame("dev.couv.launch.ScriptRun");
  private static final StackTraceElement THREAD = frame("java.lang.VirtualThread");

  @Test
  void cutsWhatEveryCoroutineStandsOnAndNothingAbove() {
    var failure = failure(LIBRARY, SCRIPT, LAUNCHER, STRAND, THREAD);

    Traces.cut(failure);

    assertEquals(List.of(LIBRARY, SCRIPT), frames(failure));
  }

  @Test
  void cutsCausesAndTheSuppressedToo() {
    var failure = failure(SCRIPT, STRAND);
    var cause = failure(SCRIPT, STRAND);
    var suppressed = failure(SCRIPT, STRAND);
    failure.initCause(cause);
    cause.addSuppressed(suppressed);
    suppressed.addSuppressed(failure); // a ring must not trap it

    Traces.cut(failure);

    assertEquals(List.of(SCRIPT), frames(failure));
    assertEquals(List.of(SCRIPT), frames(cause));
    assertEquals(List.of(SCRIPT), frames(suppressed));
  }

  private static Exception failure(StackTraceElement... frames) {
    var failure = new Exception();
    failure.setStackTrace(frames);
    return failure;
  }

  private static List<StackTraceElement> frames(Throwable failure) {
    return Arrays.asList(failure.getStackTrace());
  }

  private static StackTraceElement frame(String className) {
    return new StackTraceElement(className, "run", null, 1);
  }
}
