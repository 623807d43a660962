// SPDX-License-Identifier: Apache-2.0
// Prints the last lines of a file, and what is added to it: tail -f.
//
//   ./couv run examples/tail.java FILE [LINES]
//
// A file that gets shorter, or is replaced by another, as logs are, is read from its beginning.
import module dev.couv;

void main(String[] arguments) throws Exception {
  if (arguments.length < 1) {
    System.err.println("usage: tail.java FILE [LINES]");
    return;
  }
  var path = Path.of(arguments[0]);
  int lines = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
  try (var watch = Watch.path(path)) {
    var file = Fs.open(path);
    try {
      long at = lastLines(file, lines);
      while (true) {
        at = print(file, at);
        watch.next();
        if (!Fs.exists(path)) continue; // between two files
        if (Fs.info(path).inode() != file.info().inode()) {
          at = print(file, at);
          file.close();
          file = Fs.open(path);
          at = 0;
        } else if (file.size() < at) {
          at = 0;
        }
      }
    } finally {
      file.close();
    }
  }
}

/// Where the last lines begin: looked for from the end, piece by piece.
long lastLines(OpenFile file, int lines) throws IOException {
  long end = file.size();
  int found = 0;
  for (long from = end; from > 0; ) {
    int length = (int) Math.min(from, 4096);
    from -= length;
    var piece = ByteBuffer.allocate(length);
    while (piece.hasRemaining() && file.read(piece, from + piece.position()) > 0) {}
    for (int i = piece.position() - 1; i >= 0; i--) {
      // The newline that ends the last line begins none.
      if (piece.get(i) == '\n' && from + i < end - 1 && ++found == lines) return from + i + 1;
    }
  }
  return 0;
}

long print(OpenFile file, long from) throws IOException {
  var piece = ByteBuffer.allocate(1 << 16);
  long at = from;
  for (int count; (count = file.read(piece.clear(), at)) > 0; at += count) {
    System.out.write(piece.array(), 0, count);
  }
  System.out.flush();
  return at;
}
