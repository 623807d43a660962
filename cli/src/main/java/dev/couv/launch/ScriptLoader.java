// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Loads a script's classes, from memory. It has no name: stack traces would repeat it in each line.
final class ScriptLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final String SUFFIX = ".class";

  private final Map<String, byte[]> classes;

  ScriptLoader(CompiledScript script) {
    super(parent(script));
    this.classes = script.classes();
  }

  private static ClassLoader parent(CompiledScript script) {
    return script.libraries().isEmpty()
        ? ScriptLoader.class.getClassLoader()
        : new LibraryLoader(script.libraries());
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  /// A class file too, for whoever looks into it: a scope does, to see why it is left.
  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    byte[] bytes =
        name.endsWith(SUFFIX)
            ? classes.get(name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'))
            : null;
    return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
  }
}
