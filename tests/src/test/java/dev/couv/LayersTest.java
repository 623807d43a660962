// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A package knows only the packages below it: read from the class files, so that nothing that
/// compiles can hide it, and from the imports of the sources, of which the unused ones leave no trace there.
class LayersTest {
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("error", Set.of()),
          Map.entry("uv", Set.of()),
          Map.entry("loop", Set.of("error", "uv")),
          Map.entry("world", Set.of("error", "loop")),
          // The native half of every feature: besides `loop` the only one that knows `uv`.
          Map.entry("host", Set.of("error", "uv", "loop", "world")),
          Map.entry("strand", Set.of("error", "loop", "world", "host")),
          Map.entry("coro", Set.of("error", "loop", "world", "host", "strand")),
          Map.entry("wire", Set.of("error", "loop", "world", "strand", "coro")),
          Map.entry("stream", Set.of("error", "loop", "strand", "coro", "wire")),
          Map.entry("time", Set.of("error", "loop", "strand", "coro")),
          Map.entry("net", Set.of("error", "loop", "world", "strand", "coro", "wire", "stream")),
          Map.entry("signal", Set.of("error", "loop", "world", "strand", "coro")),
          // A child is sent signals and ended by them, with time for it, and is given sockets and
          // files.
          Map.entry(
              "process",
              Set.of(
                  "error", "loop", "world", "strand", "coro", "wire", "stream", "signal", "net",
                  "fs", "time")),
          Map.entry("info", Set.of("error", "loop", "world", "strand", "coro")),
          Map.entry("poll", Set.of("error", "loop", "world", "strand", "coro")),
          Map.entry("fs", Set.of("error", "loop", "world", "strand", "coro", "wire", "stream")),
          // Standard input may be a file; a window's size changes by a signal.
          Map.entry(
              "tty",
              Set.of("error", "loop", "world", "strand", "coro", "wire", "stream", "fs", "signal")),
          Map.entry("check", Set.of("coro")),
          Map.entry("sync", Set.of("error", "loop", "strand", "coro", "check", "time")),
          Map.entry(
              "pool",
              Set.of(
                  "error", "loop", "world", "strand", "coro", "check", "time", "wire", "stream",
                  "net", "sync")));

  private static final Pattern REFERENCE = Pattern.compile("dev/couv/([a-z]+)/");
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?dev\\.couv\\.([a-z]+)\\.", Pattern.MULTILINE);

  @Test
  void noPackageKnowsOneAboveIt() throws IOException {
    List<String> violations = new ArrayList<>();
    int classes = 0;
    try (JarFile jar = new JarFile(System.getProperty("couv.test.core-jar"))) {
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().startsWith("dev/couv/") && entry.getName().endsWith(".class")) {
          classes++;
          try (InputStream bytes = jar.getInputStream(entry)) {
            violations.addAll(violations(bytes.readAllBytes()));
          }
        }
      }
    }

    assertEquals(List.of(), violations);
    assertTrue(classes > 100, "only " + classes + " classes were read");
  }

  @Test
  void noPackageImportsOneAboveIt() throws IOException {
    List<String> violations = new ArrayList<>();
    Path base = Path.of(System.getProperty("couv.basedir"), "core/src/main/java");
    List<Path> sources;
    try (Stream<Path> all = Files.walk(base.resolve("dev/couv"))) {
      sources = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    for (Path source : sources) {
      violations.addAll(
          violationsOfSource(base.relativize(source).toString(), Files.readString(source)));
    }

    assertEquals(List.of(), violations);
    assertTrue(sources.size() > 100, "only " + sources.size() + " sources were read");
  }

  @Test
  void aPlantedImportIsFound() {
    String planted =
        """
        package dev.couv.host;

        import dev.couv.coro.Mode;
        import dev.couv.loop.EventLoop;
        import static dev.couv.net.Tcp.listen;

        /// See dev.couv.time.Time.
        class Planted {}
        """;

    assertEquals(
        List.of(
            "dev/couv/host/Planted.java imports coro", "dev/couv/host/Planted.java imports net"),
        violationsOfSource("dev/couv/host/Planted.java", planted));
  }

  @Test
  void aPlantedViolationIsFound() {
    byte[] planted =
        ClassFile.of()
            .build(
                ClassDesc.of("dev.couv.loop.Planted"),
                type ->
                    type.withMethodBody(
                        "call",
                        MethodTypeDesc.ofDescriptor("()V"),
                        ClassFile.ACC_STATIC,
                        code ->
                            code.invokestatic(
                                    ClassDesc.of("dev.couv.coro.Coroutine"),
                                    "pause",
                                    MethodTypeDesc.ofDescriptor("()V"))
                                .return_()));

    assertEquals(List.of("dev/couv/loop/Planted uses coro"), violations(planted));
  }

  private static List<String> violations(byte[] classFile) {
    ClassModel model = ClassFile.of().parse(classFile);
    String name = model.thisClass().asInternalName();
    Set<String> used = new TreeSet<>();
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof Utf8Entry text) {
        REFERENCE.matcher(text.stringValue()).results().map(LayersTest::layer).forEach(used::add);
      }
    }
    return violations(name, "uses", used);
  }

  private static List<String> violationsOfSource(String name, String source) {
    Set<String> imported = new TreeSet<>();
    IMPORT.matcher(source).results().map(LayersTest::layer).forEach(imported::add);
    return violations(name, "imports", imported);
  }

  private static List<String> violations(String name, String verb, Set<String> known) {
    String own = REFERENCE.matcher(name).results().findFirst().map(LayersTest::layer).orElse("");
    Set<String> allowed = MAY_USE.getOrDefault(own, Set.of());
    return known.stream()
        .filter(layer -> !layer.equals(own) && !allowed.contains(layer))
        .map(layer -> name + " " + verb + " " + layer)
        .toList();
  }

  private static String layer(MatchResult match) {
    return match.group(1);
  }
}
