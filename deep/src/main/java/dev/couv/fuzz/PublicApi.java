// SPDX-License-Identifier: Apache-2.0
package dev.couv.fuzz;

import dev.couv.coro.Loop;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/// The public methods of the exported packages, but for those that end or change more than a test may, and without `tty`:
/// the terminal is that of whoever runs this.
final class PublicApi {
  private static final Set<String> PACKAGES =
      Set.of(
          "error", "coro", "stream", "time", "net", "signal", "sync", "pool", "poll", "process",
          "info", "fs");

  /// They end the loop that calls, stop it, run until everybody has ended, belong to the whole process, or
  /// reach what is not ours.
  private static final Set<String> LEFT_OUT =
      Set.of(
          "Loop.run",
          "Loop.close",
          "Loop.halt",
          "Loop.shutdown",
          "Loop.poolThreads",
          "Loop.open",
          "Loop.awaitIdle",
          "Signal.send",
          "Priority.set",
          "Dir.set",
          "Env.unset",
          "Info.title",
          "Child.adopt",
          "OpenFile.adopt",
          "LocalStream.adopt",
          "LocalStream.open",
          "Poll.on",
          "Poll.open",
          "Command.uid",
          "Command.gid",
          "Stdio.fd");

  private final List<Method> methods;
  private final Set<Method> called = new HashSet<>();

  private PublicApi(List<Method> methods) {
    this.methods = methods;
  }

  static PublicApi read() throws IOException {
    Path home;
    try {
      home = Path.of(Loop.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (java.net.URISyntaxException impossible) {
      throw new IOException(impossible);
    }
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(home)) {
      list(home, names);
    } else {
      try (FileSystem jar =
          FileSystems.newFileSystem(URI.create("jar:" + home.toUri()), Map.of())) {
        list(jar.getPath("/"), names);
      }
    }
    List<Method> methods = new ArrayList<>();
    for (String name : names) {
      addMethods(name, methods);
    }
    methods.sort(Comparator.comparing(Method::toString)); // the same for the same seed
    return new PublicApi(methods);
  }

  private static void list(Path root, List<String> names) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      walk.map(path -> root.relativize(path).toString())
          .filter(name -> name.startsWith("dev/couv/") && name.endsWith(".class"))
          .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
          .filter(name -> PACKAGES.contains(packageOf(name)))
          .forEach(names::add);
    }
  }

  /// The last part of the name of its package.
  private static String packageOf(String type) {
    String around = type.substring(0, type.lastIndexOf('.'));
    return around.substring(around.lastIndexOf('.') + 1);
  }

  private static void addMethods(String name, List<Method> methods) {
    Class<?> type;
    try {
      type = Class.forName(name, false, Loop.class.getClassLoader());
    } catch (ClassNotFoundException impossible) {
      throw new AssertionError(impossible);
    }
    for (Class<?> around = type; around != null; around = around.getEnclosingClass()) {
      if (!Modifier.isPublic(around.getModifiers())) {
        return;
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers())
          && !method.isSynthetic()
          && !LEFT_OUT.contains(type.getSimpleName() + "." + method.getName())) {
        methods.add(method);
      }
    }
  }

  static boolean isStatic(Method method) {
    return Modifier.isStatic(method.getModifiers());
  }

  Method choose(Random random) {
    Method method = methods.get(random.nextInt(methods.size()));
    synchronized (called) {
      called.add(method);
    }
    return method;
  }

  int size() {
    return methods.size();
  }

  int called() {
    synchronized (called) {
      return called.size();
    }
  }
}
