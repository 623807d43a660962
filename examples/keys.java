// SPDX-License-Identifier: Apache-2.0
// Shows what every key sends, and the size of the window when it changes, until q or Ctrl-C:
//
//   ./couv run examples/keys.java
import module dev.couv;

final Map<String, String> names =
    Map.of(
        "\u001b[A", "up",
        "\u001b[B", "down",
        "\u001b[C", "right",
        "\u001b[D", "left",
        "\u001b", "escape",
        "\r", "enter",
        "\t", "tab",
        "\u007f", "backspace",
        " ", "space",
        "\u0003", "Ctrl-C");

void main() throws Exception {
  var keys = Terminal.stdin();
  if (!keys.isTerminal()) {
    IO.println("this needs a terminal");
    return;
  }
  keys.mode(TerminalMode.RAW); // put back when the program ends, however that is
  try (var resize = keys.onResize()) {
    show("press keys, q ends; " + keys.size());
    var sizes =
        Coroutine.spawn(
            () -> {
              while (true) show(resize.await().toString());
            });
    for (ByteBuffer bytes; (bytes = keys.read()) != null; ) {
      var codes = new StringJoiner(" ");
      for (int i = 0; i < bytes.limit(); i++) codes.add("%02x".formatted(bytes.get(i)));
      var text = StandardCharsets.UTF_8.decode(bytes).toString();
      show("%-10s %s".formatted(names.getOrDefault(text, text), codes));
      if (text.endsWith("q") || text.endsWith("\u0003")) break; // quick ones come together
    }
    sizes.cancel();
  }
}

void show(String line) throws Exception {
  Terminal.stdout().write(StandardCharsets.UTF_8.encode(line + "\n"));
}
