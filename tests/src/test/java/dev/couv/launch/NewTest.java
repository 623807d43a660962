// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
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

/// `couv new`: the project that it makes is built and run with what this build has packaged.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class NewTest {
  private static final String VERSION = Version.text();

  @TempDir private Path directory;

  @Test
  void theProjectBuildsTestsAndRuns() throws Exception {
    var made = new Cli().in(directory).run("new", "hello-service");
    assertEquals(List.of(), made.err());
    assertEquals(0, made.status());
    Path project = directory.resolve("hello-service");
    assertTrue(Files.exists(project.resolve(".gitignore")));
    assertTrue(Files.exists(project.resolve("Containerfile")));

    List<String> mvn =
        List.of(
            Needed.program("mvn"),
            "-B",
            "-ntp",
            "-s",
            settings().toString(),
            "-Dmaven.repo.local=" + directory.resolve("local"),
            "verify");
    try (var running =
        Cli.Running.start(mvn, project, Map.of("JAVA25_HOME", Cli.JAVA_HOME.toString()))) {
      var built = running.end();
      assertEquals(0, built.status(), () -> String.join("\n", built.out()));
      assertTrue(
          built.out().stream().anyMatch(line -> line.contains("Tests run: 1, Failures: 0")),
          () -> String.join("\n", built.out()));
    }

    String java = Cli.JAVA_HOME.resolve("bin/java").toString();
    List<String> service = new ArrayList<>(Cli.withDefaultSignals());
    service.addAll(List.of(java, "-Dcouv.libuv=bundled", "-jar", "target/hello-service.jar", "0"));
    try (var running = Cli.Running.start(service, project, Map.of())) {
      URI address = URI.create(running.line().strip());
      try (HttpClient client = HttpClient.newHttpClient()) {
        var answer =
            client.send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + address.getPort() + "/greetings/Ada"))
                    .build(),
                BodyHandlers.ofString());
        assertEquals("Hello, Ada!", answer.body());
      }
      running.signal("TERM");
      var end = running.end();
      assertEquals(List.of(), end.err());
      assertEquals(0, end.status());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../up", "/etc/x", "Big", "a b", "-x-", "a--b", "ü"})
  void aBadNameIsRefused(String name) throws Exception {
    var result = new Cli().in(directory).run("new", "--", name);

    assertEquals(1, result.err().size(), result.err()::toString);
    assertTrue(result.err().getFirst().startsWith("couv: not a good name for a project: "));
    assertEquals(2, result.status());
    try (var content = Files.list(directory)) {
      assertEquals(0, content.count());
    }
  }

  @Test
  void aDirectoryThatHasSomethingInItIsLeftAlone() throws Exception {
    Files.writeString(Files.createDirectory(directory.resolve("taken")).resolve("file"), "mine");

    var result = new Cli().in(directory).run("new", "taken");

    assertEquals(List.of("couv: there is something in taken already"), result.err());
    assertEquals(2, result.status());
    assertFalse(Files.exists(directory.resolve("taken/pom.xml")));
  }

  /// Ours from a repository of the test's own, the rest from the local one of this machine, as if that were remote.
  private Path settings() throws Exception {
    Path ours = directory.resolve("ours");
    publish(ours, "couv-parent", "pom.xml", null);
    publish(ours, "couv", "core/pom.xml", "core");
    publish(ours, "couv-http", "http/pom.xml", "http");
    publish(ours, "couv-libuv", "libuv/pom.xml", "libuv");
    publish(ours, "couv-testing", "testing/pom.xml", "testing");
    return Files.writeString(
        directory.resolve("settings.xml"),
        """
        <settings>
          <mirrors>
            <mirror><id>machine</id><mirrorOf>central</mirrorOf><url>%s</url></mirror>
          </mirrors>
          <profiles>
            <profile>
              <id>ours</id>
              <repositories>
                <repository><id>ours</id><url>%s</url></repository>
              </repositories>
            </profile>
          </profiles>
          <activeProfiles><activeProfile>ours</activeProfile></activeProfiles>
        </settings>
        """
            .formatted(
                Path.of(System.getProperty("couv.test.local-repository")).toUri(), ours.toUri()));
  }

  private static void publish(Path repository, String name, String pom, String module)
      throws Exception {
    Path place = Files.createDirectories(repository.resolve("dev/couv/" + name + "/" + VERSION));
    Files.copy(Cli.BASE.resolve(pom), place.resolve(name + "-" + VERSION + ".pom"));
    if (module != null) {
      String jar = name + "-" + VERSION + ".jar";
      Files.copy(Cli.BASE.resolve(module + "/target/" + jar), place.resolve(jar));
    }
  }
}
