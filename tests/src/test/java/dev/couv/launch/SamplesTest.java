// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs written against the API as it is documented. Each prints what its header says.
@Tag("jvm")
class SamplesTest {
  private static final Path SAMPLES = Cli.BASE.resolve("tests/src/test/resources/samples");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resume.java",
        "echo.java",
        "scope.java",
        "timeout.java",
        "names.java",
        "select.java",
        "files.java",
        "process.java",
        "sync.java",
        "threads.java"
      })
  void printsWhatItsHeaderSays(String name) throws Exception {
    Path sample = SAMPLES.resolve(name);

    var result = new Cli().run("run", sample.toString());

    assertEquals(List.of(), result.err());
    assertEquals(header(sample), result.out());
    assertEquals(0, result.status());
  }

  private static List<String> header(Path sample) throws Exception {
    return Files.readAllLines(sample).stream()
        .dropWhile(line -> !line.equals("// prints:"))
        .skip(1)
        .takeWhile(line -> line.startsWith("// "))
        .map(line -> line.substring(3))
        .toList();
  }
}
