// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.Program;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Examples under the load of `wrk`, which counts errors of its sockets and answers that are none of success. How many requests there are is no matter.
@Tag("jvm")
@Tag("servers")
class WrkTest {
  private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");

  @ParameterizedTest
  @ValueSource(ints = {1, 50})
  void aPageIsServed(int connections) throws Exception {
    try (var chat = new Cli().withHttp().start("run", "examples/webchat.java")) {
      load(chat.line().split(",")[0], connections);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50})
  void aPageIsPassedOn(int connections) throws Exception {
    try (var chat = new Cli().withHttp().start("run", "examples/webchat.java")) {
      String upstream = chat.line().split("/,")[0];
      try (var proxy = new Cli().withHttp().start("run", "examples/proxy.java", "0", upstream)) {
        String url = "http://127.0.0.1:" + proxy.port() + "/";
        load(url, connections);
        ask(url); // though nobody reads the access log, which is more than a pipe holds
      }
    }
  }

  /// For a second, or for longer where that is too short to be answered at all. No answer may take longer than a minute.
  private static void load(String url, int connections) throws Exception {
    ask(url); // the first answers are slow
    long requests = 0;
    for (int seconds = 1; requests == 0 && seconds < 60; seconds *= 2) {
      String said =
          run("wrk", "-t1", "-c" + connections, "-d" + seconds + "s", "--timeout", "60s", url);
      assertFalse(said.contains("Socket errors"), said);
      assertFalse(said.contains("Non-2xx"), said);
      Matcher found = REQUESTS.matcher(said);
      assertTrue(found.find(), said);
      requests = Long.parseLong(found.group(1));
    }
    assertTrue(requests > 0, "no request was answered");
  }

  private static void ask(String url) throws Exception {
    run("curl", "-sS", "--fail", "--noproxy", "*", "--max-time", "120", "-o", "/dev/null", url);
  }

  private static String run(String... command) throws Exception {
    try (Program program = Program.start(command)) {
      String said = program.end();
      assertTrue(said.startsWith("0\n"), said);
      return said;
    }
  }
}
