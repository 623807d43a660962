// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// A compiled class that has tests, as its file says: what runs is decided by tags, and can be
/// known without running it.
///
/// @param isAbstract its tests are those of the classes that extend it
record TestClass(
    String name, Set<String> tags, List<Method> tests, Set<String> mentioned, boolean isAbstract) {
  private static final String JUNIT = "Lorg/junit/jupiter/";
  private static final Set<String> TESTS =
      Set.of(
          JUNIT + "api/Test;",
          JUNIT + "api/RepeatedTest;",
          JUNIT + "api/TestFactory;",
          JUNIT + "api/TestTemplate;",
          JUNIT + "params/ParameterizedTest;");

  /// One of its test methods, with its own tags.
  record Method(String name, Set<String> tags) {}

  /// All below a folder of class files. Classes inside of others are what those run themselves, to
  /// see how they fail.
  static List<TestClass> below(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".class") && !file.toString().contains("$"))
          .map(TestClass::read)
          .filter(type -> !type.tests.isEmpty() && !type.isAbstract)
          .toList();
    }
  }

  private static TestClass read(Path file) {
    try {
      return of(ClassFile.of().parse(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TestClass of(ClassModel type) {
    List<Method> tests =
        type.methods().stream()
            .filter(method -> annotations(method).anyMatch(TestClass::isTest))
            .map(TestClass::method)
            .toList();
    Set<String> mentioned = new HashSet<>();
    type.constantPool()
        .forEach(
            entry -> {
              if (entry instanceof ClassEntry other) {
                mentioned.add(other.asInternalName().replace('/', '.'));
              }
            });
    return new TestClass(
        type.thisClass().asInternalName().replace('/', '.'),
        tags(type),
        tests,
        mentioned,
        type.flags().has(AccessFlag.ABSTRACT));
  }

  private static Method method(MethodModel method) {
    return new Method(method.methodName().stringValue(), tags(method));
  }

  private static boolean isTest(Annotation annotation) {
    return TESTS.contains(annotation.className().stringValue());
  }

  private static Set<String> tags(AttributedElement element) {
    Set<String> tags = new HashSet<>();
    annotations(element).forEach(annotation -> addTags(annotation, tags));
    return tags;
  }

  /// Several are in a container.
  private static void addTags(Annotation annotation, Set<String> tags) {
    String type = annotation.className().stringValue();
    if (type.equals(JUNIT + "api/Tag;") || type.equals(JUNIT + "api/Tags;")) {
      addTags(annotation.elements().getFirst().value(), tags);
    }
  }

  private static void addTags(AnnotationValue value, Set<String> tags) {
    switch (value) {
      case AnnotationValue.OfString tag -> tags.add(tag.stringValue());
      case AnnotationValue.OfArray several -> several.values().forEach(each -> addTags(each, tags));
      case AnnotationValue.OfAnnotation one -> addTags(one.annotation(), tags);
      default -> throw new AssertionError(value);
    }
  }

  private static Stream<Annotation> annotations(AttributedElement element) {
    return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
        .flatMap(all -> all.annotations().stream());
  }

  /// Whether it has tests without this tag.
  boolean hasWithout(String tag) {
    return !tags.contains(tag) && tests.stream().anyMatch(test -> !test.tags.contains(tag));
  }

  /// Whether it, or one of its tests, has this tag.
  boolean has(String tag) {
    return tags.contains(tag) || tests.stream().anyMatch(test -> test.tags.contains(tag));
  }
}
