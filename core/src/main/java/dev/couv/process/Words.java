// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.NativeMemory;
import dev.couv.uv.Memory;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// Text on its way into a C program.
final class Words {
  private Words() {}

  static void checkNoNul(String text, String what) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(what + " contains a NUL");
    }
  }

  static void checkVariable(String name, String value) {
    if (name.isEmpty() || name.indexOf('=') >= 0) {
      throw new IllegalArgumentException("no variable can have the name '" + name + "'");
    }
    checkNoNul(name, "the variable's name");
    checkNoNul(value, "the value of " + name);
  }

  static List<String> pairs(Map<String, String> variables) {
    return variables.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .toList();
  }

  /// A NULL-terminated array of C strings, in one block that the caller frees.
  static long array(Collection<String> words) {
    byte[][] bytes = words.stream().map(word -> word.getBytes(UTF_8)).toArray(byte[][]::new);
    long size = (bytes.length + 1L) * Long.BYTES;
    for (byte[] word : bytes) {
      size += word.length + 1;
    }
    long block = NativeMemory.check(Memory.calloc(1, size));
    long text = block + (bytes.length + 1L) * Long.BYTES;
    for (int i = 0; i < bytes.length; i++) {
      Memory.putLong(block + (long) i * Long.BYTES, text);
      Memory.copy(bytes[i], 0, text, bytes[i].length);
      text += bytes[i].length + 1;
    }
    return block;
  }
}
