// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.coro.FreshJvm;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A JVM of its own for a test that needs one: because the callback table, the library and the end
/// of the VM are there once per process.
public final class ChildJvm {
  private final Class<?> main;
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();

  /// How a child ended, and what it wrote to both of its outputs.
  public record Result(int status, String output) {
    public List<String> lines() {
      return output.lines().toList();
    }
  }

  public ChildJvm(Class<?> main) {
    this.main = main;
  }

  public ChildJvm option(String option) {
    options.add(option);
    return this;
  }

  public ChildJvm variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  public Result run() throws Exception {
    List<String> command = new ArrayList<>(FreshJvm.java());
    command.addAll(List.of("-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // A setting of the developer's own must not decide what is tested.
    builder.environment().remove("COUV_LIBUV");
    builder.environment().putAll(environment);

    Process process = builder.start();
    process.getOutputStream().close();
    // The output ends with the child, so a child that hangs is ended to let the reading end.
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                if (!process.waitFor(240, TimeUnit.SECONDS)) process.destroyForcibly();
              } catch (InterruptedException e) {
                process.destroyForcibly();
              }
            });
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), output);
  }

  private String classPath() {
    return Stream.of(Native.class, main)
        .map(ChildJvm::placeOf)
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
