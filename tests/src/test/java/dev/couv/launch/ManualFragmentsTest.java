// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Java in the manual that is no program of its own compiles, and is run where something can be run.
///
/// What a fragment takes for granted is in `tests/src/test/manual/PAGE.java`: imports and members of the class that its blocks are
/// put into. The second block of a page is there as the method `block2`, unless it consists of declarations. A method `run2` of the
/// context runs it, in a loop of its own, and looks at what comes of it. In the pages of `IN_TABLES` code in the last column of a table is compiled as well.
@Tag("loop-scheduled-engine")
final class ManualFragmentsTest {
  /// Pages whose blocks are programs or files of a project, which other tests run.
  private static final Set<String> ELSEWHERE = Set.of("metrics");

  private static final Set<String> IN_TABLES = Set.of("guides/coming-from");

  private static final Path CONTEXTS = Page.BASE.resolve("tests/src/test/manual");

  private static final String IMPORTS =
      """
      import module dev.couv;
      import module dev.couv.bridge;
      import module dev.couv.http;
      import module dev.couv.resilience;
      import dev.couv.testing.*;
      import static java.nio.charset.StandardCharsets.UTF_8;
      import static org.junit.jupiter.api.Assertions.*;
      import org.junit.jupiter.api.Test;
      import org.junit.jupiter.api.extension.ExtendWith;
      """;

  /// What begins a declaration: then the block is put into the class as it is.
  private static final Pattern DECLARES =
      Pattern.compile(
          "(@\\w+|static |public |class |record |void |final class |String \\w+\\()[\\s\\S]*");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static URLClassLoader fragments;

  private static List<Page> pages() {
    return Page.all().stream()
        .filter(page -> !ELSEWHERE.contains(page.name()))
        .filter(page -> !members(page).isEmpty())
        .toList();
  }

  @BeforeAll
  static void compile(@TempDir Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Page page : pages()) {
      files.add(Files.writeString(directory.resolve(type(page) + ".java"), source(page)));
    }
    assertFalse(files.isEmpty());
    ManualCompiler.compile(files, directory);
    fragments = ManualCompiler.load(directory);
  }

  @AfterAll
  static void close() throws IOException {
    fragments.close();
  }

  static Stream<String> runs() {
    return pages().stream()
        .flatMap(
            page ->
                Pattern.compile("\\bvoid (run\\d+)\\(")
                    .matcher(context(page))
                    .results()
                    .map(found -> type(page) + "#" + found.group(1)));
  }

  @ParameterizedTest
  @MethodSource("runs")
  void itRuns(String method) throws Exception {
    String[] parts = method.split("#");
    ManualCompiler.run(fragments.loadClass(parts[0]), parts[1]);
  }

  @Test
  void everyContextHasItsPage() throws IOException {
    Set<String> unknown = new TreeSet<>();
    try (Stream<Path> files = Files.walk(CONTEXTS)) {
      files
          .filter(Files::isRegularFile)
          .map(file -> CONTEXTS.relativize(file).toString().replace(".java", ""))
          .forEach(unknown::add);
    }
    pages().forEach(page -> unknown.remove(page.name()));
    assertEquals(Set.of(), unknown, "contexts of pages that have no fragments");
  }

  @Test
  void codeInTablesIsCompiled() throws Exception {
    Class<?> type = fragments.loadClass("fragments_guides_coming_from");
    long cells =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> method.getName().startsWith("cell"))
            .count();

    assertTrue(cells >= 100, "only " + cells + " cells were found");
  }

  private static String type(Page page) {
    return "fragments_" + page.name().replaceAll("\\W", "_");
  }

  private static String source(Page page) {
    String context = context(page);
    String imports =
        context
            .lines()
            .filter(line -> line.startsWith("import "))
            .collect(Collectors.joining("\n"));
    String rest =
        context
            .lines()
            .filter(line -> !line.startsWith("import "))
            .collect(Collectors.joining("\n"));
    return IMPORTS
        + imports
        + "\nclass "
        + type(page)
        + " {\n"
        + rest
        + "\nstatic boolean reached() { return true; }\n"
        + String.join("\n", members(page))
        + "\n}\n";
  }

  private static String context(Page page) {
    Path file = CONTEXTS.resolve(page.name() + ".java");
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Its fragments as members of a class.
  private static List<String> members(Page page) {
    List<String> members = new ArrayList<>();
    int number = 0;
    for (Page.Block block : page.blocks()) {
      if (block.isJava()) {
        number++;
        if (!block.isProgram() && block.fileName() == null) {
          String code = block.text().replaceAll("(?<!\")…(?!\")", "/* … */");
          String place = "// " + page.name() + ".md:" + block.line() + "\n";
          members.add(
              DECLARES.matcher(code).matches()
                  ? place + "class Block" + number + " {\n" + code + "}"
                  : place + method("block" + number, code));
        }
      }
    }
    if (IN_TABLES.contains(page.name())) {
      members.addAll(cells(page));
    }
    return members;
  }

  private static String method(String name, String statements) {
    return "Object %s() throws Exception { if (reached()) {\n%s\n} return null; }"
        .formatted(name, statements);
  }

  private static List<String> cells(Page page) {
    List<String> cells = new ArrayList<>();
    try {
      int line = 0;
      for (String row : Files.readAllLines(page.file())) {
        line++;
        String[] columns = row.split("(?<!\\|) \\|(?!\\|)");
        if (row.startsWith("| ") && columns.length > 1) {
          Matcher code = CODE.matcher(columns[columns.length - 1].replace("\\|", "|"));
          for (int i = 1; code.find(); i++) {
            cells.add(
                "// line "
                    + line
                    + "\n"
                    + method("cell" + line + "_" + i, statement(code.group(1))));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return cells;
  }

  /// A name of a type or a method is code as well as a call is.
  private static String statement(String code) {
    if (code.matches("[A-Z]\\w*")) {
      return "Class<?> type = " + code + ".class;";
    }
    if (code.matches("[a-z]\\w*")) {
      return "// a word: " + code;
    }
    return code.endsWith(";") || code.endsWith("}") ? code : code + ";";
  }
}
