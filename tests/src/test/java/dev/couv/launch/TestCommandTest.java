// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `tools/test`, with a list, an `apt-get` and a Maven of the test's own.
@Tag("loop-scheduled-engine")
class TestCommandTest {
  @TempDir private Path root;
  private Path bin;

  @BeforeEach
  void copy() throws Exception {
    Path tools = Files.createDirectory(root.resolve("tools"));
    Files.copy(Cli.BASE.resolve("tools/test"), tools.resolve("test"));
    bin = Files.createDirectory(root.resolve("bin"));
    program("mvn", "echo mvn \"$@\"");
  }

  private void program(String name, String commands) throws Exception {
    Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + commands + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void needs(String... lines) throws Exception {
    Files.write(root.resolve("tools/needs"), List.of(lines));
  }

  private Cli.Result test(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", root.resolve("tools/test").toString()));
    command.addAll(List.of(arguments));
    String path = bin + ":" + System.getenv("PATH");
    try (var running = Cli.Running.start(command, root.getParent(), Map.of("PATH", path))) {
      return running.end();
    }
  }

  @Test
  void whereNothingIsMissingItTests() throws Exception {
    needs("# kind name package", "", "program sh dash");

    var result = test("-Dtest=One", "-o");

    assertEquals(List.of("mvn -Pformat verify -Dtest=One -o"), result.out());
    assertEquals(0, result.status());
  }

  @Test
  void asRootItInstallsWhatIsMissingAndTests() throws Exception {
    program("id", "echo 0");
    program("apt-get", "echo apt-get \"$@\"");
    needs(
        "program  couv-no-such     a-package",
        "program  sh               dash",
        "server   couv-no-server   s",
        "server   sh               dash",
        "header   couv/no-such.h   b-dev",
        "library  libcouvnone.so.9 c");

    var result = test();

    assertEquals(
        List.of(
            "tools/test: installing a-package s b-dev c",
            "apt-get update -qq",
            "apt-get install -y -qq --no-install-recommends a-package s b-dev c",
            "mvn -Pformat verify"),
        result.out());
    assertEquals(0, result.status());
  }

  @Test
  void canInstallOnly() throws Exception {
    needs("program sh dash");

    assertEquals(List.of(), test("--install").out());
  }

  @Test
  void othersAreToldTheCommandAndNothingIsTested() throws Exception {
    program("id", "echo 1000");
    program("apt-get", "echo apt-get \"$@\"");
    needs("program couv-no-such a-package", "program couv-nor-this another");

    var result = test();

    assertEquals(List.of(), result.out());
    assertEquals(
        List.of(
            "tools/test: the tests need what is not here: couv-no-such couv-nor-this",
            "Install it; on Debian: sudo apt-get install a-package another"),
        result.err());
    assertEquals(1, result.status());
  }

  @Test
  void anInstallationThatFailsEndsIt() throws Exception {
    program("id", "echo 0");
    program("apt-get", "exit 100");
    needs("program couv-no-such a-package");

    assertEquals(100, test().status());
  }
}
