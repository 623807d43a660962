// SPDX-License-Identifier: Apache-2.0
// A reverse proxy: ./couv run examples/proxy.java [-t SECONDS] PORT UPSTREAM…
//
//   ./couv run examples/proxy.java 8080 http://127.0.0.1:9001 http://127.0.0.1:9002
//
// Requests go to the healthy upstreams in turn. Each is asked for /health every second, and is well
// if the answer is below 500. One that cannot be reached is left out until it is found well; one
// that fails a request, or is slow with it, is not: the fault may be the request's.
// A request that may be repeated is, elsewhere; after SECONDS without an answer it is given up.
// Bodies pass as they come, both ways.
// TERM or Ctrl-C: answers that are on their way have ten seconds to come to their end.
import module dev.couv;
import module dev.couv.http;
import module dev.couv.resilience;

/// They are about one connection, and there are two.
static final Set<String> HOP_BY_HOP =
    Set.of(
        "connection",
        "content-length",
        "expect",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade");

static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

/// A body of so many bytes is held, so that it can be sent twice.
static final int HELD = 1 << 16;

static final Retry RETRY = Retry.of().withAttempts(3).withBackoff(Backoff.none());

final List<Upstream> upstreams = new ArrayList<>();
int turn;

/// Lines for standard output. If nobody reads those, some are missing, and no request waits.
final Chan<String> told = Chan.create(10_000);

class Upstream {
  final String uri;
  boolean well = true;

  Upstream(String uri) {
    this.uri = uri;
  }

  void found(boolean newWell, String why) {
    if (well != newWell) told.trySend(uri + (newWell ? " is well: " : " is left out: ") + why);
    well = newWell;
  }
}

void main(String[] args) throws Exception {
  var usage = Pattern.compile("(?:-t (\\d{1,4}) )?(\\d{1,5})((?: https?://[^ /?#@]+)+)");
  var given = usage.matcher(String.join(" ", args));
  if (!given.matches()) {
    System.err.println("usage: proxy.java [-t SECONDS] PORT http://HOST[:PORT]…");
    System.exit(2);
  }
  int seconds = given.group(1) == null ? 30 : Integer.parseInt(given.group(1));
  for (var uri : given.group(3).strip().split(" ")) upstreams.add(new Upstream(uri));
  var asking =
      ClientOptions.DEFAULT
          .withConnections(1000, 10_000)
          .withConnectTime(Duration.ofSeconds(2))
          .withHeadTime(Duration.ofSeconds(seconds))
          .withRedirects(0)
          .withName("");
  var options =
      ServerOptions.DEFAULT
          .withLimits(HttpLimits.DEFAULT.withBody(Long.MAX_VALUE)) // the upstreams have their own
          .withAccessLog(AccessLog.to(told::trySend))
          .withOnFailure((request, failure) -> told.trySend(request + " is torn: " + failure));
  var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(given.group(2)));
  try (var telling = Scope.open();
      var server = HttpServer.open(address, options);
      var client = WebClient.open(asking);
      var checks = Scope.open()) {
    telling.spawn(
        () -> {
          for (var line : told) Terminal.stdout().write(line + "\n");
        });
    for (var upstream : upstreams) checks.spawn(() -> check(upstream));
    server.route("*", "/{path...}", request -> pass(request, client));
    told.trySend("listening at 127.0.0.1:" + server.local().getPort() + ", Ctrl-C ends it");
    checks.spawn(
        () -> {
          Signal.await(Signal.TERM, Signal.INT);
          told.trySend("ending");
          server.close();
        });
    server.serve();
    checks.cancel();
    told.close();
  }
}

void check(Upstream upstream) throws Exception {
  var second = Duration.ofSeconds(1);
  try (var client = WebClient.open(ClientOptions.DEFAULT.withWhole(second).withRedirects(0));
      var ticker = Ticker.every(second)) {
    while (true) {
      try (var answer = client.get(upstream.uri + "/health")) {
        upstream.found(answer.status() < 500, "/health is " + answer.status());
      } catch (IOException failed) {
        upstream.found(false, failed.getMessage());
      }
      ticker.next();
    }
  }
}

/// The answer of an upstream, or why there is none.
Response pass(Request request, WebClient client) throws Exception {
  long length = request.body().length();
  byte[] held = length >= 0 && length <= HELD ? request.body().bytes(HELD) : null;
  boolean repeatable = held != null && IDEMPOTENT.contains(request.method());
  var retry =
      RETRY.on(
          failure ->
              upstreams.stream().anyMatch(upstream -> upstream.well)
                  && (failure instanceof ConnectException // it has not got anything
                      || (repeatable && failure instanceof IOException && !isSlow(failure))));
  try {
    return retry.run(() -> attempt(request, held, client));
  } catch (IllegalArgumentException wrong) {
    throw new HttpFailure(400, wrong.getMessage() + "\n");
  } catch (SocketTimeoutException slow) {
    throw new HttpFailure(504, "no upstream answers in time\n");
  } catch (IOException failed) {
    throw new HttpFailure(502, "no upstream answers\n");
  }
}

/// Whoever asked has waited long enough.
boolean isSlow(Throwable failure) {
  return failure instanceof SocketTimeoutException;
}

Response attempt(Request request, byte[] held, WebClient client) throws Exception {
  var upstream = next();
  try {
    return answer(request, client.send(forward(request, held, upstream)));
  } catch (ConnectException failed) {
    upstream.found(false, failed.getMessage());
    throw failed;
  }
}

Upstream next() throws HttpFailure {
  for (int i = 0; i < upstreams.size(); i++) {
    var upstream = upstreams.get(Math.floorMod(turn++, upstreams.size()));
    if (upstream.well) return upstream;
  }
  throw new HttpFailure(
      Response.text("no upstream is well\n").withStatus(503).withHeader("Retry-After", "1"));
}

ClientRequest forward(Request request, byte[] held, Upstream upstream) {
  var there = ClientRequest.of(request.method(), upstream.uri + request.target());
  for (var header : endToEnd(request.headers())) {
    there = there.plusHeader(header.name(), header.value());
  }
  if (request.remote() instanceof InetSocketAddress client) {
    there = there.plusHeader("X-Forwarded-For", client.getAddress().getHostAddress());
  }
  if (held == null) return there.withStream("", out -> request.body().copyTo(out));
  return held.length == 0 ? there : there.withBytes("", held);
}

/// However this one ends, also if its client has left before it began, the one that it passes on does.
Response answer(Request request, ClientResponse there) throws IOException {
  try {
    var here = Response.of(there.status()).withHeaders(endToEnd(there.headers())).closing(there);
    if (there.body().length() == 0 && !request.method().equals("HEAD")) return here;
    return here.withContent(new Content.Streamed("", out -> there.body().copyTo(out)));
  } catch (IllegalArgumentException wrong) {
    there.close();
    throw new ProtocolException("nothing to pass on: " + wrong.getMessage());
  }
}

/// Also without those that "Connection" names.
Headers endToEnd(Headers headers) {
  var kept = Headers.builder();
  for (var header : headers) {
    if (!HOP_BY_HOP.contains(header.name().toLowerCase(Locale.ROOT))
        && !headers.contains("connection", header.name())) {
      kept.add(header.name(), header.value());
    }
  }
  return kept.build();
}
