// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A page of the manual, as the blocks of code that are in it.
record Page(Path file, List<Page.Block> blocks) {
  static final Path BASE = Path.of(System.getProperty("couv.basedir"));
  static final Path MANUAL = BASE.resolve("docs/manual");

  private static final Pattern FENCE = Pattern.compile("^( *)```(.*)$");

  /// A block: what is written behind the fence, the text, and the number of its first line.
  record Block(String info, String text, int line) {
    boolean isJava() {
      return info.equals("java") || info.startsWith("java ");
    }

    /// Whether it can be saved in a file and run.
    boolean isProgram() {
      return isJava() && text.lines().anyMatch(line -> line.startsWith("void main("));
    }

    /// Whether its page says that it ends with an exception.
    boolean fails() {
      return info.endsWith(" fails");
    }

    /// The file of a project that it is, as its first line says, or null.
    String fileName() {
      Matcher matcher =
          Pattern.compile("(?://|#|<!--) ([\\w./-]*\\w\\.?\\w+)(?: -->)?")
              .matcher(text.lines().findFirst().orElse(""));
      return matcher.matches() ? matcher.group(1) : null;
    }
  }

  static Page read(Path file) {
    try {
      return new Page(file, blocks(Files.readAllLines(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// All pages of the manual, also those in directories.
  static List<Page> all() {
    try (Stream<Path> files = Files.walk(MANUAL)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .map(Page::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Its name in the manual, without the ending: `learn/1-hello`.
  String name() {
    String path = MANUAL.relativize(file).toString();
    return path.substring(0, path.length() - ".md".length());
  }

  /// What the page says that this block prints, which is the block of text that follows; or null.
  String printed(Block block) {
    int next = blocks.indexOf(block) + 1;
    return next < blocks.size() && blocks.get(next).info().equals("text")
        ? blocks.get(next).text()
        : null;
  }

  private static List<Block> blocks(List<String> lines) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher begin = FENCE.matcher(lines.get(i));
      if (begin.matches()) {
        int first = i + 1;
        StringBuilder text = new StringBuilder();
        while (!lines.get(++i).equals(begin.group(1) + "```")) {
          text.append(lines.get(i)).append('\n');
        }
        blocks.add(new Block(begin.group(2).strip(), text.toString(), first + 1));
      }
    }
    return blocks;
  }
}
