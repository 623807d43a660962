// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import dev.couv.net.Program;
import dev.couv.net.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The server for static files in `examples`, asked by curl.
@Tag("jvm")
class HttpExampleTest {
  @TempDir private Path directory;

  private final byte[] large = new byte[1_000_000];

  @BeforeEach
  void fillTheDirectory() throws Exception {
    new Random(3).nextBytes(large);
    Path root = Files.createDirectory(directory.resolve("root"));
    Files.writeString(directory.resolve("secret.txt"), "secret");
    Files.writeString(root.resolve("index.html"), "<p>hello</p>");
    Files.writeString(root.resolve("a b.txt"), "with a space");
    Files.write(root.resolve("large"), large);
    Files.createDirectory(root.resolve("empty"));
    Files.createSymbolicLink(root.resolve("out"), directory.resolve("secret.txt"));
  }

  @Test
  void curlGetsFilesAndStatusCodesOverOneConnection() throws Exception {
    try (var http =
        new Cli().start("run", "examples/http.java", directory.resolve("root").toString())) {
      String url = http.line().split(" ")[0];

      assertEquals(
          List.of(
              "200 text/html 12 1",
              "200 text/plain 12 0",
              "200 application/octet-stream 1000000 0",
              "404 text/plain 14 0",
              "404 text/plain 14 0",
              "404 text/plain 14 0",
              "403 text/plain 14 0",
              "403 text/plain 14 0",
              "403 text/plain 14 0",
              "400 text/plain 16 0"),
          statuses(
              url,
              "",
              "a%20b.txt",
              "large",
              "none",
              "large/none",
              "empty/",
              "out",
              "../secret.txt",
              "%2e%2e/secret.txt",
              "%00"));
      Path got = directory.resolve("got");
      curl("-o", got.toString(), url + "large");
      assertArrayEquals(large, Files.readAllBytes(got));
    }
  }

  @Test
  void headHasNoBodyAndOtherMethodsAreNotAllowed() throws Exception {
    try (var http =
        new Cli().start("run", "examples/http.java", directory.resolve("root").toString())) {
      String url = http.line().split(" ")[0];

      String head = curl("-i", "--head", url, "--next", "-sS", "--noproxy", "*", url);
      assertTrue(head.startsWith("0\nHTTP/1.1 200 OK\n"), head);
      assertTrue(head.contains("Content-Length: 12\n"), head);
      assertTrue(head.endsWith("\n\n<p>hello</p>\n"), head);
      assertTrue(curl("-i", "-X", "DELETE", url).startsWith("0\nHTTP/1.1 405 "));
      assertTrue(curl("-i", "-d", "a body", url).contains("Connection: close\n"));
      assertTrue(curl("-i", "-0", url).contains("Connection: close\n"));
      assertTrue(curl("-i", "-H", "Connection: close", url).contains("Connection: close\n"));
    }
  }

  @Test
  void withACertificateItIsHttps() throws Exception {
    try (var http =
        new Cli()
            .start(
                "run",
                "examples/http.java",
                directory.resolve("root").toString(),
                "0",
                TlsFiles.file("server.pem").toString(),
                TlsFiles.file("server.key").toString())) {
      String url = http.line().split(" ")[0];

      assertTrue(url.startsWith("https://"), url);
      assertEquals("0\n<p>hello</p>\n", curl("--cacert", TlsFiles.ca().toString(), url));
      Path got = directory.resolve("got");
      curl("--cacert", TlsFiles.ca().toString(), "-o", got.toString(), url + "large");
      assertArrayEquals(large, Files.readAllBytes(got));
      String plain = curl(url.replace("https:", "http:"));
      assertTrue(!plain.startsWith("0\n"), plain);
      assertTrue(http.line().startsWith("lost a connection: "));
      assertEquals("0\n<p>hello</p>\n", curl("--cacert", TlsFiles.ca().toString(), url));
    }
  }

  /// Status, type, length and new connections, of one after the other.
  private List<String> statuses(String url, String... paths) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--path-as-is",
                "-w",
                "%{http_code} %{content_type} %{size_download} %{num_connects}\n"));
    for (String path : paths) {
      arguments.addAll(List.of("-o", "/dev/null", url + path));
    }
    return curl(arguments.toArray(String[]::new)).lines().skip(1).toList();
  }

  private static String curl(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(Needed.program("curl"), "-sS", "--noproxy", "*", "--ipv4"));
    command.addAll(List.of("--max-time", "120", "--http1.1"));
    command.addAll(List.of(arguments));
    try (Program curl = Program.start(command.toArray(String[]::new))) {
      return curl.end();
    }
  }
}
