// SPDX-License-Identifier: Apache-2.0
package dev.couv.artefacts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.Needed;
import dev.couv.coro.FreshJvm;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// A JVM that sees other mounts than the rest of the machine: in a mount namespace of its own, which ends with it.
final class Machine {
  private final Class<?> main;
  private final List<String> lines = new ArrayList<>(List.of("mount --make-rprivate /"));
  private final List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
  private final List<String> classPath = new ArrayList<>();
  private final Map<String, String> environment = new TreeMap<>();
  private String afterwards = "";
  private boolean hasLibuv = true;

  /// How it ended, and what it wrote.
  record Result(int status, String output) {
    List<String> lines() {
      return output.lines().toList();
    }
  }

  /// A JVM that was started.
  record Running(Process process) {
    Result result() throws Exception {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (!process.waitFor(240, TimeUnit.SECONDS)) process.destroyForcibly();
      return new Result(process.waitFor(), output);
    }
  }

  Machine(Class<?> main) {
    this.main = main;
  }

  /// Done as root of the namespace, before the program begins.
  Machine shell(String line) {
    lines.add(line);
    return this;
  }

  /// Done there when it has ended, whatever comes of it.
  Machine afterwards(String line) {
    afterwards = line;
    return this;
  }

  Machine option(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  Machine variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Machine withoutLibuv() {
    hasLibuv = false;
    return this;
  }

  Machine onClassPath() {
    classPath.addAll(jars());
    return option("--enable-native-access=ALL-UNNAMED")
        .option("--add-opens", "java.base/java.lang=ALL-UNNAMED");
  }

  /// Couv is, and what belongs to it; the program asks for Couv alone.
  Machine onModulePath() {
    return option("--module-path", String.join(File.pathSeparator, jars()))
        .option("--add-modules", "dev.couv", "--enable-native-access=dev.couv")
        .option("--add-opens", "java.base/java.lang=dev.couv")
        .option("--add-exports", "dev.couv/dev.couv.uv=ALL-UNNAMED");
  }

  private List<String> jars() {
    List<String> jars = new ArrayList<>(List.of(System.getProperty("couv.test.core-jar")));
    if (hasLibuv) jars.add(System.getProperty("couv.test.libuv-jar"));
    return jars;
  }

  Result run() throws Exception {
    return start().result();
  }

  Running start() throws Exception {
    Path classes =
        Path.of(main.getProtectionDomain().getCodeSource().getLocation().toURI()).toRealPath();
    List<String> program = new ArrayList<>(FreshJvm.java());
    program.addAll(options);
    List<String> path = new ArrayList<>(classPath);
    path.add(classes.toString());
    program.addAll(List.of("-cp", String.join(File.pathSeparator, path), main.getName()));
    String script =
        String.join("\n", lines) + "\nset +e\n\"$@\"\nstatus=$?\n" + afterwards + "\nexit $status";
    List<String> command =
        new ArrayList<>(
            List.of(
                Needed.program("unshare"),
                "--map-root-user",
                "--mount",
                "sh",
                "-ec",
                script,
                "sh"));
    command.addAll(program);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("COUV_LIBUV");
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return new Running(process);
  }
}
