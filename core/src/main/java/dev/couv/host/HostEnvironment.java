// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.NativeMemory;
import dev.couv.uv.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  static List<byte[]> bytes(Collection<String> words) {
    return words.stream().map(word -> word.getBytes(UTF_8)).toList();
  }

  /// `NAME=value` for each.
  static List<byte[]> pairs(Map<String, String> variables) {
    return bytes(
        variables.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList());
  }

  /// The same for what this process has, as the system has it, except these.
  static List<byte[]> inheritedWithout(Set<String> names) throws IOException {
    Set<ByteBuffer> left = new HashSet<>();
    bytes(names).forEach(name -> left.add(ByteBuffer.wrap(name)));
    List<byte[]> pairs = new ArrayList<>();
    Env.forEach(
        (name, value) -> {
          if (!left.contains(ByteBuffer.wrap(name))) {
            byte[] pair = Arrays.copyOf(name, name.length + 1 + value.length);
            pair[name.length] = '=';
            System.arraycopy(value, 0, pair, name.length + 1, value.length);
            pairs.add(pair);
          }
        });
    return pairs;
  }

  /// A NULL-terminated array of C strings, in one block that the caller frees.
  static long array(List<byte[]> words) {
    long size = (words.size() + 1L) * Long.BYTES;
    for (byte[] word : words) {
      size += word.length + 1;
    }
    long block = NativeMemory.check(Memory.calloc(1, size));
    long at = block;
    long text = block + (words.size() + 1L) * Long.BYTES;
    for (byte[] word : words) {
      Memory.putLong(at, text);
      Memory.copy(word, 0, text, word.length);
      at += Long.BYTES;
      text += word.length + 1;
    }
    return block;
  }
}
