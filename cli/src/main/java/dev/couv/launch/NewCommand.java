// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/// `couv new`: a Maven project to begin with.
@Command(
    name = "new",
    header = "Makes a Maven project: a small service, its test, a container file.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class NewCommand implements Callable<Integer> {
  /// What is good for a directory, an artefact and an image.
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*([-_.][a-z0-9]+)*");

  @Parameters(paramLabel = "NAME", description = "The project's name, and its directory here.")
  private @Nullable String name;

  /// For picocli.
  NewCommand() {}

  @Override
  public Integer call() {
    if (name == null) {
      throw new AssertionError("picocli sets it");
    }
    if (!NAME.matcher(name).matches()) {
      System.err.println(
          "couv: not a good name for a project: "
              + name
              + " (small letters, digits, and - _ . between them)");
      return ExitCode.USAGE;
    }
    Path directory = Path.of(name);
    try {
      if (isTaken(directory)) {
        System.err.println("couv: there is something in " + name + " already");
        return ExitCode.USAGE;
      }
      new ProjectTemplate(name).write(directory);
    } catch (IOException failure) {
      System.err.println("couv: cannot make " + name + ": " + failure);
      return ExitCode.SOFTWARE;
    }
    System.out.println("Made " + name + ". Next:");
    System.out.println("  cd " + name + " && mvn verify && mvn compile exec:exec");
    return ExitCode.OK;
  }

  private static boolean isTaken(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return Files.exists(directory);
    }
    try (Stream<Path> content = Files.list(directory)) {
      return content.findAny().isPresent();
    }
  }
}
