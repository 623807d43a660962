// SPDX-License-Identifier: Apache-2.0
package dev.couv.artefacts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.couv.coro.Loop;
import dev.couv.libuv.PackagedLibuv;
import dev.couv.time.Time;
import dev.couv.uv.Native;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs on a machine that has no libuv: the system's is hidden from them, and they have `couv-libuv`.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class InstallNothingTest {
  private static final String OURS = new PackagedLibuv().name();

  @TempDir private Path folder;
  private Machine machine;

  @BeforeEach
  void hideTheLibraryOfTheSystem() {
    machine = new Machine(Program.class);
    machine.shell("mount --bind /dev/null '" + Native.libraryPath() + "'");
  }

  @Test
  void aProgramOnTheClassPathJustRuns() throws Exception {
    assertThat(machine.onClassPath().run().lines()).containsExactly(OURS, "slept");
  }

  @Test
  void aProgramOnTheModulePathJustRuns() throws Exception {
    assertThat(machine.onModulePath().run().lines()).containsExactly(OURS, "slept");
  }

  /// As in a container with a read-only root, and nothing but a `noexec` directory for temporary files.
  @Test
  void nothingNeedsToBeWritable() throws Exception {
    machine.shell("mount -t tmpfs -o ro,noexec none '" + folder + "'");
    machine.option("-Djava.io.tmpdir=" + folder);

    assertThat(machine.onClassPath().run().lines()).containsExactly(OURS, "slept");
  }

  @Test
  void theLibraryOfTheSystemCanStillBeChosen() throws Exception {
    var other = new Machine(Program.class).onClassPath().option("-Dcouv.libuv=system");

    assertThat(other.run().lines()).containsExactly(Native.libraryPath(), "slept");
  }

  @Test
  void whoChoosesTheSystemsGetsNoOther() throws Exception {
    var result = machine.onClassPath().variable("COUV_LIBUV", "system").run();

    assertThat(result.output())
        .contains("Tried\n  libuv.so.1: not found by the system's loader\nOn Linux add");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void withoutTheArtefactTheErrorNamesIt() throws Exception {
    var result = machine.withoutLibuv().onClassPath().run();

    assertThat(result.output())
        .contains("couv-libuv: not among the program's artefacts\n  libuv.so.1: not found")
        .contains("add the artefact dev.couv:couv-libuv to the program");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void theUserMayWantAFileOfWhichNothingIsLeft() throws Exception {
    var result = machine.onClassPath().option("-Dcouv.libuv.directory=" + folder).run();

    assertThat(result.lines()).containsExactly(OURS, "slept");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void manyProcessesDoNotMeet() throws Exception {
    machine.onClassPath().option("-Dcouv.libuv.directory=" + folder);
    List<Machine.Running> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) all.add(machine.start());

    for (Machine.Running each : all) {
      assertThat(each.result().lines()).containsExactly(OURS, "slept");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void whatIsMountedNoexecIsNamed() throws Exception {
    machine.shell("mount -t tmpfs -o noexec,mode=700 none '" + folder + "'");
    var result = machine.onClassPath().option("-Dcouv.libuv.directory=" + folder).run();

    assertThat(result.output())
        .containsPattern(
            "cannot be loaded from \\Q"
                + folder
                + "\\E/couv-[0-9]+/libuv\\.so\\.1: that is mounted noexec;"
                + " -Dcouv\\.libuv\\.directory=DIR names another directory");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void aFullDiskIsNamedAndNothingIsLeftOnIt() throws Exception {
    machine.shell("mount -t tmpfs -o size=64k,mode=700 none '" + folder + "'");
    machine.afterwards("ls -A '" + folder + "'");
    var result = machine.onClassPath().option("-Dcouv.libuv.directory=" + folder).run();

    assertThat(result.output())
        .contains("cannot be unpacked in " + folder + ": No space left on device; -Dcouv.libuv");
    assertThat(result.lines().getLast()).doesNotStartWith("couv-");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void whatIsReadOnlyIsNamed() throws Exception {
    machine.shell("mount -t tmpfs -o ro none '" + folder + "'");
    var result = machine.onClassPath().option("-Dcouv.libuv.directory=" + folder).run();

    assertThat(result.output())
        .contains("cannot be unpacked in " + folder + ": Read-only file system; -Dcouv.libuv");
    assertThat(result.status()).isEqualTo(1);
  }

  /// Children see neither the library's memory nor a descriptor of it.
  @Test
  void noDescriptorIsLeftOpen() throws Exception {
    machine = new Machine(Descriptors.class).onClassPath();

    assertThat(machine.run().lines()).noneMatch(line -> line.contains("memfd"));
    assertThat(Files.exists(Path.of("/proc/self/fd"))).isTrue();
  }

  /// Prints which library it is, and uses it.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      System.out.println(Native.libraryPath());
      Loop.run(() -> Time.sleep(Duration.ofMillis(1)));
      System.out.println("slept");
    }
  }

  /// Prints what is open when the library is loaded.
  static final class Descriptors {
    private Descriptors() {}

    public static void main(String[] arguments) throws Exception {
      Native.versionString();
      try (var open = Files.list(Path.of("/proc/self/fd"))) {
        for (Path each : open.filter(Files::isSymbolicLink).toList()) {
          System.out.println(Files.readSymbolicLink(each));
        }
      }
    }
  }
}
