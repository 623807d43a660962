// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A script's class files by the names of their classes, the class with its `main`, and the files
/// that the compiler read for it.
record CompiledScript(String mainClass, Map<String, byte[]> classes, List<Path> sources) {
  void write(DataOutput out) throws IOException {
    out.writeUTF(mainClass);
    out.writeInt(classes.size());
    for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
      out.writeUTF(entry.getKey());
      out.writeInt(entry.getValue().length);
      out.write(entry.getValue());
    }
    out.writeInt(sources.size());
    for (Path source : sources) {
      out.writeUTF(source.toString());
    }
  }

  static CompiledScript read(DataInput in) throws IOException {
    String mainClass = in.readUTF();
    Map<String, byte[]> classes = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      byte[] bytes = new byte[in.readInt()];
      in.readFully(bytes);
      classes.put(name, bytes);
    }
    Path[] sources = new Path[in.readInt()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = Path.of(in.readUTF());
    }
    return new CompiledScript(mainClass, classes, List.of(sources));
  }
}
