HttpServer server;
Map<String, String> users = Map.of("7", "Ada");

Response store(String path, HttpBody body) throws Exception {
  return Response.text(path + " " + body.text(100));
}

void run2() throws Exception {
  try (var opened = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
      var client = WebClient.open()) {
    server = opened;
    block2();
    Coroutine.spawn(server::serve);
    String uri = "http://127.0.0.1:" + server.local().getPort();
    try (var answer = client.get(uri + "/users/7")) {
      assertEquals("Ada", answer.text(100));
    }
    try (var answer = client.send(ClientRequest.of("PUT", uri + "/files/a/b").withText("c"))) {
      assertEquals("a/b c", answer.text(100));
    }
  }
}

void run3() throws Exception {
  try (var opened = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
      var stream = Tcp.connect(opened.local())) {
    server = opened;
    block3();
    var serving = Coroutine.spawn(server::serve);
    stream.write("GET /ticks HTTP/1.0\r\n\r\n");
    for (String line : stream.lines()) {
      if (line.equals("data: tick 0")) {
        break;
      }
    }
    serving.cancel();
  }
}
