// SPDX-License-Identifier: Apache-2.0
// Serves the files of a directory by HTTP/1.1 with keep-alive; with a certificate, by HTTPS:
// ./couv run examples/http.java [directory [port [chain.pem key.pem]]]
import module dev.couv;

/// After these nothing more is read: a body is not, so what follows it is not found.
final Pattern last =
    Pattern.compile("(?i)connection:.*close.*|content-length:.*[1-9].*|transfer-encoding:.*");

void main(String[] args) throws Exception {
  var root = Fs.realPath(Path.of(args.length > 0 ? args[0] : "."));
  var port = args.length > 1 ? Integer.parseInt(args[1]) : 0;
  var pem = Stream.of(args).skip(2).map(Path::of).toList();
  var tls = pem.isEmpty() ? null : TlsContext.create().identity(pem.get(0), pem.get(1)).build();
  try (var listener = Tcp.listen(new InetSocketAddress("127.0.0.1", port))) {
    var url = (tls == null ? "http" : "https") + "://localhost:" + listener.local().getPort();
    IO.println(url + "/ serves " + root);
    var options =
        ServeOptions.DEFAULT.withOnFailure(
            (peer, e) -> IO.println("lost a connection: " + peer + ": " + e.getMessage()));
    if (tls == null) {
      listener.serve(peer -> serve(peer, root), options);
    } else {
      Tls.listen(listener, tls, TlsOptions.DEFAULT).serve(peer -> serve(peer, root), options);
    }
  }
}

/// One connection, and as many requests as come.
void serve(ByteStream peer, Path root) throws Exception {
  for (var lines = peer.lines().limit(8192); answer(peer, lines, root); ) {}
}

/// One request. Whether there may be another.
boolean answer(ByteStream to, Lines lines, Path root) throws Exception {
  var request = new ArrayList<String>();
  Time.timeout(
      Duration.ofSeconds(30),
      () -> {
        for (String line; (line = lines.next()) != null && !line.isEmpty(); ) request.add(line);
        return null;
      });
  if (request.isEmpty()) return false;
  var words = request.getFirst().split(" ");
  var keep =
      request.getFirst().endsWith(" HTTP/1.1")
          && request.stream().noneMatch(last.asMatchPredicate());
  var body = !words[0].equals("HEAD");
  var found = find(words, root);
  if (found instanceof String refusal) {
    var text = body ? refusal + "\n" : "";
    to.write(head(refusal, "text/plain", text.length(), keep), ByteBuffer.wrap(text.getBytes()));
    return keep;
  }
  try (var file = Fs.open((Path) found)) {
    var type = URLConnection.guessContentTypeFromName(file.path().toString());
    to.write(head("200 OK", type == null ? "application/octet-stream" : type, file.size(), keep));
    return (!body || file.sendTo(to, 0, file.size()) == file.size()) && keep;
  }
}

/// The path of the file that is asked for, or why not. By its real path: neither ".." nor a link leads out.
Object find(String[] words, Path root) {
  try {
    if (words.length != 3 || !words[2].startsWith("HTTP/1.")) return "400 Bad Request";
    if (!Set.of("GET", "HEAD").contains(words[0])) return "405 Method Not Allowed";
    var path = Fs.realPath(root.resolve("." + URI.create(words[1]).getPath()));
    var file = Fs.info(path).isDirectory() ? Fs.realPath(path.resolve("index.html")) : path;
    return file.startsWith(root) && Fs.access(file, AccessMode.READ) ? file : "403 Forbidden";
  } catch (IllegalArgumentException e) {
    return "400 Bad Request";
  } catch (IOException e) {
    return e instanceof AccessDeniedException ? "403 Forbidden" : "404 Not Found";
  }
}

ByteBuffer head(String status, String type, long length, boolean keep) {
  var head = "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: %s\r\n\r\n";
  return ByteBuffer.wrap(
      head.formatted(status, type, length, keep ? "keep-alive" : "close").getBytes());
}
