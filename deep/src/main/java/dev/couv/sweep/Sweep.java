// SPDX-License-Identifier: Apache-2.0
package dev.couv.sweep;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Parks a coroutine at every call where library code can lose its carrier, one point after the other, over
/// every await function, and lets something happen in that gap: [SweepRun] says what. Here the library is
/// instrumented and loaded, beside the scenarios that use it.
///
/// `Sweep CORE_JAR [NAME]`: the name chooses scenarios that contain it.
public final class Sweep {
  private Sweep() {}

  public static void main(String[] args) throws Exception {
    try (Loader loader = new Loader(Path.of(args[0]))) {
      Class<?> run = loader.loadClass("dev.couv.sweep.SweepRun");
      run.getDeclaredMethod("main", String[].class)
          .invoke(null, (Object) List.of(args).subList(1, args.length).toArray(String[]::new));
    }
  }

  /// Loads the library instrumented, and what uses it again.
  private static final class Loader extends URLClassLoader {
    private final Map<String, byte[]> library;
    private final Map<String, byte[]> marked = new ConcurrentHashMap<>();
    private final Instrumentation instrumentation = new Instrumentation();

    Loader(Path coreJar) throws IOException {
      super(
          new URL[] {Sweep.class.getProtectionDomain().getCodeSource().getLocation()},
          Sweep.class.getClassLoader());
      library = read(coreJar);
      library.values().forEach(instrumentation::look);
    }

    private static Map<String, byte[]> read(Path jar) throws IOException {
      Map<String, byte[]> classes = new TreeMap<>();
      if (Files.isDirectory(jar)) {
        addAll(jar, classes);
      } else {
        try (FileSystem files =
            FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
          addAll(files.getPath("/"), classes);
        }
      }
      return classes;
    }

    private static void addAll(Path root, Map<String, byte[]> classes) throws IOException {
      try (Stream<Path> walk = Files.walk(root)) {
        for (Path file : (Iterable<Path>) walk::iterator) {
          String name = root.relativize(file).toString();
          if (name.endsWith(".class") && !name.equals("module-info.class")) {
            classes.put(
                name.substring(0, name.length() - ".class".length()).replace('/', '.'),
                Files.readAllBytes(file));
          }
        }
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      boolean mine = name.startsWith("dev.couv.") && !name.equals(ParkPoints.class.getName());
      if (!mine) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null ? known : findClass(name);
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] classFile = library.get(name);
      if (classFile == null) {
        return super.findClass(name);
      }
      byte[] changed = instrumentation.apply(classFile);
      marked.put(name.replace('.', '/') + ".class", changed);
      return defineClass(name, changed, 0, changed.length);
    }

    /// The library looks into the class files of its callers, itself among them.
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
      byte[] changed = marked.get(name);
      return changed == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(changed);
    }
  }
}
