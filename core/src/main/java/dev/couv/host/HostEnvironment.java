// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import dev.couv.uv.SystemLayouts;
import dev.couv.uv.UvEnv;
import dev.couv.uv.UvErrors;
import dev.couv.world.Environment;
import dev.couv.world.Program;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The environment of this process, as native code and children see it.
///
/// Any thread, one at a time: the system's environment is not made for several. Native code of others
/// does not know of this lock.
final class HostEnvironment implements Environment {
  static final HostEnvironment INSTANCE = new HostEnvironment();

  private static final int ROOM = 256;
  private static final int PATH_ROOM = 1 << 16;
  private static final int ENOENT = UvErrors.code("ENOENT");

  private HostEnvironment() {}

  @Override
  public @Nullable String get(String name) throws IOException {
    byte[] value = bytes(name);
    return value == null ? null : new String(value, UTF_8);
  }

  /// The value as the system has it.
  synchronized byte @Nullable [] bytes(String name) throws IOException {
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

  @Override
  public synchronized void set(String name, String value) throws IOException {
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

  @Override
  public synchronized void unset(String name) throws IOException {
    long text = NativeMemory.check(Memory.newString(name));
    try {
      Failures.check(UvEnv.uv_os_unsetenv(text), "unsetenv", name);
    } finally {
      Memory.free(text);
    }
  }

  @Override
  public Map<String, String> all() throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    forEach((name, value) -> all.put(new String(name, UTF_8), new String(value, UTF_8)));
    return all;
  }

  /// Tells name and value of every variable, as the system has them.
  private synchronized void forEach(BiConsumer<byte[], byte[]> receiver) throws IOException {
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

  /// All that a child gets, `NAME=value` each; null if nothing was said about its environment.
  @Nullable List<byte[]> of(Program program) throws IOException {
    if (program.env() == null && program.variables().isEmpty()) {
      return null;
    }
    List<byte[]> all =
        program.env() == null ? inheritedWithout(program.variables().keySet()) : new ArrayList<>();
    Map<String, String> said =
        new LinkedHashMap<>(program.env() == null ? Map.of() : program.env());
    said.putAll(program.variables());
    said.forEach((name, value) -> all.add((name + "=" + value).getBytes(UTF_8)));
    return all;
  }

  /// As the system has them: they need not be text.
  private List<byte[]> inheritedWithout(Set<String> names) throws IOException {
    Set<ByteBuffer> left = new HashSet<>();
    names.forEach(name -> left.add(ByteBuffer.wrap(name.getBytes(UTF_8))));
    List<byte[]> pairs = new ArrayList<>();
    forEach(
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

  @Override
  public Path dir() throws IOException {
    long memory = NativeMemory.check(Memory.calloc(1, Long.BYTES + PATH_ROOM));
    try {
      Memory.putLong(memory, PATH_ROOM);
      Failures.check(UvEnv.uv_cwd(memory + Long.BYTES, memory), "getcwd", "this process");
      return PathBytes.read(memory + Long.BYTES);
    } finally {
      Memory.free(memory);
    }
  }

  @Override
  public void setDir(Path dir) throws IOException {
    long text = PathBytes.allocate(dir);
    try {
      int code = UvEnv.uv_chdir(text);
      if (code < 0) {
        throw Failures.ofFile(code, "chdir", dir.toString());
      }
    } finally {
      Memory.free(text);
    }
  }
}
