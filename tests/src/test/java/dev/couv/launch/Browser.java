// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.http.ClientOptions;
import dev.couv.http.ClientRequest;
import dev.couv.http.WebClient;
import dev.couv.http.WebSocket;
import dev.couv.http.WebSocketMessage;
import dev.couv.http.WebSocketOptions;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Chromium without a window, asked over its DevTools protocol. In a coroutine.
final class Browser implements AutoCloseable {
  private static final Pattern PAGE = Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+)\"");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /// A picture of a page is one message.
  private static final WebSocketOptions OPTIONS =
      WebSocketOptions.DEFAULT.withMessage(64 << 20).withFrame(64 << 20).withConnectTime(PATIENCE);

  private final Chromium chromium;
  private final WebClient client;

  Browser(Path directory) throws Exception {
    chromium = Chromium.start(directory);
    client = WebClient.open(ClientOptions.DEFAULT.withHeadTime(PATIENCE));
  }

  Page open(String url) throws IOException {
    String request = "http://" + chromium.devTools().getAuthority() + "/json/new?" + url;
    try (var answer = client.send(ClientRequest.of("PUT", request))) {
      String text = answer.text(1 << 16);
      Matcher page = PAGE.matcher(text);
      assertTrue(page.find(), text);
      Page opened = new Page(chromium, WebSocket.connect(URI.create(page.group(1)), OPTIONS));
      opened.ask("Emulation.setFocusEmulationEnabled", "\"enabled\":true");
      return opened;
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    try (chromium;
        var devTools = WebSocket.connect(chromium.devTools(), OPTIONS)) {
      devTools.send("{\"id\":1,\"method\":\"Browser.close\"}");
      devTools.flush();
    }
  }

  /// A page, as its user sees it.
  static final class Page implements AutoCloseable {
    private static final Pattern DATA = Pattern.compile("\"data\":\"([^\"]+)\"");

    private final Chromium chromium;
    private final WebSocket devTools;
    private int asked;

    private Page(Chromium chromium, WebSocket devTools) {
      this.chromium = chromium;
      this.devTools = devTools;
    }

    /// Goes into the only field, types, and then the Enter key. Keys are lost while a page is not in front.
    void type(String text) throws Exception {
      ask("Page.bringToFront", "");
      awaitTrue("document.querySelector('#text') != null");
      run("document.querySelector('#text').focus()");
      awaitTrue("document.hasFocus() && document.activeElement == document.querySelector('#text')");
      ask("Input.insertText", "\"text\":" + quoted(text));
      awaitTrue("document.querySelector('#text').value == " + quoted(text));
      String key = "\"key\":\"Enter\",\"code\":\"Enter\",\"windowsVirtualKeyCode\":13";
      ask("Input.dispatchKeyEvent", "\"type\":\"keyDown\",\"text\":\"\\r\"," + key);
      ask("Input.dispatchKeyEvent", "\"type\":\"keyUp\"," + key);
    }

    /// Until it shows that line.
    void awaitLine(String line) throws Exception {
      awaitTrue(
          "[...document.querySelectorAll('#lines p')].some(p => p.innerText == %s)"
              .formatted(quoted(line)));
    }

    /// Asks again and again: a page that is still being loaded is another one in the next moment.
    void awaitTrue(String condition) throws Exception {
      String question = "\"expression\":" + quoted(condition);
      String[] last = {""};
      try {
        Time.timeout(
            PATIENCE,
            () -> {
              while (!last[0].contains("\"value\":true")) {
                Time.sleep(Duration.ofMillis(20));
                last[0] = ask("Runtime.evaluate", question);
              }
            });
      } catch (TimeoutException never) {
        throw new AssertionError(
            "it never held: "
                + condition
                + ", the last answer was "
                + last[0]
                + "; "
                + chromium.said(),
            never);
      }
    }

    /// Shows another address.
    void go(String url) throws IOException {
      ask("Page.navigate", "\"url\":" + quoted(url));
    }

    /// Does something in the page.
    void run(String script) throws IOException {
      String answer = ask("Runtime.evaluate", "\"expression\":" + quoted(script));
      assertTrue(!answer.contains("exceptionDetails"), answer);
    }

    /// In a window of that size, in light or dark colours.
    void show(int width, int height, boolean dark) throws IOException {
      ask(
          "Emulation.setDeviceMetricsOverride",
          "\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":%s"
              .formatted(width, height, width < 600));
      ask(
          "Emulation.setEmulatedMedia",
          "\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]"
              .formatted(dark ? "dark" : "light"));
    }

    /// A picture of it, as a PNG.
    void picture(Path file) throws IOException {
      Matcher data = DATA.matcher(ask("Page.captureScreenshot", "\"format\":\"png\""));
      assertTrue(data.find());
      Files.write(file, Base64.getDecoder().decode(data.group(1)));
    }

    private String ask(String method, String parameters) throws IOException {
      int id = ++asked;
      devTools.send(
          "{\"id\":%d,\"method\":\"%s\",\"params\":{%s}}".formatted(id, method, parameters));
      while (true) {
        WebSocketMessage message = devTools.receive();
        if (message == null) {
          throw new IOException("the page is gone before " + method + "; " + chromium.said());
        }
        String answer = message.text();
        if (answer.startsWith("{\"id\":" + id + ",")) {
          return answer;
        }
      }
    }

    static String quoted(String text) {
      return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    @Override
    public void close() throws IOException {
      devTools.send("{\"id\":0,\"method\":\"Page.close\"}");
      devTools.close();
    }
  }
}
