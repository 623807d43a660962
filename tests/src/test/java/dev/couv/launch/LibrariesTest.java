// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Libraries that a script asks for, out of a repository that the user's settings name.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class LibrariesTest {
  @TempDir private Path directory;
  private Path repository;
  private Path settings;

  @BeforeEach
  void publish() throws Exception {
    repository = directory.resolve("repository");
    library(
        "base",
        "1",
        "package base; public class Base { public static String name() { return \"base\"; } }",
        "");
    library(
        "greeter",
        "2",
        "package greeter; public class Greeter { public static String hello() { return \"hello from"
            + " \" + base.Base.name(); } }",
        "<dependencies><dependency><groupId>test</groupId><artifactId>base</artifactId><version>1</version></dependency></dependencies>");
    settings = Files.createDirectories(directory.resolve("home/.m2")).resolve("settings.xml");
    Files.writeString(
        settings,
        """
        <settings>
          <localRepository>%s</localRepository>
          <mirrors>
            <mirror><id>ours</id><mirrorOf>*</mirrorOf><url>%s</url></mirror>
          </mirrors>
        </settings>
        """
            .formatted(directory.resolve("local"), repository.toUri()));
    Files.writeString(
        directory.resolve("Script.java"),
        """
        //DEPS test:greeter:2
        import module dev.couv;

        void main() throws Exception {
          Time.sleep(Duration.ofMillis(1));
          IO.println(greeter.Greeter.hello());
        }
        """);
  }

  @Test
  void areFoundWithWhatTheyNeedAndNotLookedForAgain() throws Exception {
    assertEquals(List.of("hello from base"), well(run("Script.java")));

    delete(repository);

    assertEquals(List.of("hello from base"), well(run("Script.java")));
  }

  @Test
  void areLookedForAgainWhenAFileIsGone() throws Exception {
    well(run("Script.java"));

    delete(directory.resolve("local"));

    assertEquals(List.of("hello from base"), well(run("Script.java")));
  }

  @Test
  void canBeNamedOnTheCommandLine() throws Exception {
    Path plain =
        Files.writeString(
            directory.resolve("Plain.java"), "void main() { IO.println(base.Base.name()); }");

    assertEquals(List.of("base"), well(run("--dep", "test:base:1", plain.toString())));
  }

  /// Ours are another version of what a script may want, and none of its business.
  @Test
  void thoseOfTheCommandLineItselfAreNotSeen() throws Exception {
    Files.writeString(
        directory.resolve("Hidden.java"),
        """
        //DEPS test:base:1
        void main() throws Exception {
          try {
            Class.forName("picocli.CommandLine");
          } catch (ClassNotFoundException e) {
            IO.println("hidden");
          }
        }
        """);

    assertEquals(List.of("hidden"), well(run("Hidden.java")));
  }

  @Test
  void oneThatIsNotThereIsNamedWithThePlaceThatWasAsked() throws Exception {
    Files.writeString(directory.resolve("None.java"), "//DEPS test:nothing:1.0\nvoid main() {}");

    var result = run("None.java");

    assertEquals(List.of("couv: not found: test:nothing:1.0 (looked in ours)"), result.err());
    assertEquals(1, result.status());
  }

  @Test
  void offlineIsSaidToBeTheReason() throws Exception {
    var result = run("--offline", "Script.java");

    assertEquals(1, result.err().size(), result.err()::toString);
    assertTrue(result.err().getFirst().contains("offline"), result.err()::toString);
    assertEquals(1, result.status());
  }

  private Cli.Result run(String... words) throws Exception {
    return new Cli()
        .in(directory)
        .option("-Duser.home=" + directory.resolve("home"))
        .option("-Dcouv.cache=" + directory.resolve("cache"))
        .variable("MAVEN_HOME", directory.resolve("no-maven").toString())
        .run(Stream.concat(Stream.of("run"), Stream.of(words)).toArray(String[]::new));
  }

  private static List<String> well(Cli.Result result) {
    assertEquals(List.of(), result.err());
    assertEquals(0, result.status());
    return result.out();
  }

  /// Compiled, packed and laid out as Maven's repositories are.
  private void library(String name, String version, String source, String rest) throws Exception {
    Path classes = Files.createDirectories(directory.resolve("classes"));
    String type = Character.toUpperCase(name.charAt(0)) + name.substring(1);
    Path file = Files.writeString(directory.resolve(type + ".java"), source);
    tool("javac", "-cp", classes.toString(), "-d", classes.toString(), file.toString());
    Files.delete(file);
    Path place = Files.createDirectories(repository.resolve("test/" + name + "/" + version));
    Path jar = place.resolve(name + "-" + version + ".jar");
    tool("jar", "--create", "--file", jar.toString(), "-C", classes.toString(), name);
    Files.writeString(
        place.resolve(name + "-" + version + ".pom"),
        "<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>%s</artifactId><version>%s</version>%s</project>"
            .formatted(name, version, rest));
  }

  private void tool(String name, String... words) throws Exception {
    List<String> command =
        Stream.concat(Stream.of(Cli.JAVA_HOME.resolve("bin/" + name).toString()), Stream.of(words))
            .toList();
    try (var running = Cli.Running.start(command, directory, Map.of())) {
      assertEquals(new Cli.Result(0, List.of(), List.of()), running.end());
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
