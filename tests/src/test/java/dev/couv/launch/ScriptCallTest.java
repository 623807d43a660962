// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("loop-scheduled-engine")
class ScriptCallTest {
  @TempDir private Path directory;
  private String a;
  private String b;

  @BeforeEach
  void makeFiles() throws Exception {
    a = Files.createFile(directory.resolve("A.java")).toString();
    b = Files.createFile(directory.resolve("B.java")).toString();
  }

  @Test
  void theFilesEndAtTheFirstOtherWord() throws Exception {
    assertEquals(call(List.of(a, b), List.of()), parse(a, b));
    assertEquals(call(List.of(a), List.of("x", b)), parse(a, "x", b));
    assertEquals(call(List.of(a), List.of("--help")), parse(a, "--help"));
  }

  @Test
  void twoDashesEndTheFilesAndAreNotPassed() throws Exception {
    assertEquals(call(List.of(a), List.of(b)), parse(a, "--", b));
    assertEquals(call(List.of(a, b), List.of("--")), parse(a, b, "--", "--"));
    assertEquals(call(List.of(a), List.of("x", "--")), parse(a, "x", "--"));
  }

  @Test
  void refusesWhatIsNoJavaFile() throws Exception {
    String text = Files.createFile(directory.resolve("text")).toString();
    String folder = Files.createDirectory(directory.resolve("D.java")).toString();

    assertEquals("which file? run needs one that ends in .java", refusal());
    assertEquals("no such file: x.java", refusal("x.java"));
    assertEquals("no such file: x", refusal("x"));
    assertEquals("a directory, not a file: " + folder, refusal(folder));
    assertEquals("not a Java file, its name does not end in .java: " + text, refusal(text));
    assertEquals(
        "no such file: x.java (an argument that ends in .java goes after --)",
        refusal(a, "x.java"));
  }

  private static ScriptCall parse(String... words) throws BadScript {
    return ScriptCall.parse(List.of(words));
  }

  private static String refusal(String... words) {
    return assertThrows(BadScript.class, () -> parse(words)).getMessage();
  }

  private static ScriptCall call(List<String> sources, List<String> arguments) {
    return new ScriptCall(sources.stream().map(Path::of).toList(), arguments);
  }
}
