// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// What this process hands on to its children: variables, the directory, the priority.
final class EnvironmentTest {
  private static final String NAME = "COUV_TEST_VARIABLE";

  @AfterEach
  void removeTheVariable() throws Exception {
    Env.unset(NAME);
  }

  @Test
  @Behaviour("PR03")
  void aMissingVariableIsNullAndCanBeUnset() throws Exception {
    assertNull(Env.get(NAME));
    Env.unset(NAME);
    Env.set(NAME, "");
    assertEquals("", Env.get(NAME));
    Env.unset(NAME);
    assertNull(Env.get(NAME));
  }

  @Test
  @Behaviour({"PR02", "PR18"})
  void whatCannotBeAVariableIsRefused() {
    for (String name : new String[] {"", "=", "A=", "A\0B"}) {
      assertThrows(IllegalArgumentException.class, () -> Env.get(name));
      assertThrows(IllegalArgumentException.class, () -> Env.set(name, "x"));
      assertThrows(IllegalArgumentException.class, () -> Env.unset(name));
    }
    assertThrows(IllegalArgumentException.class, () -> Env.set(NAME, "\0"));
    assertThrows(NullPointerException.class, () -> Env.set(NAME, null));
    assertThrows(NullPointerException.class, () -> Env.get(null));
  }

  @Test
  @Behaviour("PR05")
  void longValuesSurvive() throws Exception {
    for (int length : new int[] {254, 255, 256, 257, 1024, 100_000}) {
      String value = "é".repeat(length / 2) + "x".repeat(length % 2);
      Env.set(NAME, value);
      assertEquals(value, Env.get(NAME));
    }
  }

  @Test
  @Behaviour({"PR06", "PR07", "PR19"})
  void allAreThereAsAskedForSingly() throws Exception {
    Env.set(NAME, "new = value");

    Map<String, String> all = Env.all();

    assertEquals("new = value", all.get(NAME));
    for (Map.Entry<String, String> each : all.entrySet()) {
      assertEquals(each.getValue(), Env.get(each.getKey()));
    }
    TreeMap<String, String> given = new TreeMap<>(Map.of("=extra", "kept", NAME, "stale"));
    assertSame(given, Env.all(given));
    assertEquals("kept", given.remove("=extra"));
    assertEquals(all, given);
  }

  @Test
  @Behaviour("PR14")
  void childrenSeeWhatWasSet() throws Exception {
    Env.set(NAME, "for children");
    Command command = Command.of("sh", "-c", "printf %s \"$" + NAME + "\"");

    assertEquals("for children", Loop.run(() -> command.output()).stdoutText());
    assertEquals("for children", Loop.run(() -> command.env("X", "1").output()).stdoutText());
  }

  @Test
  @Behaviour("PR01")
  void theDirectoryCanBeChangedAndChangedBack(@TempDir Path folder) throws Exception {
    Path before = Dir.get();
    try {
      Dir.set(folder);
      assertEquals(folder.toRealPath(), Dir.get());
      assertEquals(
          folder.toRealPath() + "\n", Loop.run(() -> Command.of("pwd").output()).stdoutText());
      assertThrows(NoSuchFileException.class, () -> Dir.set(folder.resolve("no such")));
    } finally {
      Dir.set(before);
    }
    assertEquals(before, Dir.get());
    assertEquals(Path.of("").toAbsolutePath(), before);
  }

  @Test
  @Behaviour("PR30")
  void anImpossiblePriorityIsRefused() {
    for (int nice : new int[] {-21, 20, Integer.MAX_VALUE}) {
      assertThrows(IllegalArgumentException.class, () -> Priority.set(1, nice));
    }
    assertThrows(IllegalArgumentException.class, () -> Priority.get(0));
    assertThrows(IllegalArgumentException.class, () -> Priority.get(-1));
  }

  @Test
  @Behaviour("PR31")
  void aPriorityThatWasSetReadsBack() throws Exception {
    assertEquals("NORMAL", new Priority(0).name());
    Loop.run(
        () -> {
          try (Child child = Command.of("sleep", "1000").start()) {
            int before = Priority.get(child.pid()).nice();
            assertEquals(before, Priority.get().nice());
            Priority.set(child.pid(), before + 1);
            assertEquals(before + 1, Priority.get(child.pid()).nice());
            assertEquals("OTHER", Priority.get(child.pid()).name());
            Priority.set(child.pid(), Priority.LOW);
            assertEquals(Priority.LOW, Priority.get(child.pid()));
            assertEquals("LOW (19)", Priority.LOW.toString());
            assertThrows(UvException.class, () -> Priority.get(Integer.MAX_VALUE));
          }
        });
  }

  @Test
  void aCallThatFailsIsTold() {
    Map<String, Executable> calls =
        Map.of(
            "uv_os_getenv", () -> Env.get(NAME),
            "uv_os_setenv", () -> Env.set(NAME, ""),
            "uv_os_unsetenv", () -> Env.unset(NAME),
            "uv_os_environ", Env::all,
            "uv_cwd", Dir::get,
            "uv_chdir", () -> Dir.set(Path.of("/")),
            "uv_os_getpriority", Priority::get,
            "uv_os_setpriority", () -> Priority.set(1, 0));
    calls.forEach(
        (name, call) -> {
          int code = UvErrors.code("EIO");
          try (var _ = NativeCalls.replace(name, NativeCalls.failing(name, code))) {
            var failed = assertThrows(UvException.class, call);
            assertTrue(failed.code().equals("EIO"), name);
          }
        });
  }

  /// Refused, and no access to address 0, which would end the VM.
  @Test
  void withoutNativeMemoryEachCallIsRefused() throws Exception {
    List<Executable> calls =
        List.of(
            () -> Env.get("PATH"),
            () -> Env.set("COUV_NO_MEMORY", "x"),
            () -> Env.unset("COUV_NO_MEMORY"),
            () -> Dir.set(Path.of("/no/such/directory")));
    for (Executable each : calls) {
      try (var _ = NativeCalls.replace("malloc", NativeCalls.failing("malloc", 0))) {
        assertThrows(OutOfMemoryError.class, each);
      }
    }
    try (var _ = NativeCalls.replace("malloc", NativeCalls.failing("malloc", 0, 2))) {
      assertThrows(OutOfMemoryError.class, calls.get(1));
    }
    try (var _ = NativeCalls.replace("calloc", NativeCalls.failing("calloc", 0))) {
      assertThrows(OutOfMemoryError.class, calls.getFirst());
      assertThrows(OutOfMemoryError.class, Env::all);
      assertThrows(OutOfMemoryError.class, Dir::get);
      assertThrows(OutOfMemoryError.class, Priority::get);
    }
    assertNull(Env.get("COUV_NO_MEMORY"));
  }
}
