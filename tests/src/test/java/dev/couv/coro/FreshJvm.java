// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.strand.Scheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program in a JVM of its own, on the engine that is under test: for what the JDK does only once per
/// process, and for what other tests would disturb.
public final class FreshJvm {
  private static final String CARRIERS = "-Djdk.virtualThreadScheduler.parallelism";

  private FreshJvm() {}

  /// Runs the class's `main` and returns the lines it printed; it must end well.
  public static List<String> run(Class<?> program, String... options) throws Exception {
    return run(command(program, options));
  }

  /// Likewise, by [#command] and what was added to it.
  public static List<String> run(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    // The output ends with the child, so one that hangs is ended to let the reading end.
    Thread watchdog = Thread.ofPlatform().daemon().start(() -> endIfItHangs(process));
    List<String> lines = new String(read(process), UTF_8).lines().toList();
    assertEquals(0, process.waitFor(), lines::toString);
    watchdog.join();
    return lines;
  }

  /// What starts such a program; its arguments follow. Where coroutines are the JDK's virtual threads, as many run at a time
  /// as here: tests compute while they wait for others (`Patience`), and where all carriers do that no loop goes on.
  public static List<String> command(Class<?> program, String... options) {
    List<String> command = new ArrayList<>(java());
    if (Scheduler.engineKind().equals("loop-scheduled")) {
      command.addAll(List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED"));
    } else {
      command.add(CARRIERS + "=" + Integer.getInteger(CARRIERS.substring(2), 8));
    }
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    return command;
  }

  /// The JDK's `java` with what every program on Couv needs, and with what makes a short one cheap: most
  /// of the processor time of such a program is its start. Options that follow win over these.
  public static List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED");
  }

  private static byte[] read(Process process) throws IOException {
    return process.getInputStream().readAllBytes();
  }

  private static void endIfItHangs(Process process) {
    try {
      if (!process.waitFor(240, TimeUnit.SECONDS)) {
        // Where its threads are goes to its standard output, which is told.
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
        process.waitFor(10, TimeUnit.SECONDS);
        process.destroyForcibly();
      }
    } catch (InterruptedException | IOException e) {
      process.destroyForcibly();
    }
  }
}
