// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.couv.Needed;
import dev.couv.http.ClientRequest;
import dev.couv.http.WebClient;
import dev.couv.time.Time;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The process of a Chromium without a window that answers over its DevTools protocol. In a coroutine.
///
/// The first one on a machine reads hundreds of megabytes from the disk and looks at all fonts, and one that finds no
/// desktop around it may wait for services that never answer. So it is told to do without them; one that is silent for
/// long is ended, and another one started; and what they have said is in the failure if none comes up. It says that to a
/// file: into a pipe that nobody reads it could write for a while, and would then stand still.
final class Chromium implements AutoCloseable {
  private static final int TRIES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(75);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");

  /// No sandbox, which root cannot have and our own pages do not need; nothing that asks the network or the desktop.
  private static final List<String> OPTIONS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--disable-background-networking",
          "--disable-breakpad",
          "--disable-component-update",
          "--disable-default-apps",
          "--disable-extensions",
          "--disable-sync",
          "--hide-scrollbars",
          "--metrics-recording-only",
          "--no-default-browser-check",
          "--no-first-run",
          "--no-proxy-server",
          "--password-store=basic",
          "--remote-debugging-port=0");

  private final Process process;
  private final Path log;
  private final URI devTools;

  private Chromium(Process process, Path log, URI devTools) {
    this.process = process;
    this.log = log;
    this.devTools = devTools;
  }

  /// One that answers. Its files are below the directory.
  static Chromium start(Path directory) throws Exception {
    StringBuilder said = new StringBuilder();
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      Path log = directory.resolve("chromium-" + attempt + ".log");
      Process process = process(directory.resolve("chromium-" + attempt), log);
      try {
        return new Chromium(process, log, Time.timeout(PATIENCE, () -> answering(process, log)));
      } catch (IOException | TimeoutException silent) {
        end(process);
        said.append(silent.getMessage()).append(", after it said:\n").append(text(log));
      } catch (Throwable cancelled) {
        end(process);
        throw cancelled;
      }
    }
    throw new IOException("no chromium out of " + TRIES + " came up: " + said);
  }

  private static Process process(Path profile, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(Needed.program("chromium"));
    builder.command().addAll(OPTIONS);
    builder.command().addAll(List.of("--user-data-dir=" + profile, "about:blank"));
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /// Waits until it has said where it listens, and has answered there.
  private static URI answering(Process process, Path log) throws Exception {
    Matcher listening = LISTENING.matcher(text(log));
    while (!listening.find()) {
      if (!process.isAlive()) {
        throw new IOException("it ended with " + process.exitValue());
      }
      Time.sleep(PAUSE);
      listening = LISTENING.matcher(text(log));
    }
    URI devTools = URI.create(listening.group(1));
    try (var client = WebClient.open();
        var answer = client.send(version(devTools))) {
      answer.text(1 << 16);
    }
    return devTools;
  }

  private static ClientRequest version(URI devTools) {
    return ClientRequest.of("GET", "http://" + devTools.getAuthority() + "/json/version");
  }

  private static String text(Path log) throws IOException {
    return new String(Files.readAllBytes(log), UTF_8);
  }

  /// Where it is asked.
  URI devTools() {
    return devTools;
  }

  /// All that it has written so far, for those who wonder.
  String said() throws IOException {
    return "chromium is " + (process.isAlive() ? "alive" : "dead") + " and said:\n" + text(log);
  }

  /// It was told to end: it leaves files behind if it is killed.
  @Override
  public void close() {
    process.onExit().completeOnTimeout(process, PATIENCE.toSeconds(), SECONDS).join();
    end(process);
  }

  private static void end(Process process) {
    process.destroyForcibly().onExit().join();
  }
}
