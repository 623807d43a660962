// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("jvm")
final class LibraryLookupTest {
  private static final String ADVICE =
      """
      On Linux add the artefact dev.couv:couv-libuv to the program, which has it inside, or install it
        Debian, Ubuntu   apt-get install libuv1
        Fedora           dnf install libuv
        Alpine           apk add libuv
        macOS            brew install libuv
        Windows          vcpkg install libuv, and put its bin folder on PATH
      or name the library: -Dcouv.libuv=FILE, or the environment variable COUV_LIBUV.
      """;

  @TempDir private Path folder;

  @Test
  void systemLibraryIsFoundByItself() throws Exception {
    List<String> lines = new ChildJvm(Program.class).run().lines();

    assertThat(lines).contains("version: " + Native.versionString());
    assertThat(lines).contains("path: " + Native.libraryPath());
    assertThat(Path.of(Native.libraryPath())).isRegularFile();
  }

  @Test
  void propertyNamesTheLibrary() throws Exception {
    Path copy = Files.copy(Path.of(Native.libraryPath()), folder.resolve("my-libuv"));

    List<String> lines = named(copy).run().lines();

    assertThat(lines).contains("path: " + copy.toRealPath());
  }

  @Test
  void variableNamesTheLibrary() throws Exception {
    Path copy = Files.copy(Path.of(Native.libraryPath()), folder.resolve("my-libuv"));

    List<String> lines =
        new ChildJvm(Program.class).variable("COUV_LIBUV", copy.toString()).run().lines();

    assertThat(lines).contains("path: " + copy.toRealPath());
  }

  @Test
  void propertyComesBeforeTheVariable() throws Exception {
    ChildJvm.Result result =
        named(folder.resolve("mine")).variable("COUV_LIBUV", Native.libraryPath()).run();

    assertThat(result.output()).contains("mine (from -Dcouv.libuv): no such file");
  }

  @Test
  void systemIsAChoiceAndNoFileName() throws Exception {
    List<String> lines = new ChildJvm(Program.class).variable("COUV_LIBUV", "system").run().lines();

    assertThat(lines).contains("path: " + Native.libraryPath());
  }

  @Test
  void whoWantsTheOneThatComesWithTheProgramIsToldIfNoneDoes() throws Exception {
    assertRefused(
        new ChildJvm(Program.class).option("-Dcouv.libuv=bundled"),
        "couv-libuv: not among the program's artefacts");
  }

  @Test
  void emptySettingsCountAsNone() throws Exception {
    List<String> lines =
        new ChildJvm(Program.class)
            .option("-Dcouv.libuv=")
            .variable("COUV_LIBUV", "")
            .run()
            .lines();

    assertThat(lines).contains("version: " + Native.versionString());
  }

  @Test
  void missingFileIsOneClearErrorEachTime() throws Exception {
    Path missing = folder.resolve("libuv.so.1");

    assertRefused(named(missing), missing + " (from -Dcouv.libuv): no such file");
  }

  @Test
  void variableIsBlamedForItsMissingFile() throws Exception {
    Path missing = folder.resolve("libuv.so.1");

    assertRefused(
        new ChildJvm(Program.class).variable("COUV_LIBUV", missing.toString()),
        missing + " (from COUV_LIBUV): no such file");
  }

  @Test
  void fileThatIsNoLibraryIsRefused() throws Exception {
    Path text = Files.writeString(folder.resolve("libuv.so.1"), "not a library");

    assertRefused(named(text), text + " (from -Dcouv.libuv): not a library that this JVM can load");
  }

  @Test
  void libraryThatIsNotLibuvIsRefused() throws Exception {
    Path other =
        Path.of(
            System.getProperty("java.home"),
            Platform.CURRENT == Platform.WINDOWS ? "bin" : "lib",
            System.mapLibraryName("zip"));

    assertRefused(named(other), other + " (from -Dcouv.libuv): is not libuv");
  }

  @Test
  void oldLibraryIsRefused() throws Exception {
    Path old = fake("unsigned int uv_version(void) { return 1 << 16 | 40 << 8; }");

    assertRefused(named(old), old + " (from -Dcouv.libuv): is libuv 1.40.0");
  }

  @Test
  void libraryJustTooOldIsRefused() throws Exception {
    Path old = fake("unsigned int uv_version(void) { return 1 << 16 | 44 << 8 | 1; }");

    assertRefused(named(old), old + " (from -Dcouv.libuv): is libuv 1.44.1");
  }

  @Test
  void functionThatALibraryLacksIsNamed() throws Exception {
    Path hollow = fake("unsigned int uv_version(void) { return 1 << 16 | 99 << 8; }");

    ChildJvm.Result result = named(hollow).run();

    assertThat(result.lines())
        .contains("version: 1.99.0")
        .contains(
            "first call: dev.couv.uv.UvLibraryError: "
                + (hollow + ", a libuv, has no function uv_loop_size"))
        .contains(
            "second call: dev.couv.uv.UvLibraryError: "
                + (hollow + ", a libuv, has no function uv_loop_size"));
  }

  private static ChildJvm named(Path library) {
    return new ChildJvm(Program.class).option("-Dcouv.libuv=" + library);
  }

  private Path fake(String source) throws Exception {
    Path file = Files.writeString(folder.resolve("fake.c"), source);
    Path library = folder.resolve(System.mapLibraryName("fake"));
    CCompiler.compile("cc", "-shared", "-fPIC", "-o", library.toString(), file.toString());
    return library;
  }

  /// All that needs libuv throws the same error, and all that does not works.
  private static void assertRefused(ChildJvm child, String tried) throws Exception {
    ChildJvm.Result result = child.run();

    String error =
        "dev.couv.uv.UvLibraryError: Couv needs libuv 1.44.2 or newer and found none that it can"
            + (" use.\nTried\n  " + tried + "\n" + ADVICE);
    // Ends with, because the VM itself may warn about a file that is no library.
    assertThat(result.output())
        .endsWith(
            ("version: " + error)
                + ("path: " + error)
                + ("first call: " + error)
                + ("second call: " + error)
                + ("a class with constants: " + error)
                + ("the same class again: " + error)
                + "memory: 42\n"
                + "done\n");
    assertThat(result.status()).isZero();
  }

  /// Runs in a JVM of its own: prints what each use of the library gives or throws.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      print("version", Native::versionString);
      print("path", Native::libraryPath);
      print("first call", UvLoop::uv_loop_size);
      print("second call", UvLoop::uv_loop_size);
      print("a class with constants", () -> UvErrors.name(UvErrors.UV_EOF));
      print("the same class again", () -> UvErrors.name(UvErrors.UV_EOF));
      long address = Memory.malloc(4);
      Memory.putInt(address, 42);
      print("memory", () -> Memory.getInt(address));
      System.out.println("done");
    }

    private static void print(String what, Supplier<Object> use) {
      try {
        System.out.println(what + ": " + use.get());
      } catch (Throwable t) {
        System.out.println(what + ": " + t);
      }
    }
  }
}
