// SPDX-License-Identifier: Apache-2.0
// A chat server: ./couv run examples/chat.java [port], then join with "nc 127.0.0.1 port", twice.
import module dev.couv;

/// Everybody in the room, by name. One thread runs all of this, so it needs no lock.
final Map<String, Guest> room = new TreeMap<>();

/// What is said to a guest waits in its channel, so that a slow one keeps nobody waiting.
record Guest(TcpStream stream, Chan<String> unread) {}

void main(String[] args) throws Exception {
  var port = args.length > 0 ? Integer.parseInt(args[0]) : 0;
  try (var server = Tcp.listen(new InetSocketAddress("127.0.0.1", port))) {
    IO.println("listening at 127.0.0.1:" + server.local().getPort() + ", Ctrl-C ends it");
    for (var peer : server) {
      Coroutine.spawn(() -> welcome(peer));
    }
  }
}

void welcome(TcpStream peer) throws Exception {
  try (peer) {
    var lines = peer.lines().limit(1000);
    write(peer, "Your name?");
    var name = lines.next();
    if (name == null || name.isBlank() || room.containsKey(name)) {
      write(peer, "Not that one.");
      return;
    }
    var guest = new Guest(peer, Chan.create(100));
    write(peer, "With you: " + String.join(", ", room.keySet()));
    room.put(name, guest);
    say(name + " comes");
    var telling = Coroutine.spawn(() -> tell(guest));
    try {
      for (var line : lines) {
        say(name + ": " + line);
      }
    } finally {
      telling.cancel();
      room.remove(name);
      say(name + " leaves");
    }
  } catch (IOException | UncheckedIOException gone) {
    IO.println("lost a guest: " + gone.getMessage());
  }
}

/// To everybody; whoever is a hundred lines behind is shown out.
void say(String line) {
  IO.println(line);
  for (var guest : List.copyOf(room.values())) {
    if (!guest.unread.trySend(line)) {
      guest.stream.close();
    }
  }
}

void tell(Guest guest) throws Exception {
  for (var line : guest.unread) {
    write(guest.stream, line);
  }
}

void write(TcpStream stream, String line) throws IOException {
  stream.write(ByteBuffer.wrap((line + "\n").getBytes()));
}
