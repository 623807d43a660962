// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/// The files of a new project. They are resources beside this class; `@name@` and its like in them stand for what
/// differs from one project, or one version of Couv, to the next.
final class ProjectTemplate {
  private static final String PLACE = "project/";

  /// The versions that Couv itself is built with, which Maven writes into this.
  private static final String VERSIONS = "project/versions.properties";

  private static final Map<String, String> FILES =
      new TreeMap<>(
          Map.of(
              "pom.xml", "pom.xml",
              "Main.java", "src/main/java/com/example/Main.java",
              "Greetings.java", "src/main/java/com/example/Greetings.java",
              "GreetingsTest.java", "src/test/java/com/example/GreetingsTest.java",
              "Containerfile", "Containerfile",
              "gitignore", ".gitignore",
              "README.md", "README.md"));

  private final Map<String, String> values = new HashMap<>();

  ProjectTemplate(String name) throws IOException {
    Properties versions = new Properties();
    versions.load(new StringReader(resource(VERSIONS)));
    versions.stringPropertyNames().forEach(key -> values.put(key, versions.getProperty(key)));
    values.put("name", name);
  }

  /// Writes them all, below a directory that is made if it is not there.
  void write(Path directory) throws IOException {
    for (Map.Entry<String, String> each : FILES.entrySet()) {
      Path file = directory.resolve(each.getValue());
      Files.createDirectories(file.getParent());
      Files.writeString(file, filled(resource(PLACE + each.getKey())));
    }
  }

  private String filled(String text) {
    String filled = text;
    for (Map.Entry<String, String> each : values.entrySet()) {
      filled = filled.replace("@" + each.getKey() + "@", each.getValue());
    }
    return filled;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ProjectTemplate.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("not in the jar: " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
