// SPDX-License-Identifier: Apache-2.0
// A chat for browsers: ./couv run examples/webchat.java [PORT], then open the page it names, twice.
// The same for terminals is examples/chat.java.
import module dev.couv;
import module dev.couv.http;

/// How many messages somebody may be behind; who is more is shown out.
static final int BEHIND = 100;

/// Everybody in the room, by name. One thread runs all of this, so it needs no lock.
final Map<String, Guest> room = new TreeMap<>();

/// What is said to a guest waits in its channel, so that a slow one keeps nobody waiting.
record Guest(Chan<String> unread, Scope visit) {}

void main(String[] args) throws Exception {
  if (args.length > 1 || (args.length == 1 && !args[0].matches("\\d{1,5}"))) {
    System.err.println("usage: webchat.java [PORT]");
    System.exit(2);
  }
  int port = args.length > 0 ? Integer.parseInt(args[0]) : 0;
  try (var server = HttpServer.open(new InetSocketAddress("127.0.0.1", port))) {
    server.route("GET", "/", _ -> Response.html(PAGE));
    server.webSocket("/room", WebSocketOptions.DEFAULT.withMessage(4096), this::welcome);
    IO.println("http://127.0.0.1:" + server.local().getPort() + "/, Ctrl-C ends it");
    server.serve();
  }
}

/// One guest, until it leaves or is too slow. A message to a browser is its kind, whom it is about, and what they say.
void welcome(WebSocket socket) throws Exception {
  var given = socket.request().parameter("name");
  var name = given == null ? "" : given.strip();
  if (!name.matches("[^\\p{Cntrl}]{1,20}") || room.containsKey(name)) {
    socket.close(
        4000, room.containsKey(name) ? "that name is taken" : "a name has 1 to 20 letters");
    return;
  }
  try (var visit = Scope.open()) {
    var guest = new Guest(Chan.create(BEHIND), visit);
    guest.unread.trySend(message("here", String.join(", ", room.keySet()), ""));
    room.put(name, guest);
    say(message("comes", name, ""));
    visit.spawn(
        () -> {
          for (var message : guest.unread) socket.send(message);
        });
    visit.spawn(
        () -> {
          for (var said : socket) {
            say(message("says", name, said.text()));
            Coroutine.pause(); // a burst is told while it comes, or everybody would be too slow
          }
          visit.cancel();
        });
    visit.join();
  } finally {
    room.remove(name);
    say(message("leaves", name, ""));
  }
  socket.close(1008, "you are too slow"); // if it was not the guest who left
}

static String message(String kind, String name, String text) {
  return String.join("\t", kind, name, text);
}

/// To everybody, and nobody is waited for.
void say(String message) {
  IO.println(message.replaceAll("\\p{Cntrl}", " ")); // nobody draws on our terminal
  for (var guest : List.copyOf(room.values())) {
    if (!guest.unread.trySend(message)) guest.visit.cancel();
  }
}

static final String PAGE =
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Chat</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; height: 100dvh;
             display: flex; flex-direction: column; background: #f4f1ea; color: #222 }
      #lines { flex: 1; overflow-y: auto; padding: 1rem }
      #lines p { margin: .4rem 0; padding: .4rem .8rem; background: #fff; border-radius: .6rem;
                 width: fit-content; max-width: 85%; overflow-wrap: anywhere }
      #lines p.note { background: none; color: #777; font-size: .85em; padding: 0 .8rem }
      #lines p.mine { background: #d7ecd9; margin-left: auto }
      form { display: flex; gap: .5rem; padding: 1rem }
      input { flex: 1; min-width: 0; font: inherit; padding: .5rem .8rem; border: 1px solid #ccc;
              border-radius: .6rem }
      button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: .6rem;
               background: #2c6e49; color: #fff }
    </style>
    <div id="lines" role="log"></div>
    <form><input id="text" maxlength="1000" autocomplete="off" placeholder="Your name" autofocus>
      <button>Join</button></form>
    <script>
      const lines = document.querySelector('#lines'), text = document.querySelector('#text')
      const button = document.querySelector('button')
      let socket, me
      function show(kind, ...parts) {
        const line = document.createElement('p')
        line.className = kind
        for (const [tag, content] of parts) {
          const part = document.createElement(tag)
          part.textContent = content // never as HTML: somebody else has written it
          line.append(part)
        }
        lines.append(line)
        lines.scrollTop = lines.scrollHeight
      }
      function note(content) { show('note', ['span', content]) }
      function prompt(placeholder, label) { text.placeholder = placeholder; button.textContent = label }
      function join(name) {
        me = name
        const url = new URL('room?name=' + encodeURIComponent(name), location)
        socket = new WebSocket(url.href.replace(/^http/, 'ws'))
        socket.onopen = () => prompt('Say something', 'Send')
        socket.onclose = event => {
          note(event.reason || 'the server has gone')
          socket = null
          prompt('Your name', 'Join')
        }
        socket.onmessage = event => {
          const [kind, who, ...said] = event.data.split('\\t')
          if (kind == 'says') {
            const parts = [['span', said.join('\\t')]]
            if (who != me) parts.unshift(['b', who + ' '])
            show(who == me ? 'mine' : '', ...parts)
          } else if (kind == 'here') note(who ? 'with you: ' + who : 'nobody else is here')
          else note(who + ' ' + kind)
        }
      }
      document.querySelector('form').onsubmit = event => {
        event.preventDefault()
        const content = text.value.trim()
        if (!content) return
        if (socket) socket.send(content)
        else join(content)
        text.value = ''
      }
    </script>
    """;
