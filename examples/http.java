// SPDX-License-Identifier: Apache-2.0
// Serves the files of a directory, by HTTP/1.1 with keep-alive; with a certificate and its key by
// HTTPS:
// ./couv run examples/http.java [directory [port [chain.pem key.pem]]]
import module dev.couv;

final Map<String, String> types =
    Map.of(
        "html",
        "text/html; charset=utf-8",
        "txt",
        "text/plain; charset=utf-8",
        "css",
        "text/css",
        "js",
        "text/javascript",
        "json",
        "application/json",
        "png",
        "image/png");

/// After these nothing more is read: a body is not, so what follows it is not found.
final Predicate<String> last =
    Pattern.compile("(?i)connection:.*close.*|content-length:.*[1-9].*|transfer-encoding:.*")
        .asMatchPredicate();

void main(String[] args) throws Exception {
  var root = Fs.realPath(Path.of(args.length > 0 ? args[0] : "."));
  var port = args.length > 1 ? Integer.parseInt(args[1]) : 0;
  var tls =
      args.length > 3
          ? TlsContext.create().identity(Path.of(args[2]), Path.of(args[3])).build()
          : null;
  try (var listener = Tcp.listen(new InetSocketAddress("127.0.0.1", port))) {
    IO.println(
        (tls == null ? "http" : "https")
            + "://localhost:"
            + listener.local().getPort()
            + "/ serves "
            + root);
    while (true) {
      var peer = listener.accept();
      Coroutine.spawn(() -> serve(peer, tls, root));
    }
  }
}

/// One connection. Its failure is its own: the server goes on.
void serve(TcpStream peer, SSLContext tls, Path root) {
  try (peer;
      ByteStream stream = tls == null ? peer : Tls.server(peer, tls)) {
    for (var lines = stream.lines().limit(8192); answer(stream, lines, root); ) {}
  } catch (Exception e) {
    IO.println("lost a connection: " + e.getMessage());
  }
}

/// One request. Whether there may be another.
boolean answer(ByteStream to, Lines lines, Path root) throws Exception {
  var request =
      Time.timeout(
          Duration.ofSeconds(30),
          () -> {
            var head = new ArrayList<String>();
            for (String line;
                (line = lines.next()) != null && !line.isEmpty() && head.size() < 100; )
              head.add(line);
            return head;
          });
  if (request.isEmpty()) return false;
  var words = request.getFirst().split(" ");
  boolean keep = request.getFirst().endsWith(" HTTP/1.1") && request.stream().noneMatch(last);
  boolean body = !words[0].equals("HEAD");
  var found = find(words, root);
  try (var file = found.file()) {
    if (file == null) {
      var text = body ? found.refusal() + "\n" : "";
      to.write(
          head(found.refusal(), "text/plain", text.length(), keep),
          ByteBuffer.wrap(text.getBytes()));
      return keep;
    }
    var type =
        types.getOrDefault(
            file.path().toString().replaceFirst(".*\\.", ""), "application/octet-stream");
    to.write(head("200 OK", type, file.size(), keep));
    return (!body || file.sendTo(to, 0, file.size()) == file.size()) && keep;
  }
}

record Found(OpenFile file, String refusal) {}

/// The file that is asked for. By its real path, so that neither ".." nor a link leads out of the directory.
Found find(String[] words, Path root) {
  try {
    if (words.length != 3 || !words[2].startsWith("HTTP/1."))
      return new Found(null, "400 Bad Request");
    if (!Set.of("GET", "HEAD").contains(words[0])) return new Found(null, "405 Method Not Allowed");
    var path = Fs.realPath(root.resolve("." + URI.create(words[1]).getPath()));
    var file = Fs.info(path).isDirectory() ? Fs.realPath(path.resolve("index.html")) : path;
    return file.startsWith(root)
        ? new Found(Fs.open(file), null)
        : new Found(null, "403 Forbidden");
  } catch (IllegalArgumentException e) {
    return new Found(null, "400 Bad Request");
  } catch (IOException e) {
    return new Found(null, e instanceof AccessDeniedException ? "403 Forbidden" : "404 Not Found");
  }
}

ByteBuffer head(String status, String type, long length, boolean keep) {
  return ByteBuffer.wrap(
      ("HTTP/1.1 "
              + status
              + "\r\nContent-Type: "
              + type
              + "\r\nContent-Length: "
              + length
              + "\r\nConnection: "
              + (keep ? "keep-alive" : "close")
              + "\r\n\r\n")
          .getBytes());
}
