// SPDX-License-Identifier: Apache-2.0
package dev.couv.walk;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/// Counts the classes that some calls of the API pass, package by package: [WalkRun] says which calls. Here the library
/// is instrumented and loaded, beside the program that uses it.
///
/// `Walks CORE_JAR`
public final class Walks {
  private Walks() {}

  public static void main(String[] args) throws Exception {
    try (Loader loader = new Loader(Path.of(args[0]))) {
      loader
          .loadClass("dev.couv.walk.WalkRun")
          .getDeclaredMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    }
  }

  private static final class Loader extends URLClassLoader {
    private final Map<String, byte[]> library = new TreeMap<>();
    private final ClassFile files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(this::open)
                    .orElse(ClassHierarchyResolver.defaultResolver())));

    Loader(Path coreJar) throws IOException {
      super(
          new URL[] {Walks.class.getProtectionDomain().getCodeSource().getLocation()},
          Walks.class.getClassLoader());
      try (JarFile jar = new JarFile(coreJar.toFile())) {
        for (JarEntry entry : jar.stream().toList()) {
          String name = entry.getName();
          if (name.endsWith(".class") && !name.equals("module-info.class")) {
            try (InputStream bytes = jar.getInputStream(entry)) {
              library.put(name.replace(".class", "").replace('/', '.'), bytes.readAllBytes());
            }
          }
        }
      }
    }

    private @Nullable InputStream open(ClassDesc type) {
      String descriptor = type.descriptorString();
      byte[] bytes =
          library.get(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'));
      return bytes == null ? null : new ByteArrayInputStream(bytes);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        byte[] bytes = library.get(name);
        if (loaded != null) {
          return loaded;
        }
        if (bytes != null) {
          byte[] marked = marked(name, bytes);
          return defineClass(name, marked, 0, marked.length);
        }
        return name.startsWith("dev.couv.walk.WalkRun")
            ? findClass(name)
            : super.loadClass(name, resolve);
      }
    }

    private byte[] marked(String name, byte[] bytes) {
      String top = name.replaceAll("\\$.*", "");
      return files.transformClass(
          files.parse(bytes),
          ClassTransform.transformingMethodBodies(
              method -> !method.methodName().stringValue().startsWith("<"), new Mark(top)));
    }
  }

  /// The constructors of objects that are there anyway do not count.
  private record Mark(String type) implements CodeTransform {
    @Override
    public void atStart(CodeBuilder builder) {
      builder
          .ldc(type)
          .invokestatic(
              ClassDesc.of(Visits.class.getName()),
              "at",
              MethodTypeDesc.ofDescriptor("(Ljava/lang/String;)V"));
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      builder.with(element);
    }
  }
}
