// SPDX-License-Identifier: Apache-2.0
// Searches a tree for lines that match, some files at a time, and shows how far it is: grep -rn.
//
//   ./couv run examples/grep.java [-j FILES] PATTERN DIRECTORY
import module dev.couv;

int done;
int found;
int known;

void main(String[] arguments) throws Exception {
  var words = new ArrayDeque<>(List.of(arguments));
  int most = 8;
  if (words.size() > 2 && words.peek().equals("-j")) {
    words.poll();
    most = Integer.parseInt(words.poll());
  }
  if (words.size() != 2) {
    System.err.println("usage: grep.java [-j FILES] PATTERN DIRECTORY");
    System.exit(2);
  }
  var pattern = Pattern.compile(words.poll());
  var files = Chan.<Path>create(100);

  var walker = Coroutine.spawn(() -> walk(Path.of(words.poll()), files));
  boolean isShown = Terminal.stderr().isTerminal();
  var bar =
      Coroutine.spawn(
          () -> {
            while (isShown) {
              Time.sleep(Duration.ofMillis(100));
              progress();
            }
          });
  var searchers = new ArrayList<Coroutine<Void>>();
  for (int i = 0; i < most; i++) {
    searchers.add(
        Coroutine.spawn(
            () -> {
              for (var file : files) search(file, pattern);
            }));
  }
  walker.await();
  for (var searcher : searchers) searcher.await();
  bar.cancel();
  if (isShown) {
    progress();
    System.err.println();
  }
  IO.println(found + " lines in " + done + " files");
}

void walk(Path top, Chan<Path> files) throws Exception {
  var left = new ArrayDeque<>(List.of(top));
  while (!left.isEmpty()) {
    try (var entries = Fs.list(left.poll())) {
      for (var entry : entries) {
        if (entry.isDirectory()) left.add(entry.path());
        if (entry.isRegularFile()) {
          known++;
          files.send(entry.path());
        }
      }
    }
  }
  files.close();
}

void search(Path file, Pattern pattern) throws Exception {
  try (var lines = Fs.lines(file)) {
    int number = 0;
    for (var line : lines) {
      number++;
      if (pattern.matcher(line).find()) {
        found++;
        IO.println(file + ":" + number + ":" + line);
      }
    }
  }
  done++;
}

void progress() {
  int width = known == 0 ? 0 : 30 * done / known;
  System.err.print("\r[" + "#".repeat(width) + " ".repeat(30 - width) + "] " + done + "/" + known);
}
