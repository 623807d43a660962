// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// HTTP servers side by side, under the load of `wrk`. Started by `bench/http`, which also says what the options are.
final class HttpContest {
  private static final String PACKAGE = "dev.couv.bench.http.";
  private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
  private static final Pattern WRONG =
      Pattern.compile("Non-2xx or 3xx responses: \\d+|Socket errors: .*read [1-9].*");

  /// A case of this name is the file; all others are numbers of connections.
  private static final String FILE = "file";

  private static final int FILE_CONNECTIONS = 50;

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
    ContestOptions options;
    try {
      options = ContestOptions.parse("50,1000,file", "--seconds", 2, args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "; bench/http --help lists the options");
      System.exit(2);
      return;
    }
    new HttpContest(options).run();
  }

  private void run() throws IOException, InterruptedException {
    Contest contest = new Contest(options);
    ContestReport report = new ContestReport(options);
    for (String name : options.cases()) {
      if (name.equals(FILE)) {
        List<Standing> standings =
            contest.run(name, options.choose(fileServers()), WARM_UP_FILES, this::loadFile);
        report.add(ContestReport.Kind.MEBIBYTES, "1 MiB", standings);
      } else {
        int connections = Integer.parseInt(name);
        List<Standing> standings =
            contest.run(
                name,
                options.choose(servers()),
                WARM_UP_REQUESTS,
                server -> load(server, connections, "/"));
        report.add(ContestReport.Kind.REQUESTS, "%,d".formatted(connections), standings);
      }
    }
    report.print(System.out);
    System.out.println(
        "- %d s each by wrk, one thread, after %,d requests, or %,d files; servers on a JVM with %s"
            .formatted(options.amount(), WARM_UP_REQUESTS, WARM_UP_FILES, Contender.jvmFlags()));
  }

  // ---- the servers

  private List<Contender> servers() {
    String go = options.place().resolve("bin/http_go").toString();
    String script = options.root().resolve("bench/peers/http.js").toString();
    return List.of(
        Contender.ofJava(
            "netty", "Netty " + version("netty-transport"), PACKAGE + "NettyHttp", "epoll"),
        Contender.ofJava(
            "netty-nio", "the same, on the JDK's selector", PACKAGE + "NettyHttp", "nio"),
        couv(),
        Contender.ofJava("vertx", "Vert.x " + version("vertx-core"), PACKAGE + "VertxHttp"),
        Contender.ofJava(
            "helidon", "Helidon " + version("helidon-webserver"), PACKAGE + "HelidonHttp"),
        Contender.ofJava(
            "jetty",
            "Jetty " + version("jetty-server") + " on virtual threads",
            PACKAGE + "JettyHttp"),
        Contender.ofProgram(
            "node",
            "nodejs",
            List.of("node", "--version"),
            port -> List.of("node", script, String.valueOf(port))),
        Contender.ofProgram(
            "go",
            "golang-go",
            List.of("go", "version"),
            port -> List.of(go, String.valueOf(port))));
  }

  private List<Contender> fileServers() {
    return List.of(
        Contender.ofProgram("nginx", "nginx-light", List.of("nginx", "-v"), this::nginx), couv());
  }

  private Contender couv() {
    return Contender.ofJava(
        "couv", "Couv on JDK " + Runtime.version(), PACKAGE + "CouvHttp", files.toString());
  }

  /// Its configuration is written anew, with the port.
  private List<String> nginx(int port) {
    Path written = options.place().resolve("nginx.conf");
    try {
      String text = Files.readString(options.root().resolve("bench/peers/nginx.conf"));
      String place = options.place().toString();
      Files.createDirectories(files);
      Files.writeString(
          written, text.replace("PORT", String.valueOf(port)).replace("DIRECTORY", place));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return List.of(String.valueOf(Contender.find("nginx")), "-c", written.toString());
  }

  /// Of a jar on the class path, by its name.
  private static String version(String artifact) {
    Matcher jar =
        Pattern.compile("/" + artifact + "-(\\d[^/:]*?)\\.jar")
            .matcher(System.getProperty("java.class.path"));
    return jar.find() ? jar.group(1) : "?";
  }

  // ---- the load

  private double loadFile(RunningServer server) throws IOException, InterruptedException {
    return load(server, FILE_CONNECTIONS, "/files/large.bin");
  }

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
                "http://127.0.0.1:" + server.port() + path));
    Matcher requests = REQUESTS.matcher(said);
    Matcher wrong = WRONG.matcher(said);
    if (!requests.find() || wrong.find()) {
      throw new IOException(server.contender().label() + " was not served well: " + said);
    }
    return Double.parseDouble(requests.group(1));
  }
}
