// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Every native call that the host's world makes fails once in a test of a feature. Read from the
/// class files: which calls are made, and which names the classes have that put failing
/// functions in the place of real ones. Nothing of that depends on the engine.
@Tag("loop-scheduled-engine")
final class FaultCoverageTest {
  private static final List<String> FEATURES =
      List.of("fs", "process", "signal", "tty", "info", "net", "stream", "poll", "host", "world");

  /// What puts something in the place of a call.
  private static final Set<String> FAILING = Set.of("failing", "failingAfterwards", "replace");

  private static final String UV = "dev/couv/uv/";

  /// Calls that answer a number and cannot fail, and why.
  private static final Map<String, String> CANNOT_FAIL =
      entries(
          "getpgrp", "the system call has no error",
          "getsockopt", "what it does not tell is taken for no",
          "uv_async_send", "libuv ends the process rather than fail",
          "uv_available_parallelism", "a number, never less than one",
          "uv_guess_handle", "what it does not know is a kind, too",
          "uv_handle_get_type", "reads a field",
          "uv_pipe_pending_count", "reads a field",
          "uv_pipe_pending_type", "reads a field",
          "uv_read_stop", "always 0",
          "uv_udp_recv_stop", "not for a handle that is open",
          "uv_os_getppid", "the system call has no error",
          "uv_process_get_pid", "reads a field",
          "uv_translate_sys_error", "translates a number");

  private static Map<String, String> entries(String... pairs) {
    Map<String, String> map = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  @Test
  void everyCallFailsInATest() throws Exception {
    Path core = place(Native.class);
    Path tests = place(FaultCoverageTest.class);
    Set<String> idle = new TreeSet<>(CANNOT_FAIL.keySet());
    Set<String> missing = callsOf(core, "host");
    int made = missing.size();
    idle.removeAll(missing);
    missing.removeAll(CANNOT_FAIL.keySet());
    for (String each : FEATURES) {
      missing.removeAll(failedIn(tests, each));
    }

    assertEquals(Set.of(), missing, "calls that fail in no test");
    assertEquals(Set.of(), idle, "nobody makes these calls");
    assertTrue(made > 100, "only " + made + " calls were found");
  }

  @Test
  void aCallThatFailsInNoTestIsFound() throws Exception {
    assertTrue(callsOf(place(Native.class), "host").contains("uv_fs_rename"));
    assertTrue(failedIn(place(FaultCoverageTest.class), "fs").contains("uv_fs_rename"));
    assertTrue(!failedIn(place(FaultCoverageTest.class), "info").contains("uv_fs_rename"));
  }

  /// The bound functions that answer a code, and that the package's classes name.
  private static Set<String> callsOf(Path core, String name) throws Exception {
    Set<String> bound = NativeCalls.names();
    Set<String> calls = new TreeSet<>();
    for (ClassModel model : classes(core, name)) {
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof MemberRefEntry member
            && member.owner().asInternalName().startsWith(UV)
            && bound.contains(member.name().stringValue())
            && answersACode(member.name().stringValue())) {
          calls.add(member.name().stringValue());
        }
      }
    }
    return calls;
  }

  /// What answers a `long` is a count of bytes or a code if it is the system's, and a value if it is libuv's.
  private static boolean answersACode(String call) {
    Class<?> type = NativeCalls.type(call).returnType();
    return type == int.class
        || (type == long.class && !call.startsWith("uv_") && !call.endsWith("alloc"));
  }

  /// What the tests of the package that replace functions call by name.
  private static Set<String> failedIn(Path tests, String name) throws Exception {
    Set<String> words = new TreeSet<>();
    for (ClassModel model : classes(tests, name)) {
      Set<String> here = new TreeSet<>();
      boolean replaces = false;
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof StringEntry text) {
          here.add(text.stringValue());
        } else if (entry instanceof MemberRefEntry member) {
          String owner = member.owner().asInternalName();
          replaces |=
              (owner.equals(UV + "NativeCalls") || owner.endsWith("/Faults"))
                  && FAILING.contains(member.name().stringValue());
        }
      }
      if (replaces) {
        words.addAll(here);
        model.methods().forEach(method -> words.addAll(inAnnotations(method)));
      }
    }
    return words;
  }

  /// The values of parameterized tests.
  private static Set<String> inAnnotations(MethodModel method) {
    Set<String> words = new TreeSet<>();
    method
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .ifPresent(
            all -> {
              for (Annotation each : all.annotations()) {
                each.elements().forEach(element -> collect(element.value(), words));
              }
            });
    return words;
  }

  private static void collect(AnnotationValue value, Set<String> words) {
    if (value instanceof AnnotationValue.OfArray array) {
      array.values().forEach(each -> collect(each, words));
    } else if (value instanceof AnnotationValue.OfString text) {
      words.addAll(List.of(text.stringValue().split(", ")));
    }
  }

  private static List<ClassModel> classes(Path place, String name) throws IOException {
    if (Files.isDirectory(place)) {
      return classesUnder(place.resolve("dev/couv/" + name));
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return classesUnder(jar.getPath("/dev/couv/" + name));
    }
  }

  private static List<ClassModel> classesUnder(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(FaultCoverageTest::parse)
          .collect(Collectors.toList());
    }
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Path place(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
