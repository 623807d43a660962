// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The directory that a file's package is in: its own for one without a package, that above `app`
/// for one of the package `app`.
final class SourceRoot {
  /// One comment, or white space, or the declaration with the package's name.
  private static final Pattern OPENING =
      Pattern.compile("\\s++|//[^\\n\\r]*+|(?s:/\\*.*?\\*/)|package\\s++([\\w$.]++)\\s*+;");

  private SourceRoot() {}

  /// Nothing if the file is not where its package says, and then its neighbours cannot be found. Of a text
  /// that is not UTF-8 the compiler will tell.
  static Optional<Path> of(Path file) throws IOException {
    Path directory = file.toAbsolutePath().normalize().getParent();
    String name = packageOf(new String(Files.readAllBytes(file), UTF_8));
    if (name.isEmpty()) {
      return Optional.ofNullable(directory);
    }
    Path expected = Path.of(name.replace('.', '/'));
    if (directory == null || !directory.endsWith(expected)) {
      return Optional.empty();
    }
    Path root = directory;
    for (int i = 0; i < expected.getNameCount() && root != null; i++) {
      root = root.getParent();
    }
    return Optional.ofNullable(root);
  }

  /// The package that the source declares, or "". Only comments may stand before it.
  static String packageOf(String source) {
    Matcher opening = OPENING.matcher(source);
    while (opening.lookingAt()) {
      if (opening.group(1) != null) {
        return opening.group(1);
      }
      opening.region(opening.end(), source.length());
    }
    return "";
  }
}
