// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every exported package says in its `package-info` what it is for, with an example that compiles and runs.
@Tag("loop-scheduled-engine")
class PackageExamplesTest {
  private static final List<String> MODULES =
      List.of("core", "resilience", "http", "bridge", "metrics");

  /// What would write to this VM's own output, which Maven reads.
  private static final Set<String> NOT_RUN = Set.of("dev.couv.tty");

  private static final Pattern EXAMPLE = Pattern.compile("(?s)/// ```java\n(.*?)/// ```\n");

  @TempDir private Path directory;

  @Test
  void everyExampleRuns() throws Exception {
    Map<String, String> examples = examples();
    assertTrue(examples.size() >= 15, () -> examples.keySet().toString());
    List<Path> files = new ArrayList<>();
    for (var example : examples.entrySet()) {
      String type = type(example.getKey());
      files.add(
          Files.writeString(directory.resolve(type + ".java"), source(type, example.getValue())));
    }
    ManualCompiler.compile(files, directory);
    try (URLClassLoader loader = ManualCompiler.load(directory)) {
      for (String name : examples.keySet()) {
        if (!NOT_RUN.contains(name)) {
          ManualCompiler.run(loader.loadClass(type(name)), "example");
        }
      }
    }
  }

  /// By package. Those of packages that have none are missed at once.
  private static Map<String, String> examples() throws IOException {
    Map<String, String> examples = new LinkedHashMap<>();
    Set<String> without = new TreeSet<>();
    for (String module : MODULES) {
      Path sources = Page.BASE.resolve(module + "/src/main/java");
      for (String name : exported(System.getProperty("couv.test." + module + "-jar"))) {
        Path info = sources.resolve(name.replace('.', '/')).resolve("package-info.java");
        Matcher matcher = EXAMPLE.matcher(Files.readString(info));
        if (matcher.find()) {
          examples.put(name, matcher.group(1).replaceAll("(?m)^/// ?", ""));
        } else {
          without.add(name);
        }
      }
    }
    assertEquals(Set.of(), without, "exported packages without an example in their package-info");
    return examples;
  }

  private static Set<String> exported(String jar) {
    Set<String> names = new TreeSet<>();
    ModuleDescriptor descriptor =
        ModuleFinder.of(Path.of(jar)).findAll().iterator().next().descriptor();
    descriptor.exports().stream()
        .filter(each -> !each.isQualified())
        .map(Exports::source)
        .forEach(names::add);
    return names;
  }

  private static String type(String name) {
    return "example_" + name.replace('.', '_');
  }

  private static String source(String type, String example) {
    return """
    import module dev.couv;
    import module dev.couv.bridge;
    import module dev.couv.http;
    import module dev.couv.resilience;

    class %s {
      void example() throws Exception {
        %s
      }
    }
    """
        .formatted(type, example);
  }
}
