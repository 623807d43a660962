// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.Needed;
import dev.couv.signal.Signal;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The packaged command line in a process of its own, on the engine that this test run is for.
final class Cli {
  static final Path BASE = Path.of(System.getProperty("couv.basedir"));
  static final Path CORE_JAR = Path.of(System.getProperty("couv.test.core-jar"));
  static final Path RESILIENCE_JAR = Path.of(System.getProperty("couv.test.resilience-jar"));
  static final Path CLI_JAR = Path.of(System.getProperty("couv.test.cli-jar"));

  /// The modules that scripts can import, and where they are.
  static final String MODULES = "dev.couv,dev.couv.resilience";

  static final String MODULE_PATH =
      String.join(":", CORE_JAR.toString(), RESILIENCE_JAR.toString());

  static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

  private static final long PATIENCE_SECONDS = 240;
  private static final Pattern LISTENING =
      Pattern.compile("listening at 127\\.0\\.0\\.1:(\\d+), .*");

  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private Path directory = BASE;
  private boolean warns;
  private List<String> user = List.of();
  private String modules = MODULES;
  private String modulePath = MODULE_PATH;

  /// How a process ended, and what it wrote.
  record Result(int status, List<String> out, List<String> err) {}

  Cli in(Path newDirectory) {
    directory = newDirectory;
    return this;
  }

  /// With what `./couv` adds for scripts that import `dev.couv.http`.
  Cli withHttp() {
    modules = MODULES + ",dev.couv.http";
    modulePath = CLI_JAR.resolveSibling("lib").toString();
    return this;
  }

  /// As a program that was not started by `./couv`: its JVM warns of loaded agents.
  Cli warning() {
    warns = true;
    return this;
  }

  /// As a user who owns nothing. Only root can do that.
  Cli asNobody() {
    user =
        List.of(Needed.program("setpriv"), "--reuid=nobody", "--regid=nogroup", "--clear-groups");
    return this;
  }

  /// With what `./couv` adds for scripts that import `dev.couv.cluster`.
  Cli withCluster() {
    modules = MODULES + ",dev.couv.cluster";
    modulePath = CLI_JAR.resolveSibling("lib").toString();
    return this;
  }

  /// With what `./couv` adds for scripts that import `dev.couv.bridge`.
  Cli withBridge() {
    modules = MODULES + ",dev.couv.bridge";
    modulePath = CLI_JAR.resolveSibling("lib").toString();
    return this;
  }

  Cli option(String option) {
    options.add(option);
    return this;
  }

  Cli variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Result run(String... arguments) throws Exception {
    try (Running running = start(arguments)) {
      return running.end();
    }
  }

  Running start(String... arguments) throws IOException {
    return Running.start(command(arguments), directory, environment);
  }

  /// On a pseudo-terminal, which the `script` of util-linux opens: what is typed is written to the process.
  Running startOnTerminal(String... arguments) throws IOException {
    // Without exec a shell would stay, and a Ctrl-C is for it as well: some end with 130 then,
    // others do not.
    return startSession("stty cols 60 rows 20; exec " + quoted(arguments));
  }

  /// On such a terminal, but in the background. With the first line that is typed it is told to end, and then its
  /// status is shown.
  Running startInBackground(String... arguments) throws IOException {
    return startSession(
        "set -m; " + quoted(arguments) + " & read -r _; kill %1; wait %1; echo \"ended $?\"");
  }

  private Running startSession(String shell) throws IOException {
    return Running.start(
        List.of(Needed.program("script"), "-qec", shell, "/dev/null"), directory, environment);
  }

  private String quoted(String... arguments) {
    return command(arguments).stream()
        .map(word -> "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  private List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(withDefaultSignals());
    command.addAll(user);
    command.add(JAVA_HOME.resolve("bin/java").toString());
    // The children live for a second: what makes long runs faster would only make these slower.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("--module-path", modulePath, "--add-modules", modules));
    if (System.getProperty("couv.test.engine", "").equals("loop-scheduled")) {
      command.addAll(List.of("--add-opens", "java.base/java.lang=dev.couv"));
    } else {
      // It says in the log which engine it takes, which is not what these tests are about.
      command.add("-Dcouv.engine=hand-over");
    }
    command.add("--enable-native-access=dev.couv");
    for (String hidden : List.of("uv", "loop", "strand")) {
      command.addAll(List.of("--add-exports", "dev.couv/dev.couv." + hidden + "=ALL-UNNAMED"));
    }
    if (!warns) {
      command.add("-XX:+EnableDynamicAgentLoading");
    }
    command.add("-Djdk.pollerMode=1");
    command.addAll(options);
    command.addAll(List.of("-cp", CLI_JAR.toString(), "dev.couv.launch.Main"));
    command.addAll(List.of(arguments));
    return command;
  }

  /// A shell that starts the tests in the background may have them ignore Ctrl-C, and their children
  /// would inherit that.
  static List<String> withDefaultSignals() {
    return List.of("env", "--default-signal=INT,TERM,HUP");
  }

  /// A process that has not ended yet.
  record Running(Process process, BufferedReader out, Path err) implements AutoCloseable {
    static Running start(List<String> command, Path directory, Map<String, String> environment)
        throws IOException {
      Path err = Files.createTempFile("couv", ".err");
      ProcessBuilder builder =
          new ProcessBuilder(command).directory(directory.toFile()).redirectError(err.toFile());
      // Settings of the developer's own must not decide what is tested.
      builder
          .environment()
          .keySet()
          .removeAll(List.of("COUV_LIBUV", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
      builder.environment().putAll(environment);
      Process process = builder.start();
      // A child that hangs is ended, and with it the reading of what it writes.
      process
          .onExit()
          .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
          .exceptionally(
              late -> {
                process.destroyForcibly();
                return process;
              });
      return new Running(process, process.inputReader(UTF_8), err);
    }

    /// The next line of its output.
    String line() throws IOException {
      String line = out.readLine();
      if (line == null) {
        throw new IOException("it ended: " + Files.readString(err));
      }
      return line;
    }

    /// Its next line that contains the text; what is before it is passed over.
    String line(String containing) throws IOException {
      List<String> before = new ArrayList<>();
      for (String line; (line = out.readLine()) != null; ) {
        if (line.contains(containing)) {
          return line;
        }
        before.add(line);
      }
      throw new IOException(
          "it ended without \"" + containing + "\": " + before + Files.readString(err));
    }

    /// The port of an example that listens, out of its next line.
    int port() throws IOException {
      String line = line();
      Matcher listening = LISTENING.matcher(line);
      if (!listening.matches()) {
        throw new AssertionError(line);
      }
      return Integer.parseInt(listening.group(1));
    }

    void signal(String name) throws Exception {
      Signal.send(process.pid(), Signal.valueOf(name));
    }

    /// Waits for the end, and returns what has not been read yet.
    Result end() throws Exception {
      List<String> lines = out.lines().toList();
      return new Result(process.waitFor(), lines, Files.readAllLines(err));
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly().onExit().join();
      process.getOutputStream().close();
      out.close();
      process.getErrorStream().close();
      Files.deleteIfExists(err);
    }
  }
}
