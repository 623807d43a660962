// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import org.jspecify.annotations.Nullable;

/// Keeps the class files that the compiler writes in memory.
final class MemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {
  private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

  MemoryFiles(StandardJavaFileManager manager) {
    super(manager);
  }

  @Override
  public JavaFileObject getJavaFileForOutput(
      Location location, String className, JavaFileObject.Kind kind, @Nullable FileObject sibling) {
    URI name = URI.create("memory:///" + className.replace('.', '/') + kind.extension);
    return new SimpleJavaFileObject(name, kind) {
      @Override
      public OutputStream openOutputStream() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        written.put(className, bytes);
        return bytes;
      }
    };
  }

  Map<String, byte[]> classes() {
    Map<String, byte[]> classes = HashMap.newHashMap(written.size());
    written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }
}
