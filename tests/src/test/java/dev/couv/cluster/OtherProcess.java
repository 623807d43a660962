// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Another process of a cluster, which runs the [ClusterProgram]. Killed when it is closed. Whoever
/// waits for it is a coroutine, and the loop goes on.
@SuppressWarnings("try") // its end may wait
final class OtherProcess implements AutoCloseable {
  private final Process process;

  private OtherProcess(Process process) {
    this.process = process;
  }

  /// Starts it, and returns when it is ready.
  static OtherProcess start(String url, String space, String part) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            ClusterProgram.class.getName(),
            url,
            space,
            part));
    Process process =
        Loop.offload(
            () -> new ProcessBuilder(command).redirectError(new File("/dev/null")).start());
    OtherProcess started = new OtherProcess(process);
    try {
      assertEquals("ready", started.says());
    } catch (Throwable failed) {
      started.close();
      throw failed;
    }
    return started;
  }

  /// The next line that it says.
  String says() throws Exception {
    return Loop.offload(() -> process.inputReader().readLine());
  }

  /// Returns when it does not run any more.
  void stop() throws Exception {
    signal("STOP");
    Path status = Path.of("/proc/" + process.pid() + "/status");
    Conformance.until(() -> Loop.offload(() -> Files.readString(status)).contains("State:\tT"));
  }

  void goOn() throws Exception {
    signal("CONT");
  }

  private void signal(String name) throws Exception {
    String[] command = {"kill", "-" + name, Long.toString(process.pid())};
    Loop.offload(() -> new ProcessBuilder(command).start().waitFor());
  }

  /// Returns when it is dead.
  void kill() throws Exception {
    process.destroyForcibly();
    Loop.offload(process::waitFor);
  }

  @Override
  public void close() throws Exception {
    Coroutine.protect(this::kill);
  }
}
