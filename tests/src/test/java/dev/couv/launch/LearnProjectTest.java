// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.Program;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The project that the tutorial builds: its files compile, its tests pass, its service answers and ends when told.
///
/// With Maven, and with times, `tools/transcript` does the same.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class LearnProjectTest {
  private static final List<String> FLAGS =
      List.of(
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "--add-opens",
          "java.base/java.lang=ALL-UNNAMED",
          "--enable-native-access=ALL-UNNAMED");

  /// Runs the tests of the project by JUnit, and says how many passed.
  private static final String RUNNER =
      """
      import org.junit.platform.engine.discovery.DiscoverySelectors;
      import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
      import org.junit.platform.launcher.core.LauncherFactory;
      import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

      void main() {
        var tests = LauncherDiscoveryRequestBuilder.request();
        tests.selectors(DiscoverySelectors.selectClass("store.StoreTest"));
        var summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(tests.build(), summary);
        summary.getSummary().getFailures().forEach(each -> IO.println(each.getException()));
        IO.println(summary.getSummary().getTestsSucceededCount() + " passed");
        System.exit(summary.getSummary().getTotalFailureCount() == 0 ? 0 : 1);
      }
      """;

  @TempDir private Path directory;

  private Map<String, String> files;

  @BeforeEach
  void compile() throws Exception {
    files = files();
    List<Path> sources = new ArrayList<>();
    sources.add(Files.writeString(directory.resolve("RunTests.java"), RUNNER));
    for (var file : files.entrySet()) {
      if (file.getKey().endsWith(".java")) {
        Path source = directory.resolve(file.getKey());
        Files.createDirectories(source.getParent());
        sources.add(Files.writeString(source, file.getValue()));
      }
    }
    ManualCompiler.compile(sources, directory);
  }

  @Test
  void itsTestsPass() throws Exception {
    try (Program tests = java("RunTests")) {
      String said = tests.end();
      assertTrue(said.startsWith("0\n") && said.contains("\n5 passed\n"), said);
    }
  }

  @Test
  void itsServiceAnswersAndEndsWhenTold() throws Exception {
    List<String> command = command("store.Main");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.DISCARD);
    builder.environment().put("PORT", "0");
    Process service = builder.start();
    try (var output = service.inputReader(UTF_8);
        HttpClient client = HttpClient.newHttpClient()) {
      String listening = output.readLine();
      assertTrue(listening.startsWith("listening at "), listening);
      String base = "http://127.0.0.1:" + listening.substring("listening at ".length());

      assertEquals(204, send(client, put(base + "/keys/colour", "blue")).statusCode());
      assertEquals("blue", send(client, get(base + "/keys/colour")).body());
      assertEquals(400, send(client, get(base + "/keys/colour?wait=soon")).statusCode());
      String numbers = send(client, get(base + "/metrics")).body();
      assertTrue(numbers.contains("store_keys 1.0"), numbers);
      assertTrue(numbers.contains("couv_loop_coroutines"), numbers);

      service.toHandle().destroy(); // Process.destroy would close what is read below
      assertEquals("ending by TERM", output.readLine());
      assertEquals("ended, with 1 keys", output.readLine());
      assertTrue(service.waitFor(240, TimeUnit.SECONDS));
      assertEquals(0, service.exitValue());
    } finally {
      service.destroyForcibly().waitFor();
    }
  }

  @Test
  void itsImageRunsTheJarThatMavenMakes() {
    String pom = files.get("pom.xml");
    String image = files.get("Dockerfile");
    assertTrue(pom.contains("<finalName>store</finalName>"), pom);
    assertTrue(pom.contains("<mainClass>store.Main</mainClass>"), pom);
    assertTrue(pom.contains("<Add-Opens>java.base/java.lang</Add-Opens>"), pom);
    assertTrue(image.contains("COPY target/store.jar /app/"), image);
    assertTrue(image.contains("\"-jar\", \"/app/store.jar\"]"), image);
  }

  /// By name, as the pages of the tutorial have them.
  private static Map<String, String> files() {
    Map<String, String> files = new TreeMap<>();
    for (Page page : Page.all()) {
      if (page.name().startsWith("learn/")) {
        page.blocks().stream()
            .filter(block -> block.fileName() != null)
            .forEach(block -> files.put(block.fileName(), block.text()));
      }
    }
    assertEquals(7, files.size(), () -> files.keySet().toString());
    return files;
  }

  private List<String> command(String main) {
    List<String> command = new ArrayList<>();
    command.add(Cli.JAVA_HOME.resolve("bin/java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-cp", directory + ":" + System.getProperty("java.class.path"), main));
    return command;
  }

  private Program java(String main) throws Exception {
    return Program.start(command(main).toArray(String[]::new));
  }

  private static HttpRequest get(String uri) {
    return HttpRequest.newBuilder(URI.create(uri)).build();
  }

  private static HttpRequest put(String uri, String text) {
    return HttpRequest.newBuilder(URI.create(uri)).PUT(BodyPublishers.ofString(text)).build();
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest request)
      throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }
}
