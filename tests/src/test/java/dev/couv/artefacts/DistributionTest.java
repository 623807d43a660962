// SPDX-License-Identifier: Apache-2.0
package dev.couv.artefacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.Needed;
import dev.couv.artefacts.Artefacts.Result;
import dev.couv.uv.Native;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The zip, unpacked in a directory with a space in its name and found by a link on the `PATH`, on a machine that has neither
/// Maven nor a JDK nor libuv.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class DistributionTest {
  @TempDir private static Path folder;
  private static Path home;
  private static Path bin;

  @BeforeAll
  static void unpack() throws Exception {
    Path apps = Files.createDirectory(folder.resolve("my apps"));
    Result result =
        Artefacts.run(apps, Map.of(), Needed.program("unzip"), "-q", Artefacts.zip().toString());
    assertEquals(0, result.status(), result.output());
    Path couv;
    try (Stream<Path> unpacked = Files.list(apps)) {
      couv = unpacked.findFirst().orElseThrow();
    }
    home = Files.createDirectory(folder.resolve("home"));
    bin = Files.createDirectory(folder.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("couv"), couv.resolve("bin/couv"));
    // What a small system has.
    for (String name :
        List.of(
            "bash", "cksum", "cut", "dirname", "grep", "mkdir", "mv", "readlink", "sh", "stty")) {
      Path program = Path.of("/bin", name);
      Files.createSymbolicLink(
          bin.resolve(name), Files.exists(program) ? program : Path.of("/usr/bin", name));
    }
  }

  @Test
  void runsAScriptAndPreparesAFastStartInTheCacheOfTheUser() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("Hello.java"),
            """
            import module dev.couv;

            void main() {
              Time.sleep(Duration.ofMillis(1));
              IO.println(Loop.current().stats().engine());
            }
            """);

    Result first = couv("run", script.toString());
    Result second = couv("run", script.toString());

    assertEquals(List.of("couv: preparing a fast start …", "loop-scheduled"), first.lines());
    assertEquals(List.of("loop-scheduled"), second.lines());
    try (Stream<Path> files = Files.walk(home.resolve(".cache/couv"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".aot")))
          .singleElement()
          .satisfies(file -> assertThat(file).isNotEmptyFile());
    }
  }

  @Test
  void runsAScriptThatSpeaksHttp() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("Web.java"),
            """
            import module dev.couv;
            import module dev.couv.http;

            void main() throws Exception {
              try (var server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0))) {
                IO.println(server.local().getPort() > 0);
              }
            }
            """);

    assertEquals(List.of("true"), couv("run", script.toString()).lines());
  }

  /// A cache that cannot be made costs time, and nothing else.
  @Test
  void needsNoHome() throws Exception {
    Path script = Files.writeString(folder.resolve("One.java"), "void main() { IO.println(1); }");

    Result result = couv(Map.of("HOME", "/proc/nowhere"), "run", script.toString());

    assertEquals(List.of("1"), result.lines());
  }

  @Test
  void saysWhatItIs() throws Exception {
    Result result = couv("doctor");

    assertThat(result.output()).contains("couv-libuv (libuv1 ");
    assertEquals(0, result.status(), result.output());
  }

  private static Result couv(String... arguments) throws Exception {
    return couv(Map.of("HOME", home.toString()), arguments);
  }

  private static Result couv(Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(Artefacts.withoutLibuv(Native.libraryPath()));
    command.addAll(List.of("env", "-i", "PATH=" + bin));
    environment.forEach((name, value) -> command.add(name + "=" + value));
    command.add("couv");
    command.addAll(List.of(arguments));
    return Artefacts.run(folder, Map.of(), command.toArray(String[]::new));
  }
}
