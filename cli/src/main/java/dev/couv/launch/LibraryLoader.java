// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Loads the libraries of a script, and the modules that this process has for it: those once, so that a library that
/// was made for Couv finds the Couv that runs. What the command line itself is made of is not to be seen: a script
/// may want the same libraries in other versions.
final class LibraryLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final ClassLoader own = LibraryLoader.class.getClassLoader();
  private final Set<String> packages = packages();

  LibraryLoader(List<Path> libraries) {
    super(libraries.stream().map(LibraryLoader::url).toArray(URL[]::new), platform());
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    int end = name.lastIndexOf('.');
    return end >= 0 && packages.contains(name.substring(0, end))
        ? own.loadClass(name)
        : super.findClass(name);
  }

  private static ClassLoader platform() {
    return ClassLoader.getPlatformClassLoader();
  }

  private static Set<String> packages() {
    Set<String> packages = new HashSet<>();
    for (Module module : ModuleLayer.boot().modules()) {
      if (module.getClassLoader() == ClassLoader.getSystemClassLoader()) {
        packages.addAll(module.getPackages());
      }
    }
    return packages;
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError("every file has one", e);
    }
  }
}
