// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.depend.Coordinates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What a script says in comments of its own kind: lines that begin with `//DEPS` name libraries. (`//JAVA`, options
/// of the VM, is read by the shell script `couv`, because the VM is started with them.)
final class Directives {
  private static final String DEPENDENCIES = "//DEPS";

  private Directives() {}

  /// The libraries that the files name, in their order.
  static List<Coordinates> libraries(List<Path> sources) throws IOException, BadScript {
    List<Coordinates> found = new ArrayList<>();
    for (Path source : sources) {
      // What comes out of a pipe comes once, for javac.
      if (!Files.isRegularFile(source)) {
        continue;
      }
      String text = new String(Files.readAllBytes(source), UTF_8);
      if (!text.contains(DEPENDENCIES)) {
        continue; // the cheap way for nearly all
      }
      int number = 0;
      for (String line : text.lines().toList()) {
        number++;
        if (line.startsWith(DEPENDENCIES + " ") || line.startsWith(DEPENDENCIES + "\t")) {
          found.addAll(libraries(line, source + ":" + number + ": "));
        }
      }
    }
    return found;
  }

  /// Those of one line, separated by blanks or commas.
  private static List<Coordinates> libraries(String line, String place) throws BadScript {
    List<Coordinates> found = new ArrayList<>();
    String words = line.substring(DEPENDENCIES.length()).strip();
    for (String word : words.isEmpty() ? new String[0] : words.split("[\\s,]+", 0)) {
      found.add(library(word, place));
    }
    return found;
  }

  static Coordinates library(String word, String place) throws BadScript {
    try {
      return Coordinates.parse(word);
    } catch (IllegalArgumentException wrong) {
      throw new BadScript(place + wrong.getMessage());
    }
  }
}
