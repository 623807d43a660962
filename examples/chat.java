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
    server.serve(this::welcome);
  }
}

/// One guest, until it leaves. What goes wrong with it, or with what is told to it, is logged, and concerns nobody else.
void welcome(TcpStream peer) throws Exception {
  var lines = peer.lines().limit(1000);
  peer.write("Your name?\n");
  var name = lines.next();
  if (name == null || name.isBlank() || room.containsKey(name)) {
    peer.write("Not that one.\n");
    return;
  }
  var guest = new Guest(peer, Chan.create(100));
  peer.write("With you: " + String.join(", ", room.keySet()) + "\n");
  room.put(name, guest);
  say(name + " comes");
  var telling = Coroutine.spawn(() -> tell(guest));
  try {
    for (var line : lines) {
      say(name + ": " + line);
      Coroutine.pause(); // many lines may have come at once: the others take their turns
    }
  } finally {
    telling.cancel();
    room.remove(name);
    say(name + " leaves");
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
    guest.stream.write(line + "\n");
  }
}
