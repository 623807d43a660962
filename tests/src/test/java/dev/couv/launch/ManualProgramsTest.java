// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The programs of the tutorial and of the guides run, and print what their pages say.
///
/// A program is a block with a `main`. The block of text behind it is all that it prints, with "…" for whatever differs from run to run.
/// One marked `java fails` ends with an exception. The first programs of the other pages are `ManualTest`'s.
@Tag("loop-scheduled-engine")
final class ManualProgramsTest {
  private static URLClassLoader programs;

  private static List<Program> all() {
    List<Program> all = new ArrayList<>();
    for (Page page : Page.all()) {
      if (page.name().contains("/")) {
        page.blocks().stream()
            .filter(Page.Block::isProgram)
            .forEach(block -> all.add(new Program(page, block)));
      }
    }
    return all;
  }

  static Stream<String> names() {
    return all().stream().map(Program::place);
  }

  @BeforeAll
  static void compile(@TempDir Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Program program : all()) {
      Path file = directory.resolve(program.type() + ".java");
      files.add(Files.writeString(file, program.block().text()));
    }
    ManualCompiler.compile(files, directory);
    programs = ManualCompiler.load(directory);
  }

  @AfterAll
  static void close() throws IOException {
    programs.close();
  }

  @ParameterizedTest
  @MethodSource("names")
  void itRunsAndPrintsWhatThePageSays(String place) throws Exception {
    Program program =
        all().stream().filter(each -> each.place().equals(place)).findFirst().orElseThrow();
    Class<?> type = programs.loadClass(program.type());
    if (program.block().fails()) {
      assertThrows(Exception.class, () -> ManualCompiler.run(type, "main"));
      return;
    }
    String printed =
        program.makesItsLoop()
            ? ManualCompiler.runPlain(type, "main")
            : ManualCompiler.run(type, "main");
    String told = program.page().printed(program.block());
    if (told != null) {
      assertTrue(isAs(told, printed), () -> "the page says\n" + told + "it prints\n" + printed);
    }
  }

  @Test
  void whatIsPrintedIsCompared() {
    assertTrue(isAs("at …\nend\n", "at 127.0.0.1:9\nend \n"));
    assertEquals(false, isAs("at …\nend\n", "at 127.0.0.1:9\nbend\n"));
  }

  /// Whether the text is the one that was told. Space at the end of a line is not seen, and does not count.
  private static boolean isAs(String told, String text) {
    String pattern = Pattern.quote(told).replace("…", "\\E.*\\Q");
    return text.replaceAll("(?m) +$", "").matches(pattern);
  }

  private record Program(Page page, Page.Block block) {
    String place() {
      return page.name() + ".md:" + block.line();
    }

    boolean makesItsLoop() {
      return block.text().contains("clock.run(");
    }

    String type() {
      return "manual_" + page.name().replaceAll("\\W", "_") + "_" + block.line();
    }
  }
}
