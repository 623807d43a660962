// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The words after `run`: Java files, of which the first has the `main`, and its arguments.
record ScriptCall(List<Path> sources, List<String> arguments) {
  private static final String SUFFIX = ".java";
  private static final String END = "--";

  static ScriptCall parse(List<String> words) throws BadScript {
    if (words.isEmpty()) {
      throw new BadScript("which file? run needs one that ends in .java");
    }
    List<Path> sources = new ArrayList<>();
    int next = 0;
    for (; next < words.size() && (next == 0 || isSource(words.get(next))); next++) {
      sources.add(source(words.get(next), next == 0));
    }
    if (next < words.size() && words.get(next).equals(END)) {
      next++;
    }
    return new ScriptCall(List.copyOf(sources), List.copyOf(words.subList(next, words.size())));
  }

  static boolean isSource(Path file) {
    return isSource(file.toString());
  }

  private static boolean isSource(String word) {
    return word.endsWith(SUFFIX);
  }

  private static Path source(String word, boolean first) throws BadScript {
    Path file;
    try {
      file = Path.of(word);
    } catch (InvalidPathException e) {
      throw new BadScript("not a file name: " + word);
    }
    if (!Files.exists(file)) {
      throw new BadScript(
          "no such file: "
              + word
              + (first ? "" : " (an argument that ends in .java goes after --)"));
    }
    if (Files.isDirectory(file)) {
      throw new BadScript("a directory, not a file: " + word);
    }
    if (!isSource(word)) {
      throw new BadScript("not a Java file, its name does not end in .java: " + word);
    }
    if (!Files.isReadable(file)) {
      throw new BadScript("not allowed to read " + word);
    }
    return file;
  }
}
