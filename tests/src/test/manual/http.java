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

static final ScopedValue<String> USER = ScopedValue.newInstance();

void run4() throws Exception {
  with(
      () -> {
        block4();
        server.route("GET", "/", _ -> Response.text(USER.get()));
      },
      (client, uri) -> {
        try (var answer = client.get(uri + "/nobody")) {
          assertEquals(401, answer.status());
        }
        try (var answer = client.send(ClientRequest.of("GET", uri).withHeader("Cookie", "session=7"))) {
          assertEquals("Ada", answer.text(100));
        }
      });
}

void run5() throws Exception {
  with(
      this::block5,
      (client, uri) -> {
        try (var answer = client.get(uri + "/nobody")) {
          assertTrue(answer.header("server-timing").startsWith("app;dur="));
        }
      });
}

void run6() throws Exception {
  with(
      this::block6,
      (client, uri) -> {
        var asked =
            ClientRequest.of("OPTIONS", uri)
                .withHeader("Origin", "https://app.example")
                .withHeader("Access-Control-Request-Method", "PUT");
        try (var answer = client.send(asked)) {
          assertEquals(204, answer.status());
          assertEquals("https://app.example", answer.header("access-control-allow-origin"));
        }
      });
}

void run7() throws Exception {
  with(
      this::block7,
      (client, uri) -> {
        try (var answer = client.send(ClientRequest.of("GET", uri + "theme").withHeader("Cookie", "theme=dark"))) {
          assertEquals("theme dark", answer.text(100));
        }
      });
}

void run8() throws Exception {
  with(
      this::block8,
      (client, uri) -> {
        var form =
            ClientRequest.of("POST", uri + "users")
                .withBytes("application/x-www-form-urlencoded", "name=Ada&likes=a&likes=b".getBytes(UTF_8));
        try (var answer = client.send(form)) {
          assertEquals("Ada likes a and b", answer.text(100));
        }
      });
}

interface Routing {
  void run() throws Exception;
}

interface Asking {
  void run(WebClient client, String uri) throws Exception;
}

void with(Routing routing, Asking asking) throws Exception {
  try (var opened = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
      var client = WebClient.open()) {
    server = opened;
    routing.run();
    Coroutine.spawn(server::serve);
    asking.run(client, "http://127.0.0.1:" + server.local().getPort() + "/");
  }
}
