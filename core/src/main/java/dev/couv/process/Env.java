// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import dev.couv.uv.SystemLayouts;
import dev.couv.uv.UvEnv;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The environment of this process, as native code and children see it. Java's own view,
/// `System.getenv`, is that of the start, and does not follow.
///
/// Text is UTF-8. A value that is not is read with `\uFFFD` in the place of what is none; children that inherit it get
/// it as it is.
///
/// Any thread, one at a time: the system's environment is not made for several. Native code of others
/// does not know of this lock.
public final class Env {
  private static final int ROOM = 256;
  private static final int ENOENT = UvErrors.code("ENOENT");

  private Env() {}

  /// The value, or null if there is no such variable.
  public static @Nullable String get(String name) throws IOException {
    byte[] value = bytes(name);
    return value == null ? null : new String(value, UTF_8);
  }

  /// The value as the system has it.
  static synchronized byte @Nullable [] bytes(String name) throws IOException {
    Words.checkVariable(name, "");
    long text = NativeMemory.check(Memory.newString(name));
    try {
      for (long room = ROOM; ; ) {
        long memory = NativeMemory.check(Memory.calloc(1, Long.BYTES + room));
        try {
          Memory.putLong(memory, room);
          int code = UvEnv.uv_os_getenv(text, memory + Long.BYTES, memory);
          if (code == ENOENT) {
            return null;
          }
          if (code != UvErrors.UV_ENOBUFS) {
            Failures.check(code, "getenv", name);
            return PathBytes.bytesAt(memory + Long.BYTES);
          }
          room = Memory.getLong(memory) + 1;
        } finally {
          Memory.free(memory);
        }
      }
    } finally {
      Memory.free(text);
    }
  }

  /// Gives a variable a value, whether it was there or not.
  ///
  /// @throws IllegalArgumentException if the name is empty or contains `=`, or either contains a NUL
  public static synchronized void set(String name, String value) throws IOException {
    Words.checkVariable(name, value);
    long text = NativeMemory.check(Memory.newString(name));
    long newValue = 0;
    try {
      newValue = NativeMemory.check(Memory.newString(value));
      Failures.check(UvEnv.uv_os_setenv(text, newValue), "setenv", name);
    } finally {
      Memory.free(newValue);
      Memory.free(text);
    }
  }

  /// Removes a variable, if it is there.
  public static synchronized void unset(String name) throws IOException {
    Words.checkVariable(name, "");
    long text = NativeMemory.check(Memory.newString(name));
    try {
      Failures.check(UvEnv.uv_os_unsetenv(text), "unsetenv", name);
    } finally {
      Memory.free(text);
    }
  }

  /// All variables, in a map that is the caller's.
  public static Map<String, String> all() throws IOException {
    return all(new LinkedHashMap<>());
  }

  /// Puts all variables into a map, and returns it. What else is in there stays.
  public static <M extends Map<String, String>> M all(M into) throws IOException {
    forEach((name, value) -> into.put(new String(name, UTF_8), new String(value, UTF_8)));
    return into;
  }

  /// Tells name and value of every variable, as the system has them.
  static synchronized void forEach(BiConsumer<byte[], byte[]> receiver) throws IOException {
    long memory = NativeMemory.check(Memory.calloc(2, Long.BYTES));
    try {
      Failures.check(UvEnv.uv_os_environ(memory, memory + Long.BYTES), "environ", "this process");
      long items = Memory.getLong(memory);
      int count = Memory.getInt(memory + Long.BYTES);
      try {
        for (int i = 0; i < count; i++) {
          long item = items + i * SystemLayouts.ENV_ITEM_SIZE;
          receiver.accept(
              PathBytes.bytesAt(Memory.getLong(item + SystemLayouts.ENV_ITEM_NAME)),
              PathBytes.bytesAt(Memory.getLong(item + SystemLayouts.ENV_ITEM_VALUE)));
        }
      } finally {
        UvEnv.uv_os_free_environ(items, count); // also if nobody takes it
      }
    } finally {
      Memory.free(memory);
    }
  }
}
