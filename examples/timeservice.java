// SPDX-License-Identifier: Apache-2.0
// Tells the time by datagrams: whoever sends one gets the time back, in the zone it names.
//
//   ./couv run examples/timeservice.java [PORT]
//   echo Europe/Lisbon | nc -u -w1 127.0.0.1 PORT
//
// Ctrl-C ends it.
import module dev.couv;

void main(String[] arguments) throws Exception {
  int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0;
  try (var socket = Udp.bind(new InetSocketAddress("127.0.0.1", port))) {
    IO.println("listening at 127.0.0.1:" + socket.local().getPort() + ", ask for a zone");
    var buffer = ByteBuffer.allocate(512);
    while (true) {
      var question = socket.receive(buffer.clear());
      var zone = StandardCharsets.UTF_8.decode(buffer.flip()).toString().strip();
      try {
        socket.send(StandardCharsets.UTF_8.encode(answer(zone)), question.from());
        IO.println("told " + question.from().getAddress().getHostAddress());
      } catch (IOException e) {
        IO.println("could not tell " + question.from() + ": " + e.getMessage());
      }
    }
  }
}

String answer(String zone) {
  try {
    return ZonedDateTime.now(zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone)) + "\n";
  } catch (DateTimeException e) {
    return "no zone " + zone + "\n";
  }
}
