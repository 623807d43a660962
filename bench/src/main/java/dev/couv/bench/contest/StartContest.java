// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// How long a hello takes, by lines of it: `java Hello.java`, and `couv run` the first time it sees the text, and the second. Started by
/// `bench/start`, which also says what the options are.
final class StartContest {
  private final ContestOptions options;
  private final Path scratch;
  private int texts;

  private StartContest(ContestOptions options) throws IOException {
    this.options = options;
    this.scratch = Files.createTempDirectory("couv-start");
  }

  static void main(String[] args) throws Exception {
    Comparison.start(
        "hello",
        15,
        "",
        1,
        args,
        options -> {
          StartContest start = new StartContest(options);
          try {
            start.run();
          } finally {
            Files.deleteIfExists(start.scratch.resolve("Hello.java"));
            Files.delete(start.scratch);
          }
        });
  }

  private void run() throws IOException, InterruptedException {
    Contest contest = new Contest(options);
    Result result = contest.open("hello", "A hello from its source, by lines of it", "run");
    contest.programs(result, options.bothCores(), contenders(), "1", "100", "1000");
  }

  /// In this order: java sees a new text, couv the same for the first time, and then for the second.
  private List<Contender> contenders() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String couv = options.root().resolve("couv").toString();
    String file = scratch.resolve("Hello.java").toString();
    return List.of(
        new Contender(
            "java",
            "java Hello.java, " + Contender.jdk(),
            lines -> timed(newText(lines), java, file),
            null),
        new Contender(
            "couv-first", "couv run of a new text", _ -> timed(file, couv, "run", file), null),
        new Contender(
            "couv-second", "couv run of the same text", _ -> timed(file, couv, "run", file), null));
  }

  private List<String> timed(String file, String... command) {
    if (!Files.isReadable(Path.of(file))) {
      throw new IllegalStateException("there is no text");
    }
    return Stream.concat(Stream.of(options.file("peers/timed")), Stream.of(command)).toList();
  }

  private String newText(String lines) {
    StringBuilder text = new StringBuilder("// " + texts++ + " " + System.nanoTime() + "\n");
    text.append("void main() {\n  int sum = 0;\n");
    for (int i = 1; i < Integer.parseInt(lines); i++) {
      text.append("  sum += ").append(i).append(";\n");
    }
    text.append("  IO.println(\"hello \" + sum);\n}\n");
    Path file = scratch.resolve("Hello.java");
    try {
      return Files.writeString(file, text).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
