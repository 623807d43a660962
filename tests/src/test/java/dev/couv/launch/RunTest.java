// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What `couv run` makes of files, arguments and exit codes.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class RunTest {
  @TempDir private Path directory;

  @Test
  void passesArgumentsAndTheExitCode() throws Exception {
    script(
        "Script.java",
        """
        import module dev.couv;

        void main(String[] args) throws Exception {
          Time.sleep(Duration.ofMillis(1));
          IO.println(List.of(args));
          System.exit(7);
        }
        """);

    var result =
        run("run", "Script.java", "--", "--help", "-V", "@file", "", "two words", "--", "A.java");

    assertEquals(List.of("[--help, -V, @file, , two words, --, A.java]"), result.out());
    assertEquals(List.of(), result.err());
    assertEquals(7, result.status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"// caf\u00e9\nvoid main() {}", "\nvoid main() { IO.println(\"caf\u00e9\"); }"})
  void aSourceThatIsNoUtf8IsTheCompilersToExplain(String source) throws Exception {
    Files.write(directory.resolve("Latin.java"), source.getBytes(ISO_8859_1));

    var result = run("run", "Latin.java");

    assertEquals(1, result.status());
    assertEquals(List.of(), result.out());
    String said = String.join("\n", result.err());
    assertTrue(said.contains("Latin.java:" + (source.startsWith("\n") ? 2 : 1)), said);
    assertTrue(said.contains("unmappable character (0xE9) for encoding UTF-8"), said);
    assertFalse(said.contains("\tat "), said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Scope.open().onEnd(null)", "Scope.open().onEnd(failure -> missing)", "missing()"})
  void anErrorIsTheCompilersToExplainWhateverSignatureItShows(String statement) throws Exception {
    script(
        "Wrong.java",
        "import module dev.couv;\nvoid main() throws Exception {\n%s;\n}".formatted(statement));

    var result = run("run", "Wrong.java");

    assertEquals(1, result.status());
    String said = String.join("\n", result.err());
    assertTrue(said.startsWith("Wrong.java:3: error: "), said);
    assertFalse(said.contains("\tat "), said);
  }

  @Test
  void compilesTheFilesItIsGivenAndThoseBesideTheFirst() throws Exception {
    script(
        "app/Start.java",
        """
        package app;

        import app.part.Neighbour;

        class Start {
          static void main(String[] args) throws Exception {
            IO.println(Neighbour.hello() + ", " + Given.hello() + ", " + args[0]);
          }
        }
        """);
    script(
        "app/part/Neighbour.java",
        """
        package app.part;

        public class Neighbour {
          public static String hello() throws Exception {
            return dev.couv.coro.Coroutine.current().name();
          }
        }
        """);
    script(
        "elsewhere/Given.java",
        """
        package app;

        class Given {
          static String hello() {
            return "given";
          }
        }
        """);

    var result = run("run", "app/Start.java", "elsewhere/Given.java", "argument");

    assertEquals(List.of(), result.err());
    assertEquals(List.of("main, given, argument"), result.out());
  }

  @Test
  void composesWithALoopOfTheScriptsOwn() throws Exception {
    script(
        "Own.java",
        """
        import module dev.couv;

        void main() throws Exception {
          Loop.run(() -> {
            Coroutine.spawn(() -> IO.println("inside"));
            Time.sleep(Duration.ofMillis(1));
          });
          IO.println("outside");
        }
        """);

    var couv = run("run", "Own.java");
    var java = plainJava("Own.java");

    assertEquals(List.of(), couv.err());
    assertEquals(List.of("inside", "outside"), couv.out());
    assertEquals(couv, java);
  }

  @Test
  void tellsAFailureAndItsPlaceInFewLines() throws Exception {
    script(
        "Fails.java",
        """
        void main() throws Exception {
          try {
            Integer.parseInt("five");
          } catch (RuntimeException e) {
            throw new IOException("no luck", e);
          }
        }
        """);

    var result = run("run", "Fails.java");

    assertEquals(
        List.of(
            "Fails.java:5: java.io.IOException: no luck",
            "  caused by: Fails.java:3: java.lang.NumberFormatException: For input string:"
                + " \"five\"",
            "couv: --stacktrace shows the whole trace"),
        result.err());
    assertEquals(1, result.status());
  }

  @Test
  void printsTheTraceOfAFailureOnceAndWithoutItsOwnFramesIfItIsAskedFor() throws Exception {
    script(
        "Fails.java",
        """
        import module dev.couv;

        void main() throws Exception {
          Time.sleep(Duration.ofMillis(1));
          throw new IOException("no luck");
        }
        """);

    var result = run("run", "--stacktrace", "Fails.java");

    assertEquals(
        List.of(
            "Exception in thread \"main\" java.io.IOException: no luck",
            "\tat Fails.main(Fails.java:5)"),
        result.err());
    assertEquals(List.of(), result.out());
    assertEquals(1, result.status());
  }

  @Test
  void printsJavacsMessageAndNothingElse() throws Exception {
    script(
        "Broken.java",
        """
        import module dev.couv;

        void main() throws Exception {
          int x = "text";
          Time.sleep(wrong);
        }
        """);

    var result = run("run", "Broken.java");

    assertEquals(javac("Broken.java"), result);
    assertEquals("2 errors", result.err().getLast());
    assertEquals(1, result.status());
  }

  @Test
  void showsNoWarnings() throws Exception {
    script(
        "Warned.java",
        """
        void main() {
          List raw = new ArrayList();
          raw.add(new Integer(5));
          IO.println(raw);
        }
        """);

    var result = run("run", "Warned.java");

    assertEquals(List.of(), result.err());
    assertEquals(List.of("[5]"), result.out());
  }

  @Test
  void aFileThatIsNotThereIsAMistakeOfTheCommandLine() throws Exception {
    var result = run("run", "Nowhere.java");

    assertEquals(List.of("couv: no such file: Nowhere.java"), result.err());
    assertEquals(2, result.status());
  }

  @Test
  void aFileWithoutAClassIsAMistakeToo() throws Exception {
    script("Empty.java", "// nothing yet");

    var result = run("run", "Empty.java");

    assertEquals(List.of("couv: no class in Empty.java"), result.err());
    assertEquals(2, result.status());
  }

  @Test
  void saysWhatToInstallWhereThereIsNoLibuv() throws Exception {
    script("Hello.java", "void main() { IO.println(\"hello\"); }");

    var result =
        new Cli()
            .in(directory)
            .variable("COUV_LIBUV", directory.resolve("nothing.so").toString())
            .run("run", "Hello.java");

    assertEquals(List.of(), result.out());
    assertEquals(
        "Couv needs libuv 1.44.2 or newer and found none that it can use.",
        result.err().getFirst());
    assertEquals(1, result.status());
  }

  /// Its classes are in memory only, where the scope must find them to see the exception's way.
  @Test
  void aScopeThatAnExceptionLeavesCancelsItsCoroutines() throws Exception {
    script(
        "Left.java",
        """
        import module dev.couv;

        void main() throws Exception {
          try (var scope = Scope.open()) {
            scope.spawn(() -> Time.sleep(Duration.ofHours(1)));
            throw new IOException("left");
          } catch (IOException e) {
            IO.println(e.getMessage());
          }
        }
        """);

    var result = run("run", "Left.java");

    assertEquals(List.of("left"), result.out());
    assertEquals(List.of(), result.err());
    assertEquals(0, result.status());
  }

  private Cli.Result run(String... arguments) throws Exception {
    return new Cli().in(directory).run(arguments);
  }

  private void script(String name, String text) throws Exception {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Cli.Result plainJava(String file) throws Exception {
    return tool(
        "java",
        "--module-path",
        Cli.CORE_JAR.toString(),
        "--add-modules=dev.couv",
        "--add-opens=java.base/java.lang=dev.couv",
        "--enable-native-access=dev.couv",
        file);
  }

  private Cli.Result javac(String file) throws Exception {
    return tool(
        "javac",
        "--release=25",
        "--module-path",
        Cli.CORE_JAR.toString(),
        "--add-modules=dev.couv",
        "-d",
        directory.resolve("out").toString(),
        file);
  }

  private Cli.Result tool(String name, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.addFirst(Cli.JAVA_HOME.resolve("bin/" + name).toString());
    try (var running = Cli.Running.start(command, directory, Map.of())) {
      return running.end();
    }
  }
}
