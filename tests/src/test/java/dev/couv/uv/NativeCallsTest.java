// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class NativeCallsTest {
  /// A function without effects, called with a number that no test but this one uses.
  private static final String FUNCTION = "uv_translate_sys_error";

  private static final int REAL = call();

  @Test
  void replacementIsCalledUntilItIsClosed() {
    NativeCalls.Replacement replacement =
        NativeCalls.replace(FUNCTION, NativeCalls.failing(FUNCTION, -7));
    assertThat(call()).isEqualTo(-7);

    replacement.close();
    assertThat(call()).isEqualTo(REAL).isNotEqualTo(-7);
  }

  @Test
  void secondCloseDoesNotDisturbALaterReplacement() {
    NativeCalls.Replacement first =
        NativeCalls.replace(FUNCTION, NativeCalls.failing(FUNCTION, -7));
    first.close();

    try (var _ = NativeCalls.replace(FUNCTION, NativeCalls.failing(FUNCTION, -8))) {
      first.close();

      assertThat(call()).isEqualTo(-8);
    }
  }

  @Test
  void replacementsNest() {
    try (var _ = NativeCalls.replace(FUNCTION, NativeCalls.failing(FUNCTION, -7))) {
      try (var _ = NativeCalls.replace(FUNCTION, NativeCalls.failing(FUNCTION, -8))) {
        assertThat(call()).isEqualTo(-8);
      }

      assertThat(call()).isEqualTo(-7);
    }
    assertThat(call()).isEqualTo(REAL);
  }

  @Test
  void onlyTheNthCallFails() {
    try (var _ = NativeCalls.replace(FUNCTION, NativeCalls.failing(FUNCTION, -7, 2))) {
      assertThat(List.of(call(), call(), call())).containsExactly(REAL, -7, REAL);
    }
  }

  @Test
  void replacementMayGoOnToTheFunction() throws Exception {
    MethodHandle negate =
        MethodHandles.lookup()
            .findStatic(Math.class, "negateExact", MethodType.methodType(int.class, int.class));
    MethodHandle negated = MethodHandles.filterReturnValue(NativeCalls.target(FUNCTION), negate);

    try (var _ = NativeCalls.replace(FUNCTION, negated)) {
      assertThat(call()).isEqualTo(-REAL);
    }
  }

  @Test
  void replacementReachesCompiledCodeOnAnotherThread() throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      // Often enough that the JIT has made a constant of the target.
      assertThat(other.submit(NativeCallsTest::callOften).get()).isEqualTo(REAL);

      try (var _ = NativeCalls.replace(FUNCTION, NativeCalls.failing(FUNCTION, -7))) {
        assertThat(other.submit(NativeCallsTest::call).get()).isEqualTo(-7);
      }
      assertThat(other.submit(NativeCallsTest::call).get()).isEqualTo(REAL);
    }
  }

  @Test
  void functionOfTheSystemCanFailToo() {
    MethodHandle none =
        MethodHandles.dropArguments(MethodHandles.constant(long.class, 0L), 0, long.class);

    try (var _ = NativeCalls.replace("malloc", none)) {
      assertThat(Memory.malloc(1)).isZero();
      assertThat(Memory.newString("no room")).isZero();
    }
  }

  @Test
  void replacementOfAnotherTypeIsRefused() {
    MethodHandle wrong = MethodHandles.constant(int.class, 0);

    assertThatThrownBy(() -> NativeCalls.replace(FUNCTION, wrong))
        .isInstanceOf(AssertionError.class)
        .hasMessage("uv_translate_sys_error is a (int)int, not a ()int");
    assertThat(call()).isEqualTo(REAL);
  }

  @Test
  void functionThatIsNotBoundIsRefused() {
    assertThatThrownBy(() -> NativeCalls.type("uv_no_such_thing"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("no function uv_no_such_thing is bound");
  }

  @Test
  void functionWithoutACodeCannotFail() {
    assertThatThrownBy(() -> NativeCalls.failing("uv_close", -7))
        .isInstanceOf(AssertionError.class)
        .hasMessage("uv_close returns no code");
  }

  @Test
  void errorOfAReplacementPassesAsItIs() {
    AssertionError error = new AssertionError("thrown by a test");
    MethodHandle thrower =
        MethodHandles.dropArguments(
            MethodHandles.throwException(int.class, AssertionError.class).bindTo(error),
            0,
            int.class);

    try (var _ = NativeCalls.replace(FUNCTION, thrower)) {
      assertThatThrownBy(NativeCallsTest::call).isSameAs(error);
    }
  }

  @Test
  void exceptionOfAReplacementIsOurBug() {
    IllegalStateException exception = new IllegalStateException("thrown by a test");
    MethodHandle thrower =
        MethodHandles.dropArguments(
            MethodHandles.throwException(int.class, IllegalStateException.class).bindTo(exception),
            0,
            int.class);

    try (var _ = NativeCalls.replace(FUNCTION, thrower)) {
      assertThatThrownBy(NativeCallsTest::call)
          .isInstanceOf(AssertionError.class)
          .hasCause(exception);
    }
  }

  @Test
  void everyBindingCanBeReplacedBeforeItsFirstUse() throws Exception {
    List<Class<?>> holders = new ArrayList<>();
    for (Class<?> each : classesOfThePackage()) {
      boolean binds =
          Stream.of(each.getDeclaredFields()).anyMatch(field -> field.getType() == Call.class);
      if (binds) holders.add(each);
    }

    assertThat(NativeCalls.BINDINGS).containsExactlyInAnyOrderElementsOf(holders);
  }

  private static int callOften() {
    int result = 0;
    for (int i = 0; i < 200_000; i++) result = call();
    return result;
  }

  private static int call() {
    return UvErrors.uv_translate_sys_error(4711);
  }

  private static List<Class<?>> classesOfThePackage() throws Exception {
    Path place = Path.of(Native.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) return classesUnder(place);
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return classesUnder(jar.getPath("/"));
    }
  }

  private static List<Class<?>> classesUnder(Path root) throws Exception {
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.list(root.resolve("dev/couv/uv"))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (!name.endsWith(".class") || name.startsWith("package-info")) continue;
        String simple = name.substring(0, name.length() - ".class".length());
        classes.add(Class.forName("dev.couv.uv." + simple, false, Native.class.getClassLoader()));
      }
    }
    return classes;
  }
}
