// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The public API as the class files tell it: every public or protected member of every public type of the exported
/// packages, one line each.
final class ApiDump {
  private final Set<String> exported;
  private final List<Class<?>> types;

  private ApiDump(Set<String> exported, List<Class<?>> types) {
    this.exported = exported;
    this.types = types;
  }

  /// That of the module in the jar.
  static ApiDump of(String jarProperty) throws IOException {
    ModuleReference module =
        ModuleFinder.of(Path.of(System.getProperty(jarProperty))).findAll().stream()
            .findFirst()
            .orElseThrow();
    Set<String> exported =
        module.descriptor().exports().stream()
            .filter(export -> !export.isQualified())
            .map(Exports::source)
            .collect(Collectors.toCollection(TreeSet::new));
    List<Class<?>> types = new ArrayList<>();
    try (ModuleReader reader = module.open();
        Stream<String> names = reader.list()) {
      for (String name :
          names
              .filter(each -> each.endsWith(".class") && !each.endsWith("-info.class"))
              .sorted()
              .toList()) {
        String type = name.substring(0, name.length() - ".class".length()).replace('/', '.');
        int end = type.lastIndexOf('.');
        if (end > 0 && exported.contains(type.substring(0, end))) {
          Class<?> loaded = load(type);
          if (isVisible(loaded)) {
            types.add(loaded);
          }
        }
      }
    }
    return new ApiDump(exported, types);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, ApiDump.class.getClassLoader());
    } catch (ClassNotFoundException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static boolean isVisible(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return isVisible(type.getModifiers())
        && !type.isAnonymousClass()
        && !type.isLocalClass()
        && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  List<Class<?>> types() {
    return types;
  }

  Set<String> exported() {
    return exported;
  }

  /// What users can call on the type, declared by it or by a superclass that they cannot see.
  List<Method> methods(Class<?> type) {
    List<Method> methods = new ArrayList<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      if (at == type || (at.getName().startsWith("dev.couv.") && !isKnown(at))) {
        Arrays.stream(at.getDeclaredMethods())
            .filter(method -> isVisible(method, type))
            .filter(method -> methods.stream().noneMatch(below -> overrides(below, method)))
            .toList()
            .forEach(methods::add);
      }
    }
    methods.sort(Comparator.comparing(Method::toGenericString));
    return methods;
  }

  private boolean isKnown(Class<?> type) {
    return exported.contains(type.getPackageName()) && isVisible(type);
  }

  private static boolean overrides(Method below, Method above) {
    return below.getDeclaringClass() != above.getDeclaringClass()
        && below.getName().equals(above.getName())
        && Arrays.equals(below.getParameterTypes(), above.getParameterTypes());
  }

  /// What is protected in a type that nobody extends is for its own package.
  private static boolean isVisible(Member member, Class<?> type) {
    return (Modifier.isFinal(type.getModifiers())
            ? Modifier.isPublic(member.getModifiers())
            : isVisible(member.getModifiers()))
        && !member.isSynthetic();
  }

  List<Constructor<?>> constructors(Class<?> type) {
    return Arrays.stream(type.getDeclaredConstructors())
        .<Constructor<?>>map(each -> each)
        .filter(each -> isVisible(each, type))
        .toList();
  }

  /// One line a member.
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Class<?> type : types) {
      lines.add(describe(type));
      Set<String> members = new TreeSet<>();
      for (Field field : type.getDeclaredFields()) {
        if (isVisible(field, type)) {
          members.add(field.toGenericString());
        }
      }
      constructors(type).forEach(each -> members.add(each.toGenericString()));
      for (Method method : methods(type)) {
        members.add(
            method
                .toGenericString()
                .replace(
                    method.getDeclaringClass().getName() + "." + method.getName() + "(",
                    method.getName() + "(")
                .replace("native ", "")
                .replace("synchronized ", ""));
      }
      members.forEach(member -> lines.add("  " + shortened(member)));
    }
    return lines;
  }

  private String describe(Class<?> type) {
    StringBuilder line = new StringBuilder(shortened(type.toGenericString()));
    Type above = type.getGenericSuperclass();
    if (above != null && above != Object.class && !type.isEnum() && !type.isRecord()) {
      line.append(" extends ").append(shortened(above.getTypeName()));
    }
    String interfaces =
        Arrays.stream(type.getGenericInterfaces())
            .map(each -> shortened(each.getTypeName()))
            .sorted()
            .collect(Collectors.joining(", "));
    if (!interfaces.isEmpty()) {
      line.append(type.isInterface() ? " extends " : " implements ").append(interfaces);
    }
    return line.toString();
  }

  private static String shortened(String text) {
    return text.replaceAll("\\bjava\\.(?:\\w+\\.)+(?=[A-Z])", "");
  }
}
