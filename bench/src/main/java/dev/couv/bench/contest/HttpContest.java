// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import dev.couv.bench.http.CouvHttp;
import dev.couv.bench.http.HelidonHttp;
import dev.couv.bench.http.JettyHttp;
import dev.couv.bench.http.NettyHttp;
import dev.couv.bench.http.VertxHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// HTTP servers side by side, under the load of `wrk`. Started by `bench/http`, which also says what the options are.
final class HttpContest {
  private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
  private static final Pattern WRONG =
      Pattern.compile("Non-2xx or 3xx responses: \\d+|Socket errors: .*read [1-9].*");

  private static final String FILE = "file";

  private static final String LARGE = "/files/large.bin";

  private static final int WARM_UP_REQUESTS = 300_000;
  private static final int WARM_UP_FILES = 30_000;

  private final ContestOptions options;
  private final Path files;

  private HttpContest(ContestOptions options) throws IOException {
    this.options = options;
    this.files = Files.createDirectories(options.place().resolve("files"));
    Files.write(files.resolve("large.bin"), new byte[1 << 20]);
  }

  static void main(String[] args) throws Exception {
    Comparison.start(
        "small,file", 5, "--seconds", 2, args, options -> new HttpContest(options).run());
  }

  private void run() throws IOException, InterruptedException {
    Contest contest = new Contest(options);
    for (String name : options.cases()) {
      switch (name) {
        case "small" -> small(contest);
        case FILE -> file(contest);
        default -> throw new IllegalArgumentException("no such case: " + name);
      }
    }
  }

  private void small(Contest contest) throws IOException, InterruptedException {
    Result result = contest.open("small", "HTTP, a small text, by connections", "request");
    for (String size : options.sizesOr("10", "50", "1000")) {
      int connections = Integer.parseInt(size);
      Load load = Load.counted(server -> load(server, connections, "/"));
      contest.warm(
          result,
          size,
          servers(),
          Transport.TCP,
          server -> warmUp(server, WARM_UP_REQUESTS, connections, "/"),
          load);
    }
    contest.close(result);
  }

  private void file(Contest contest) throws IOException, InterruptedException {
    Result result = contest.open(FILE, "HTTP, a file of 1 MiB, by connections", "file");
    for (String size : options.sizesOr("50")) {
      int connections = Integer.parseInt(size);
      contest.warm(
          result,
          size,
          fileServers(),
          Transport.TCP,
          server -> warmUp(server, WARM_UP_FILES, connections, LARGE),
          Load.counted(server -> load(server, connections, LARGE)));
    }
    contest.close(result);
  }

  /// Counted in requests, because what a JIT compiler waits for is calls, not seconds. And in several goes with new
  /// connections each: what was entered before it was compiled stays interpreted.
  private Sample warmUp(RunningServer server, int requests, int connections, String path)
      throws IOException, InterruptedException {
    double done = 0;
    long deadline = System.nanoTime() + Contest.WARM_UP_NANOS;
    while (done < requests && System.nanoTime() < deadline) {
      done += load(server, connections, path);
    }
    return Sample.counted(done, 0, 0);
  }

  // ---- the servers

  private List<Contender> servers() {
    String go = options.place().resolve("bin/http_go").toString();
    String script = options.root().resolve("bench/peers/http.js").toString();
    return List.of(
        Contender.ofJava(
            "netty", "Netty " + Contender.version("netty-transport"), NettyHttp.class, "epoll"),
        Contender.ofJava("netty-nio", "the same, on the JDK's selector", NettyHttp.class, "nio"),
        couv(),
        Contender.ofJava("vertx", "Vert.x " + Contender.version("vertx-core"), VertxHttp.class),
        Contender.ofJava(
            "helidon", "Helidon " + Contender.version("helidon-webserver"), HelidonHttp.class),
        Contender.ofJava(
            "jetty",
            "Jetty " + Contender.version("jetty-server") + " on virtual threads",
            JettyHttp.class),
        Contender.ofProgram(
            "node", "nodejs", List.of("node", "--version"), port -> List.of("node", script, port)),
        Contender.ofProgram(
            "go", "golang-go", List.of("go", "version"), port -> List.of(go, port)));
  }

  private List<Contender> fileServers() {
    return List.of(
        Contender.ofProgram("nginx", "nginx-light", List.of("nginx", "-v"), this::nginx), couv());
  }

  private Contender couv() {
    return Contender.ofJava("couv", "Couv on " + Contender.jdk(), CouvHttp.class, files.toString());
  }

  /// Its configuration is written anew, with the port.
  private List<String> nginx(String port) {
    Path written = options.place().resolve("nginx.conf");
    try {
      String text = Files.readString(options.root().resolve("bench/peers/nginx.conf"));
      String place = options.place().toString();
      Files.createDirectories(files);
      Files.writeString(written, text.replace("PORT", port).replace("DIRECTORY", place));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return List.of(String.valueOf(Contender.find("nginx")), "-c", written.toString());
  }

  // ---- the load

  private double load(RunningServer server, int connections, String path)
      throws IOException, InterruptedException {
    String said =
        Load.output(
            options.loadCore(),
            List.of(
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + options.amount() + "s",
                "--timeout=10s",
                "http://127.0.0.1:" + server.address() + path));
    Matcher requests = REQUESTS.matcher(said);
    Matcher wrong = WRONG.matcher(said);
    if (!requests.find() || wrong.find()) {
      throw new IOException(server.contender().label() + " was not served well: " + said);
    }
    return Double.parseDouble(requests.group(1));
  }
}
