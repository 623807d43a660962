// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import dev.couv.bench.costs.FileProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Files beside C on libuv and Node, one request at a time. Started by `bench/files`, which also says what the options are.
final class FileContest {
  private final ContestOptions options;
  private final Contest contest;
  private final Path scratch;

  private FileContest(ContestOptions options) throws IOException {
    this.options = options;
    this.contest = new Contest(options);
    this.scratch = Files.createTempDirectory("couv-files");
  }

  static void main(String[] args) throws Exception {
    Comparison.start(
        "read,write,stat,list,copy",
        5,
        "",
        1,
        args,
        options -> {
          FileContest files = new FileContest(options);
          try {
            for (String name : options.cases()) {
              files.run(name);
            }
          } finally {
            remove(files.scratch);
          }
        });
  }

  private void run(String name) throws IOException, InterruptedException {
    switch (name) {
      case "read" ->
          run(
              name,
              "Read a whole file that is in memory, by bytes",
              "file",
              "4096",
              "65536",
              "1048576");
      case "write" -> run(name, "Write a whole file, by bytes", "file", "4096", "65536", "1048576");
      case "stat" -> run(name, "Stat a file, by its bytes", "stat", "4096");
      case "list" -> run(name, "List a directory, by entries", "directory", "100", "1000", "10000");
      case "copy" ->
          run(
              name,
              "Copy a tree of files of 4 KiB, and remove it, by files",
              "tree",
              "10",
              "100",
              "1000");
      default -> throw new IllegalArgumentException("no such case: " + name);
    }
  }

  private void run(String name, String title, String unit, String... sizes)
      throws IOException, InterruptedException {
    Result result = contest.open(name, title, unit);
    contest.programs(result, options.serverCore(), contenders(name), sizes);
  }

  /// Each run has a directory of its own.
  private List<Contender> contenders(String name) {
    String program = options.program("files");
    return List.of(
        Contender.ofProgram(
            "c-libuv",
            "libuv1-dev",
            List.of(program, "version"),
            size -> List.of(program, size, name, directory())),
        new Contender(
            "couv",
            "Couv, " + Contender.jdk(),
            size ->
                Contender.ofJava("", "", FileProgram.class, name, directory())
                    .command()
                    .apply(size),
            null),
        Contender.ofProgram(
            "node",
            "nodejs",
            List.of("node", "--version"),
            size -> List.of("node", options.file("peers/files.js"), size, name, directory())));
  }

  private String directory() {
    try {
      return Files.createTempDirectory(scratch, "run").toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> found = Files.walk(directory)) {
      for (Path path : found.sorted((one, other) -> other.compareTo(one)).toList()) {
        Files.delete(path);
      }
    }
  }
}
