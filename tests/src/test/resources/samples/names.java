// Datagrams and names.
// prints:
// 127.0.0.1 says ping
// localhost resolves to loopback: true
// port 80 is http
import module dev.couv;

void main() throws Exception {
  try (var server = Udp.bind(new InetSocketAddress("127.0.0.1", 0));
      var client = Udp.bind(new InetSocketAddress("127.0.0.1", 0))) {
    client.send(ByteBuffer.wrap("ping".getBytes()), server.local());
    var buffer = ByteBuffer.allocate(1500);
    var datagram = server.receive(buffer);
    IO.println(
        datagram.from().getAddress().getHostAddress()
            + " says "
            + StandardCharsets.UTF_8.decode(buffer.flip()));
  }
  var found = Names.resolve("localhost", "80");
  IO.println(
      "localhost resolves to loopback: "
          + found.stream().allMatch(a -> a.getAddress().isLoopbackAddress()));
  IO.println("port 80 is " + Names.service(80));
}
