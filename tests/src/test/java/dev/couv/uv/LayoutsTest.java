// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares every layout and every number that the binding writes down with the platform's headers.
final class LayoutsTest {
  /// What the binding has, as the probe prints it.
  private static final Map<String, List<Long>> OURS = WrittenDown.lines();

  /// What the probe prints, by all words of a line but the numbers.
  private static final Map<String, List<Long>> HEADERS = new TreeMap<>();

  @BeforeAll
  static void runTheProbe(@TempDir Path folder) throws Exception {
    CCompiler.requireLibuvHeader(folder);
    String program = folder.resolve("layout-probe").toString();
    CCompiler.compile(
        "cc", "-Wall", "-Werror", "-o", program, CCompiler.tool("layout-probe.c").toString());
    HEADERS.putAll(WrittenDown.parse(CCompiler.run(List.of(program))));
  }

  @ParameterizedTest
  @MethodSource("structs")
  void structHasTheFieldsOfTheHeader(String name) {
    assertThat(WrittenDown.of(name, OURS)).isEqualTo(WrittenDown.of(name, HEADERS));
  }

  static Set<String> structs() {
    return WrittenDown.layouts().keySet();
  }

  @Test
  void whatHasNoLayoutIsAsAssumed() {
    WrittenDown.assertAssumptions(HEADERS);
    if (Platform.isLinux()) {
      assertThat(HEADERS)
          .containsAllEntriesOf(WrittenDown.epollEvent())
          .containsAllEntriesOf(WrittenDown.systemCalls());
    }
  }

  @ParameterizedTest
  @MethodSource("bindings")
  void constantsAreThoseOfTheHeader(Class<?> binding) {
    Map<String, List<Long>> ours = WrittenDown.constants(binding);

    assertThat(ours).isNotEmpty();
    assertThat(HEADERS).containsAllEntriesOf(ours);
  }

  static List<Class<?>> bindings() {
    return WrittenDown.BINDINGS;
  }

  @Test
  void signalsHaveTheNumbersOfTheHeader() {
    Map<String, List<Long>> ours = WrittenDown.signals();

    assertThat(ours).hasSizeGreaterThan(20);
    assertThat(HEADERS).containsAllEntriesOf(ours);
  }

  @Test
  void everyErrorOfTheHeaderIsFoundByName() {
    Map<String, Long> ours = new TreeMap<>();
    Map<String, Long> theirs = new TreeMap<>();
    for (String line : HEADERS.keySet()) {
      if (!line.startsWith("constant UV_") || number(line) >= 0) continue;
      ours.put(line, (long) UvErrors.code(line.substring("constant UV_".length())));
      theirs.put(line, number(line));
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
