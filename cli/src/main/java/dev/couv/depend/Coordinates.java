// SPDX-License-Identifier: Apache-2.0
package dev.couv.depend;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A library as a script names it: `group:artifact:version`, then perhaps `:classifier` and `@type`.
public record Coordinates(
    String group, String artifact, String version, String classifier, String type) {
  private static final Pattern FORM =
      Pattern.compile(
          "([\\w.-]+):([\\w.-]+):([\\w.+\\-\\[\\](),]+)(?::([\\w.-]+))?(?:@([\\w.-]+))?");

  /// The library that a text names.
  ///
  /// @throws IllegalArgumentException if the text is nothing of that kind
  public static Coordinates parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not group:artifact:version: " + text);
    }
    String classifier = parts.group(4);
    String type = parts.group(5);
    return new Coordinates(
        parts.group(1),
        parts.group(2),
        parts.group(3),
        classifier == null ? "" : classifier,
        type == null ? "jar" : type);
  }

  /// Whether what it means can change from one day to the next.
  boolean isMoving() {
    return version.endsWith("-SNAPSHOT")
        || version.equals("LATEST")
        || version.equals("RELEASE")
        || version.contains(",");
  }

  @Override
  public String toString() {
    return group
        + ":"
        + artifact
        + ":"
        + version
        + (classifier.isEmpty() ? "" : ":" + classifier)
        + (type.equals("jar") ? "" : "@" + type);
  }
}
