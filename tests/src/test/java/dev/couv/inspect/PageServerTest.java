// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Who gets what from the page of an inspector, in the words of HTTP: what a browser would never send, too.
class PageServerTest {
  private final List<String> asked = new ArrayList<>();
  private PageServer server;
  private URI address;
  private String secret;
  private String host;

  @BeforeEach
  void open() throws IOException {
    server = PageServer.open(new Recording(asked), "a <title>", 0);
    address = server.address();
    secret = address.getPath().substring(1, 33);
    host = address.getAuthority();
  }

  @AfterEach
  void close() {
    server.close();
  }

  /// A link that answers everything.
  private record Recording(List<String> asked) implements Link {
    @Override
    public String ask(String question) throws IOException {
      if (question.startsWith("stack")) {
        throw new IOException("it has ended");
      }
      asked.add(question);
      return "{}";
    }

    @Override
    public void close() {}
  }

  private String send(String request, String... headers) throws IOException {
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      String all = request + " HTTP/1.1\r\nConnection: close\r\n";
      for (String header : headers) {
        all += header + "\r\n";
      }
      socket.getOutputStream().write((all + "\r\n").getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private String get(String path) throws IOException {
    return send("GET " + path, "Host: " + host);
  }

  @Test
  void whoKnowsTheAddressGetsThePage() throws IOException {
    assertThat(address.getHost()).isEqualTo("127.0.0.1");
    assertThat(get("/" + secret + "/"))
        .startsWith("HTTP/1.1 200")
        .contains("<title>Couv</title>")
        .containsIgnoringCase("Referrer-policy: no-referrer")
        .contains("default-src 'none'; script-src 'self'")
        .containsIgnoringCase("Cache-control: no-store")
        .doesNotContain("Access-Control");
    assertThat(get("/" + secret + "/look?limit=5&after=7")).endsWith("{}");
    assertThat(get("/" + secret + "/look?limit=-5&after=x;cancel")).endsWith("{}");
    assertThat(asked).containsExactly("look 5 7", "look 20000 0");
    for (String file : List.of("page.js", "page.css", "chart.js")) {
      assertThat(get("/" + secret + "/" + file)).startsWith("HTTP/1.1 200");
    }
    assertThat(get("/" + secret + "/../../etc/passwd")).startsWith("HTTP/1.1 404");
    assertThat(get("/" + secret + "/trace.html")).startsWith("HTTP/1.1 404");
  }

  @Test
  void aWrongSecretGetsNothing() throws IOException {
    String other = secret.startsWith("0") ? "1" : "0";
    for (String path :
        List.of(
            "/",
            "/look",
            "/" + secret,
            "/" + secret.substring(1) + "/look",
            "/" + other + secret.substring(1) + "/look",
            "/" + secret.toUpperCase(java.util.Locale.ROOT) + "x/look",
            "/favicon.ico")) {
      assertThat(get(path)).as(path).startsWith("HTTP/1.1 403").doesNotContain(secret);
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void anotherHostNameIsRefused() throws IOException {
    for (String name :
        List.of("evil.example", "evil.example:80", "127.0.0.1", host + ".evil", "")) {
      assertThat(send("GET /" + secret + "/look", "Host: " + name))
          .as(name)
          .startsWith("HTTP/1.1 403");
    }
    assertThat(send("GET /" + secret + "/look")).doesNotStartWith("HTTP/1.1 200");
    assertThat(send("GET /" + secret + "/look", "Host: localhost:" + address.getPort()))
        .startsWith("HTTP/1.1 200");
    assertThat(asked).hasSize(1);
  }

  @Test
  void whatChangesSomethingNeedsTheSecretTwice() throws IOException {
    String cancel = "POST /" + secret + "/cancel/coroutine?id=7";
    String right = PageServer.HEADER + ": " + secret;

    assertThat(send(cancel, "Host: " + host)).startsWith("HTTP/1.1 403");
    assertThat(send(cancel, "Host: " + host, PageServer.HEADER + ": x")).startsWith("HTTP/1.1 403");
    assertThat(send(cancel, "Host: " + host, right, "Origin: http://evil.example"))
        .startsWith("HTTP/1.1 403");
    assertThat(send(cancel, "Host: " + host, right, "Origin: null")).startsWith("HTTP/1.1 403");
    assertThat(send("POST /x/cancel/coroutine?id=7", "Host: " + host, right))
        .startsWith("HTTP/1.1 403");
    assertThat(get("/" + secret + "/cancel/coroutine?id=7")).startsWith("HTTP/1.1 404");
    assertThat(send("OPTIONS /" + secret + "/cancel/coroutine?id=7", "Host: " + host, right))
        .startsWith("HTTP/1.1 405");
    assertThat(asked).isEmpty();

    assertThat(send(cancel, "Host: " + host, right, "Origin: http://" + host))
        .startsWith("HTTP/1.1 200");
    assertThat(asked).containsExactly("cancel coroutine 7");
  }

  @Test
  void aProgramThatIsGoneIsToldOf() throws IOException {
    assertThat(get("/" + secret + "/stack?id=1"))
        .startsWith("HTTP/1.1 410")
        .contains("it has ended");
  }
}
