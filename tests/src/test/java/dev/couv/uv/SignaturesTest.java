// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares the number and the widths of arguments and result of every bound function with the
/// platform's headers: an argument that is too narrow would work by luck, or not.
final class SignaturesTest {
  @Test
  void everyFunctionTakesAndGivesWhatItsHeaderSays(@TempDir Path folder) throws Exception {
    CCompiler.requireLibuvHeader(folder);
    Files.write(
        folder.resolve("functions.inc"),
        NativeCalls.names().stream().map(SignaturesTest::line).toList());
    String program = folder.resolve("signature-probe").toString();
    String source = CCompiler.tool("signature-probe.cc").toString();
    CCompiler.compile("c++", "-std=c++14", "-Wall", "-I" + folder, "-o", program, source);

    Map<String, String> theirs = new TreeMap<>();
    for (String line : CCompiler.run(List.of(program)).lines().toList()) {
      String[] nameAndSizes = line.split(" ", 2);
      theirs.put(nameAndSizes[0], nameAndSizes[1]);
    }

    Map<String, String> ours = new TreeMap<>();
    NativeCalls.names().forEach(name -> ours.put(name, sizes(NativeCalls.type(name))));
    assertThat(ours).hasSizeGreaterThan(60).isEqualTo(theirs);
  }

  private static String line(String name) {
    return switch (name) {
      case "uv_tty_set_mode" -> "OVERLOADED(uv_tty_set_mode, int(uv_tty_t*, uv_tty_mode_t))";
      case "ioctl" -> "VARIADIC(ioctl, int(int, unsigned long, long))";
      default -> "FUNCTION(" + name + ")";
    };
  }

  private static String sizes(MethodType type) {
    return Stream.concat(Stream.of(type.returnType()), type.parameterList().stream())
        .map(
            each ->
                each == void.class
                    ? "0"
                    : each == int.class ? "4" : each == short.class ? "2" : "8")
        .collect(Collectors.joining(" "));
  }
}
