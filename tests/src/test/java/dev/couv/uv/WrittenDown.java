// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What the binding writes down of C: layouts and numbers, as lines of `tools/layout-probe.c`. A program, too, which prints
/// them: so that they can be asked for in a JVM that takes itself for one on another processor.
final class WrittenDown {
  /// Whose public `int` constants are C's.
  static final List<Class<?>> BINDINGS =
      List.of(
          Epoll.class,
          FileLayouts.class,
          Inotify.class,
          Layouts.class,
          Posix.class,
          PosixBytes.class,
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
          UvUdp.class);

  static final String PROCESSOR = "couv.test.processor";

  private WrittenDown() {}

  /// On the processor that the property names: what the JDK itself takes it for is settled before.
  public static void main(String[] arguments) {
    Native.versionString();
    System.setProperty("os.arch", System.getProperty(PROCESSOR));
    lines()
        .forEach(
            (line, numbers) ->
                System.out.println(
                    line + " " + String.join(" ", numbers.stream().map(String::valueOf).toList())));
  }

  /// All words of a line but the numbers, and these.
  static Map<String, List<Long>> parse(String output) {
    Map<String, List<Long>> lines = new TreeMap<>();
    for (String line : output.lines().toList()) {
      List<String> words = List.of(line.split(" "));
      lines.put(
          words.get(0) + " " + words.get(1), words.stream().skip(2).map(Long::valueOf).toList());
    }
    return lines;
  }

  static Map<String, List<Long>> lines() {
    Map<String, List<Long>> lines = new TreeMap<>(signals());
    layouts().forEach((name, struct) -> describe(name, struct, lines));
    BINDINGS.forEach(binding -> lines.putAll(constants(binding)));
    lines.putAll(epollEvent());
    lines.putAll(systemCalls());
    lines.put("constant FIONREAD", List.of(PosixDescriptor.FIONREAD));
    lines.put("constant FICLONE", List.of(PosixDescriptor.FICLONE));
    return lines;
  }

  /// The lines of one struct.
  static Map<String, List<Long>> of(String struct, Map<String, List<Long>> lines) {
    Map<String, List<Long>> found = new TreeMap<>(lines);
    found
        .keySet()
        .removeIf(
            line -> !line.equals("struct " + struct) && !line.startsWith("field " + struct + "."));
    return found;
  }

  private static void describe(String name, StructLayout struct, Map<String, List<Long>> into) {
    into.put("struct " + name, List.of(struct.byteSize()));
    for (MemoryLayout member : struct.memberLayouts()) {
      member
          .name()
          .ifPresent(
              field ->
                  into.put(
                      "field " + name + "." + field,
                      List.of(
                          struct.byteOffset(PathElement.groupElement(field)), member.byteSize())));
    }
  }

  static Map<String, List<Long>> constants(Class<?> binding) {
    Map<String, List<Long>> lines = new TreeMap<>();
    for (Field field : binding.getDeclaredFields()) {
      if (field.getType() != int.class || !Modifier.isPublic(field.getModifiers())) continue;
      try {
        lines.put("constant " + field.getName(), List.of((long) field.getInt(null)));
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
    return lines;
  }

  static Map<String, List<Long>> signals() {
    Map<String, List<Long>> lines = new TreeMap<>();
    for (int number = 1; number < UvSignal.NAMES.size(); number++) {
      String name = UvSignal.NAMES.get(number);
      if (!name.equals(UvSignal.NONE)) lines.put("constant SIG" + name, List.of((long) number));
    }
    return lines;
  }

  /// Packed on x86-64, and nowhere else.
  static Map<String, List<Long>> epollEvent() {
    return Map.of(
        "struct epoll_event", List.of(Epoll.EVENT_SIZE),
        "field epoll_event.events", List.of(Epoll.EVENT_EVENTS, 4L),
        "field epoll_event.data", List.of(Epoll.EVENT_DATA, 8L));
  }

  static Map<String, List<Long>> systemCalls() {
    Map<String, List<Long>> lines = new TreeMap<>();
    for (SystemCall call : SystemCall.values()) {
      String name = call.name().toLowerCase(Locale.ROOT);
      if (call.hasNumber()) lines.put("constant SYS_" + name, List.of((long) call.number()));
    }
    return lines;
  }

  /// Every layout, by the name of its struct.
  static Map<String, StructLayout> layouts() {
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

  /// What the binding takes for granted, without a layout of its own.
  static void assertAssumptions(Map<String, List<Long>> headers) {
    assertThat(headers)
        .containsEntry("struct size_t", List.of(8L))
        .containsEntry("struct pointer", List.of(8L))
        .containsEntry("struct uv_os_sock_t", List.of(Layouts.UV_OS_SOCK_SIZE))
        .containsEntry("field uv_handle_t.data", List.of(0L, 8L))
        .containsEntry("field uv_pipe_t.ipc", List.of(UvPipe.IPC, 4L))
        .containsEntry("field uv_req_t.data", List.of(0L, 8L));
    if (headers.containsKey("struct siginfo_t")) {
      assertThat(headers)
          .containsEntry("struct siginfo_t", List.of(Posix.SIGINFO_SIZE))
          .containsEntry("field siginfo_t.si_code", List.of(Posix.SI_CODE, 4L))
          .containsEntry("field siginfo_t.si_pid", List.of(Posix.SI_PID, 4L))
          .containsEntry("field siginfo_t.si_status", List.of(Posix.SI_STATUS, 4L))
          .containsEntry("struct rlimit", List.of(PosixDescriptor.RLIMIT_SIZE))
          .containsEntry("struct linger", List.of(PosixDescriptor.LINGER_SIZE))
          .containsEntry("field termios.c_lflag", List.of(Termios.C_LFLAG, 4L))
          .containsEntry("struct pollfd", List.of(8L))
          .containsEntry("field pollfd.fd", List.of(0L, 4L))
          .containsEntry("field pollfd.events", List.of(4L, 2L))
          .containsEntry("struct inotify_event", List.of(16L))
          .containsEntry("struct timespec", List.of(16L))
          .containsEntry("constant O_CLOEXEC", List.of(0x80000L))
          .containsEntry("constant MFD_CLOEXEC", List.of(1L));
      assertRoom("sigaction", Posix.SIGACTION_ROOM, headers);
      assertRoom("termios", Termios.TERMIOS_ROOM, headers);
      assertRoom("sigset_t", PosixSpawn.SIGSET_ROOM, headers);
      assertRoom("posix_spawnattr_t", PosixSpawn.ROOM, headers);
      assertRoom("posix_spawn_file_actions_t", PosixSpawn.ROOM, headers);
    }
    if (headers.containsKey("struct Dl_info")) {
      assertThat(headers)
          .containsEntry("struct Dl_info", List.of(32L))
          .containsEntry("field Dl_info.dli_fname", List.of(0L, 8L));
    }
  }

  private static void assertRoom(String struct, long room, Map<String, List<Long>> headers) {
    long size = requireNonNull(headers.get("struct " + struct), struct).getFirst();
    assertThat(size).as(struct).isPositive().isLessThanOrEqualTo(room);
  }
}
