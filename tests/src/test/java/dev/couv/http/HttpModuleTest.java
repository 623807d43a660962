// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the module promises from outside.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class HttpModuleTest {
  private final ModuleReference http = module("couv.test.http-jar", "dev.couv.http");

  private static ModuleReference module(String property, String name) {
    return ModuleFinder.of(Path.of(System.getProperty(property))).find(name).orElseThrow();
  }

  @Test
  void exportsOnePackage() {
    assertEquals(
        Set.of("dev.couv.http"),
        http.descriptor().exports().stream().map(Exports::source).collect(Collectors.toSet()));
    assertFalse(http.descriptor().isOpen());
    assertEquals(Set.of(), http.descriptor().opens());
  }

  /// A script imports it beside the library and the JDK's base.
  @Test
  void noTypeSharesItsNameWithOneThatIsImportedBesideIt() throws IOException {
    Set<String> ours = names(http);
    ModuleReference base = ModuleFinder.ofSystem().find("java.base").orElseThrow();
    Set<String> theirs = names(base);
    theirs.addAll(names(module("couv.test.core-jar", "dev.couv")));

    assertTrue(ours.contains("HttpServer") && theirs.contains("Coroutine"), "names were read");
    ours.retainAll(theirs);
    assertEquals(Set.of(), ours);
  }

  @Test
  void nothingOfNettyIsSeenFromOutside() throws Exception {
    List<String> seen = new ArrayList<>();
    for (String name : names(http)) {
      Class<?> type = Class.forName("dev.couv.http." + name);
      Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getConstructors()))
          .map(Executable::toGenericString)
          .filter(signature -> signature.contains("io.netty"))
          .forEach(seen::add);
      for (Class<?> above = type; above != null; above = above.getSuperclass()) {
        if (above.getName().startsWith("io.netty")) {
          seen.add(type + " is " + above);
        }
      }
    }

    assertEquals(List.of(), seen);
  }

  /// Of the public types of the exported packages.
  private static Set<String> names(ModuleReference module) throws IOException {
    Set<String> packages =
        module.descriptor().exports().stream()
            .filter(export -> !export.isQualified())
            .map(Exports::source)
            .collect(Collectors.toSet());
    Set<String> names = new TreeSet<>();
    try (ModuleReader reader = module.open();
        Stream<String> entries = reader.list()) {
      for (String entry : entries.filter(each -> each.endsWith(".class")).toList()) {
        String type = entry.substring(0, entry.length() - 6).replace('/', '.');
        int dot = type.lastIndexOf('.');
        if (dot > 0
            && packages.contains(type.substring(0, dot))
            && !type.contains("$")
            && !type.endsWith("-info")
            && isPublic(type)) {
          names.add(type.substring(dot + 1));
        }
      }
    }
    return names;
  }

  private static boolean isPublic(String type) {
    try {
      Class<?> loaded = Class.forName(type, false, HttpModuleTest.class.getClassLoader());
      return Modifier.isPublic(loaded.getModifiers());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
