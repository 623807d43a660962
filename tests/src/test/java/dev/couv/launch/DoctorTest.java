// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.Native;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("jvm")
class DoctorTest {
  @Test
  void tellsWhatABugReportNeeds() throws Exception {
    var result = new Cli().variable("UV_THREADPOOL_SIZE", "7").run("doctor");

    assertEquals(List.of(), result.err());
    assertEquals(Runtime.version().toString(), firstWord(fact(result, "Java")));
    assertEquals(Native.versionString() + ", " + Native.libraryPath(), fact(result, "libuv"));
    assertEquals(System.getProperty("couv.test.engine"), firstWord(fact(result, "engine")));
    assertTrue(fact(result, "system").startsWith(System.getProperty("os.name")));
    assertEquals("UV_THREADPOOL_SIZE=7", fact(result, "thread pool"));
    assertTrue(fact(result, "flags").contains("--enable-native-access=dev.couv"));
    assertTrue(fact(result, "open files").matches("\\d+ of at most \\d+"));
    assertEquals("All is well.", result.out().getLast());
    assertEquals(0, result.status());
  }

  @Test
  void saysWhatIsWrongWithoutLibuv() throws Exception {
    var result = new Cli().variable("COUV_LIBUV", "/nowhere/libuv.so").run("doctor");

    assertEquals(List.of(), result.err());
    assertEquals("none, see below", fact(result, "libuv"));
    assertTrue(
        result.out().contains("  /nowhere/libuv.so (from COUV_LIBUV): no such file"),
        () -> result.out().toString());
    assertEquals(1, result.status());
  }

  private static String fact(Cli.Result result, String name) {
    return result.out().stream()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(14))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in " + result.out()));
  }

  private static String firstWord(String fact) {
    return fact.split("[,:]", 2)[0];
  }
}
