// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the module promises from outside: its packages, its names, and files of a readable size.
class ModuleTest {
  private static final Set<String> EXPORTED =
      Set.of(
          "dev.couv.error",
          "dev.couv.coro",
          "dev.couv.stream",
          "dev.couv.time",
          "dev.couv.net",
          "dev.couv.poll",
          "dev.couv.tty",
          "dev.couv.info",
          "dev.couv.process",
          "dev.couv.fs",
          "dev.couv.signal",
          "dev.couv.sync",
          "dev.couv.pool");

  private static final int LONGEST_FILE = 600;

  private final ModuleReference couv =
      ModuleFinder.of(Path.of(System.getProperty("couv.test.core-jar")))
          .find("dev.couv")
          .orElseThrow();

  @Test
  void exportsThePackagesThatUsersNeedAndNoOthers() {
    Set<String> exported =
        couv.descriptor().exports().stream()
            .filter(export -> !export.isQualified())
            .map(Exports::source)
            .collect(Collectors.toSet());

    assertEquals(EXPORTED, exported);
  }

  @Test
  void isNotOpenAndAsksForNoServiceButALibuv() {
    ModuleDescriptor descriptor = couv.descriptor();

    assertFalse(descriptor.isOpen());
    assertEquals(Set.of(), descriptor.opens());
    assertEquals(Set.of(), descriptor.provides());
    assertEquals(Set.of("dev.couv.uv.BundledLibrary"), descriptor.uses());
  }

  @Test
  void needsNothingAtRunTimeButTheBaseModule() {
    Set<String> required =
        couv.descriptor().requires().stream()
            .filter(
                module -> !module.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
            .map(ModuleDescriptor.Requires::name)
            .collect(Collectors.toSet());

    assertEquals(Set.of("java.base"), required);
  }

  /// So that one line imports both, in ordinary classes as in compact source files.
  @Test
  void importingItImportsTheBaseModule() {
    assertTrue(
        couv.descriptor().requires().stream()
            .filter(module -> module.name().equals("java.base"))
            .allMatch(
                module ->
                    module.modifiers().contains(ModuleDescriptor.Requires.Modifier.TRANSITIVE)));
  }

  /// A script begins with `import module dev.couv;`, beside which `java.base` is imported too.
  @Test
  void noExportedTypeSharesItsNameWithOneOfTheBaseModule() throws IOException {
    Set<String> ours = publicNames(couv, EXPORTED);
    Set<String> theirs = publicNamesOfBase();

    assertTrue(ours.contains("Coroutine") && theirs.contains("Thread"), "names were read");
    ours.retainAll(theirs);
    assertEquals(Set.of(), ours);
  }

  /// A module that is built on it exports one package, and can be imported beside it and `java.base`.
  @ParameterizedTest
  @ValueSource(strings = {"resilience", "bridge", "metrics", "http", "cluster"})
  void aModuleBuiltOnItHasNamesOfItsOwn(String name) throws IOException {
    ModuleReference built =
        ModuleFinder.of(Path.of(System.getProperty("couv.test." + name + "-jar")))
            .find("dev.couv." + name)
            .orElseThrow();

    assertFalse(built.descriptor().isOpen());
    assertEquals(
        Set.of("dev.couv." + name),
        built.descriptor().exports().stream().map(Exports::source).collect(Collectors.toSet()));
    Set<String> names = publicNames(built, Set.of("dev.couv." + name));
    assertFalse(names.isEmpty());
    Set<String> others = publicNamesOfBase();
    others.addAll(publicNames(couv, EXPORTED));
    names.retainAll(others);
    assertEquals(Set.of(), names);
  }

  @Test
  void noFileOfTheProgramIsTooLongToRead() throws IOException {
    Path root = Path.of(System.getProperty("couv.basedir"));
    List<String> tooLong = new ArrayList<>();
    for (String module :
        List.of(
            "core",
            "testing",
            "resilience",
            "bridge",
            "metrics",
            "http",
            "inspect",
            "cluster",
            "cli")) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          try (Stream<String> lines = Files.lines(file)) {
            long count = lines.count();
            if (count > LONGEST_FILE) {
              tooLong.add(root.relativize(file) + ": " + count);
            }
          }
        }
      }
    }

    assertEquals(List.of(), tooLong);
  }

  /// Whoever imports the module can name each of them.
  @Test
  void noTwoExportedTypesShareAName() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String exported : EXPORTED) {
      for (String name : publicNames(couv, Set.of(exported))) {
        assertTrue(names.add(name), name + " is in " + exported + " and in another package");
      }
    }
  }

  private static Set<String> publicNamesOfBase() throws IOException {
    ModuleReference base = ModuleFinder.ofSystem().find("java.base").orElseThrow();
    Set<String> packages =
        base.descriptor().exports().stream()
            .filter(export -> !export.isQualified())
            .map(Exports::source)
            .collect(Collectors.toSet());
    return publicNames(base, packages);
  }

  private static Set<String> publicNames(ModuleReference module, Set<String> packages)
      throws IOException {
    Set<String> names = new TreeSet<>();
    try (ModuleReader reader = module.open();
        Stream<String> entries = reader.list()) {
      for (String entry : entries.toList()) {
        int slash = entry.lastIndexOf('/');
        String file = entry.substring(slash + 1);
        boolean topLevel = file.endsWith(".class") && !file.contains("$") && !file.contains("-");
        if (slash > 0
            && topLevel
            && packages.contains(entry.substring(0, slash).replace('/', '.'))
            && isPublic(reader, entry)) {
          names.add(file.substring(0, file.length() - ".class".length()));
        }
      }
    }
    return names;
  }

  private static boolean isPublic(ModuleReader reader, String entry) throws IOException {
    try (var bytes = reader.open(entry).orElseThrow()) {
      return ClassFile.of().parse(bytes.readAllBytes()).flags().has(AccessFlag.PUBLIC);
    }
  }
}
