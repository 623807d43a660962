// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.couv.Needed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the binding writes down on arm64, as far as that can be told elsewhere: the probe is compiled for that processor, and
/// run by an emulator; and a JVM that takes itself for one on it says what it would use.
@Tag("jvm")
@Tag("loop-scheduled-engine")
final class ArmLayoutsTest {
  private static Map<String, List<Long>> headers = Map.of();
  private static Map<String, List<Long>> ours = Map.of();

  @BeforeAll
  static void runTheProbe(@TempDir Path folder) throws Exception {
    CCompiler.requireLibuvHeader(folder);
    // Nothing of libuv depends on the processor in its headers, but beside them are those of this
    // one's C library.
    Path include = Files.createDirectory(folder.resolve("include"));
    CCompiler.run(List.of("cp", "-r", "/usr/include/uv.h", "/usr/include/uv", include.toString()));
    String program = folder.resolve("layout-probe").toString();
    CCompiler.run(
        List.of(
            Needed.program("aarch64-linux-gnu-gcc"),
            "-Wall",
            "-Werror",
            "-static",
            "-I" + include,
            "-o",
            program,
            CCompiler.tool("layout-probe.c").toString()));
    headers = WrittenDown.parse(CCompiler.run(List.of(Needed.program("qemu-aarch64"), program)));
    ours =
        WrittenDown.parse(
            new ChildJvm(WrittenDown.class)
                .option("-D" + WrittenDown.PROCESSOR + "=aarch64")
                .run()
                .output());
  }

  @Test
  void structsAndNumbersAreThoseOfTheHeaders() {
    assertThat(ours).hasSizeGreaterThan(250);
    assertThat(headers).containsAllEntriesOf(ours);
  }

  @Test
  void whatHasNoLayoutIsAsAssumed() {
    WrittenDown.assertAssumptions(headers);
  }

  /// Or there would be nothing to look at: these are all that differ.
  @Test
  void whatDiffersFromTheOtherProcessorIsKnown() {
    Map<String, List<Long>> here = new HashMap<>(WrittenDown.lines());
    here.entrySet().removeIf(line -> Objects.equals(ours.get(line.getKey()), line.getValue()));

    if (System.getProperty("os.arch").equals("amd64")) {
      assertThat(here)
          .containsOnlyKeys(
              "constant SYS_epoll_pwait",
              "constant SYS_recvfrom",
              "constant SYS_sendto",
              "constant UV_FS_O_DIRECTORY",
              "constant UV_FS_O_NOFOLLOW",
              "struct epoll_event",
              "field epoll_event.data");
    }
  }
}
