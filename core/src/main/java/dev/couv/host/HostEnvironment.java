// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.Failures;
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
import org.jspecify.annotations.Nullable;

/// The environment of this process, as native code and children see it.
///
/// Any thread, one at a time: the system's environment is not made for several. Native code of others
/// does not know of this lock.
final class HostEnvironment implements Environment {
  static final HostEnvironment INSTANCE = new HostEnvironment();

  private static final int ENOENT = UvErrors.code("ENOENT");
  private static final int PATH_ROOM = 1 << 16;

  private HostEnvironment() {}

  @Override
  public @Nullable String get(String name) throws IOException {
    byte[] value = bytes(name);
    return value == null ? null : new String(value, UTF_8);
  }

  /// The value as the system has it.
  @SuppressWarnings("NullAway") // null if there is none
  synchronized byte @Nullable [] bytes(String name) throws IOException {
    return Answers.given(
        name,
        text ->
            Answers.askIfAny(
                "getenv",
                name,
                (buffer, size) -> UvEnv.uv_os_getenv(text, buffer, size),
                PathBytes::bytesAt,
                ENOENT));
  }

  @Override
  public synchronized void set(String name, String value) throws IOException {
    int code = Answers.given(name, n -> Answers.given(value, v -> UvEnv.uv_os_setenv(n, v)));
    Failures.check(code, "setenv", name);
  }

  @Override
  public synchronized void unset(String name) throws IOException {
    Failures.check(Answers.given(name, UvEnv::uv_os_unsetenv), "unsetenv", name);
  }

  @Override
  public Map<String, String> all() throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    for (Variable each : variables()) {
      all.put(new String(each.name, UTF_8), new String(each.value, UTF_8));
    }
    return all;
  }

  @SuppressWarnings("ArrayRecordComponent") // nobody compares two
  private record Variable(byte[] name, byte[] value) {}

  /// Every variable, as the system has them.
  private synchronized List<Variable> variables() throws IOException {
    return Answers.list(
        "environ",
        UvEnv::uv_os_environ,
        SystemLayouts.UV_ENV_ITEM_T,
        item ->
            new Variable(
                PathBytes.bytesAt(item.getLong("name")), PathBytes.bytesAt(item.getLong("value"))),
        UvEnv::uv_os_free_environ);
  }

  /// All that a child gets, `NAME=value` each.
  List<byte[]> of(Program program) throws IOException {
    Map<String, String> env = program.env();
    List<byte[]> all =
        env == null ? inheritedWithout(program.variables().keySet()) : new ArrayList<>();
    Map<String, String> said = new LinkedHashMap<>(env == null ? Map.of() : env);
    said.putAll(program.variables());
    said.forEach((name, value) -> all.add((name + "=" + value).getBytes(UTF_8)));
    return all;
  }

  /// As the system has them: they need not be text.
  private List<byte[]> inheritedWithout(Set<String> names) throws IOException {
    Set<ByteBuffer> left = new HashSet<>();
    names.forEach(name -> left.add(ByteBuffer.wrap(name.getBytes(UTF_8))));
    List<byte[]> pairs = new ArrayList<>();
    for (Variable each : variables()) {
      byte[] name = each.name;
      if (!left.contains(ByteBuffer.wrap(name))) {
        byte[] pair = Arrays.copyOf(name, name.length + 1 + each.value.length);
        pair[name.length] = '=';
        System.arraycopy(each.value, 0, pair, name.length + 1, each.value.length);
        pairs.add(pair);
      }
    }
    return pairs;
  }

  @Override
  public Path dir() throws IOException {
    return Answers.room(
        Long.BYTES + PATH_ROOM,
        at -> {
          Memory.putLong(at, PATH_ROOM);
          Failures.check(UvEnv.uv_cwd(at + Long.BYTES, at), "getcwd", "this process");
          return PathBytes.read(at + Long.BYTES);
        });
  }

  @Override
  public void setDir(Path dir) throws IOException {
    Failures.checkFile(Answers.given(dir, UvEnv::uv_chdir), "chdir", dir);
  }
}
