// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares every layout and every number that the binding writes down with the platform's headers.
final class LayoutsTest {
  /// Every layout that is written down, by the name of its struct.
  private static final Map<String, StructLayout> STRUCTS = layouts();

  /// What the probe prints, by all words of a line but the numbers.
  private static final Map<String, List<Long>> HEADERS = new TreeMap<>();

  @BeforeAll
  static void runTheProbe(@TempDir Path folder) throws Exception {
    CCompiler.requireLibuvHeader(folder);
    String program = folder.resolve("layout-probe").toString();
    CCompiler.compile(
        "cc", "-Wall", "-Werror", "-o", program, CCompiler.tool("layout-probe.c").toString());
    for (String line : CCompiler.run(List.of(program)).lines().toList()) {
      List<String> words = List.of(line.split(" "));
      HEADERS.put(
          words.get(0) + " " + words.get(1), words.stream().skip(2).map(Long::valueOf).toList());
    }
  }

  @ParameterizedTest
  @MethodSource("structs")
  void structHasTheFieldsOfTheHeader(String name) {
    StructLayout struct = requireNonNull(STRUCTS.get(name));

    Map<String, List<Long>> ours = new TreeMap<>();
    ours.put("struct " + name, List.of(struct.byteSize()));
    for (MemoryLayout member : struct.memberLayouts()) {
      member
          .name()
          .ifPresent(
              field ->
                  ours.put(
                      "field " + name + "." + field,
                      List.of(
                          struct.byteOffset(PathElement.groupElement(field)), member.byteSize())));
    }

    assertThat(ours).isEqualTo(headersOf(name));
  }

  static Set<String> structs() {
    return STRUCTS.keySet();
  }

