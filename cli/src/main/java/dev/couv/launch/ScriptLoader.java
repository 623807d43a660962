// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.util.Map;

/// Loads a script's classes, from memory. It has no name: stack traces would repeat it in each line.
final class ScriptLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final Map<String, byte[]> classes;

  ScriptLoader(Map<String, byte[]> classes) {
    super(ScriptLoader.class.getClassLoader());
    this.classes = classes;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }
}