  private static Map<String, StructLayout> layouts() {
    Map<String, StructLayout> layouts = new TreeMap<>();
    for (Class<?> type : List.of(FileLayouts.class, Layouts.class, SystemLayouts.class)) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getType() == StructLayout.class) {
          try {
            layouts.put(field.getName().toLowerCase(Locale.ROOT), (StructLayout) field.get(null));
          } catch (IllegalAccessException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
    return layouts;
  }

  @Test
  void whatHasNoLayoutIsAsAssumed() {
    assertThat(HEADERS)
        .containsEntry("struct size_t", List.of(8L))
        .containsEntry("struct pointer", List.of(8L))
        .containsEntry("struct uv_os_sock_t", List.of(Layouts.UV_OS_SOCK_SIZE))
        .containsEntry("field uv_handle_t.data", List.of(0L, 8L))
        .containsEntry("field uv_pipe_t.ipc", List.of(UvPipe.IPC, 4L))
        .containsEntry("field uv_req_t.data", List.of(0L, 8L));
    if (HEADERS.containsKey("struct siginfo_t")) {
      assertThat(HEADERS)
          .containsEntry("struct siginfo_t", List.of(Posix.SIGINFO_SIZE))
          .containsEntry("field siginfo_t.si_code", List.of(Posix.SI_CODE, 4L))
          .containsEntry("field siginfo_t.si_pid", List.of(Posix.SI_PID, 4L))
          .containsEntry("field siginfo_t.si_status", List.of(Posix.SI_STATUS, 4L));
      assertThat(number("struct rlimit")).isEqualTo(PosixDescriptor.RLIMIT_SIZE);
      assertThat(number("struct linger")).isEqualTo(PosixDescriptor.LINGER_SIZE);
      assertThat(number("struct sigaction")).isLessThanOrEqualTo(Posix.SIGACTION_ROOM);
      assertThat(number("struct termios")).isLessThanOrEqualTo(Termios.TERMIOS_ROOM);
      assertThat(HEADERS).containsEntry("field termios.c_lflag", List.of(Termios.C_LFLAG, 4L));
      assertThat(number("struct sigset_t")).isLessThanOrEqualTo(PosixSpawn.SIGSET_ROOM);
      assertThat(number("struct posix_spawnattr_t")).isLessThanOrEqualTo(PosixSpawn.ROOM);
      assertThat(number("struct posix_spawn_file_actions_t")).isLessThanOrEqualTo(PosixSpawn.ROOM);
    }
    if (HEADERS.containsKey("struct Dl_info")) {
      assertThat(HEADERS)
          .containsEntry("struct Dl_info", List.of(32L))
          .containsEntry("field Dl_info.dli_fname", List.of(0L, 8L));
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        FileLayouts.class,
        Inotify.class,
        Layouts.class,
        Posix.class,
        PosixDescriptor.class,
        PosixSpawn.class,
        Termios.class,
        UvFs.class,
        UvErrors.class,
        UvHandle.class,
        UvLoop.class,
        UvPipe.class,
        UvPoll.class,
        UvProcess.class,
        UvRequest.class,
        UvSignal.class,
        UvTcp.class,
        UvUdp.class
      })
  void constantsAreThoseOfTheHeader(Class<?> binding) throws Exception {
    Map<String, Integer> ours = new TreeMap<>();
    Map<String, Integer> theirs = new TreeMap<>();
    for (Field field : binding.getDeclaredFields()) {
      if (field.getType() != int.class || !Modifier.isPublic(field.getModifiers())) continue;
      ours.put(field.getName(), field.getInt(null));
      constant(field.getName(), theirs);
    }

    assertThat(ours).isNotEmpty().isEqualTo(theirs);
  }

  @Test
  void signalsHaveTheNumbersOfTheHeader() {
    Map<String, Integer> ours = new TreeMap<>();
    Map<String, Integer> theirs = new TreeMap<>();
    for (int number = 1; number < UvSignal.NAMES.size(); number++) {
      if (!UvSignal.NAMES.get(number).equals(UvSignal.NONE)) {
        String name = "SIG" + UvSignal.NAMES.get(number);
        ours.put(name, number);
        constant(name, theirs);
      }
    }

    assertThat(ours).isNotEmpty().isEqualTo(theirs);
  }

  @Test
  void everyErrorOfTheHeaderIsFoundByName() {
    Map<String, Integer> ours = new TreeMap<>();
    Map<String, Integer> theirs = new TreeMap<>();
    for (String line : HEADERS.keySet()) {
      String name = line.substring(line.indexOf(' ') + 1);
      if (!line.startsWith("constant UV_") || number(line) >= 0) continue;
      ours.put(name, UvErrors.code(name.substring("UV_".length())));
      constant(name, theirs);
    }

    assertThat(ours).hasSizeGreaterThan(70).isEqualTo(theirs);
  }

  @Test
  void libraryTellsTheSizesOfItsHeader() throws Exception {
    assertThat(UvLoop.uv_loop_size()).isEqualTo(number("struct uv_loop_t"));
    for (Map.Entry<String, Integer> each : types(UvHandle.class).entrySet()) {
      assertThat(UvHandle.uv_handle_size(each.getValue()))
          .as(each.getKey())
          .isEqualTo(number("struct handle:" + each.getKey()));
    }
    for (Map.Entry<String, Integer> each : types(UvRequest.class).entrySet()) {
      assertThat(UvRequest.uv_req_size(each.getValue()))
          .as(each.getKey())
          .isEqualTo(number("struct request:" + each.getKey()));
    }
  }

  private static Map<String, List<Long>> headersOf(String struct) {
    Map<String, List<Long>> found = new TreeMap<>();
    HEADERS.forEach(
        (line, numbers) -> {
          if (line.equals("struct " + struct) || line.startsWith("field " + struct + ".")) {
            found.put(line, numbers);
          }
        });
    return found;
  }

  private static void constant(String name, Map<String, Integer> into) {
    List<Long> value = HEADERS.get("constant " + name);
    if (value != null) into.put(name, value.getFirst().intValue());
  }

  private static long number(String line) {
    return requireNonNull(HEADERS.get(line), line).getFirst();
  }

  /// The types that have a size, by their names.
  private static Map<String, Integer> types(Class<?> binding) throws Exception {
    Map<String, Integer> types = new TreeMap<>();
    for (Field field : binding.getDeclaredFields()) {
      if (field.getType() == int.class && !field.getName().startsWith("UV_UNKNOWN")) {
        types.put(field.getName(), field.getInt(null));
      }
    }
    assertThat(types).hasSizeGreaterThan(7);
    return types;
  }
}
