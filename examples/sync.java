// SPDX-License-Identifier: Apache-2.0
// Keeps a copy of a directory: first all that differs, then each change when it happens.
//
//   ./couv run examples/sync.java SOURCE TARGET
//
// What is not in SOURCE is removed from TARGET, which must be empty the first time. A file is there
// as
// a whole or not at all; one that has the same size and time already is not copied. Permissions are
// kept, and links copied as links. It can be ended and started again at any time.
import module dev.couv;

/// Says that the directory it is in is a copy, and may lose what is not in the source.
static final String MARK = ".copied-from";

Path source;
Path target;
Path mark;

void main(String[] args) throws Exception {
  if (args.length != 2) refuse("usage: sync.java SOURCE TARGET");
  if (!Files.isDirectory(Path.of(args[0]))) refuse(args[0] + " is no directory");
  source = Fs.realPath(Path.of(args[0]));
  Fs.makeDirs(Path.of(args[1]));
  target = Fs.realPath(Path.of(args[1]));
  if (source.startsWith(target) || target.startsWith(source)) refuse("one is inside of the other");
  mark = target.resolve(MARK);
  if (!Fs.exists(mark)) {
    if (!names(target).isEmpty()) refuse(target + " is neither empty nor a copy made by this");
    Fs.writeString(mark, source + "\n");
  }
  if (!Fs.readString(mark).equals(source + "\n")) refuse(target + " is a copy of another one");
  while (true) keepInStep();
}

void refuse(String why) {
  System.err.println(why);
  System.exit(2);
}

/// Watches before it looks, so that nothing is missed. After a failure it looks at everything again.
void keepInStep() throws Exception {
  var options = WatchOptions.DEFAULT.withRecursive(true).withDebounce(Duration.ofMillis(50));
  try (var watch = Watch.path(source, options)) {
    follow(source, false);
    IO.println("in step");
    while (true) {
      var change = watch.next();
      follow(change.path(), change.kind() == ChangeKind.MODIFIED);
    }
  } catch (IOException failed) {
    IO.println("again in a second: " + failed);
    Time.sleep(Duration.ofSeconds(1));
  }
}

/// Makes the copy what is at that place now, and below it. If that changes or vanishes meanwhile, the watch tells it.
void follow(Path place, boolean modified) throws IOException {
  try {
    if (place.equals(source) || reaches(place.getParent())) copy(place, copyOf(place), modified);
  } catch (NoSuchFileException gone) {
    if (place.equals(source) || find(place) != null) throw gone; // it is missing in the target
  } catch (AccessDeniedException denied) {
    IO.println("left out: " + denied.getMessage());
  }
}

/// Whether all from the source down to there are directories, and not links that lead elsewhere; then so are their copies.
boolean reaches(Path place) throws IOException {
  if (!place.equals(source) && !reaches(place.getParent())) return false;
  var info = find(place);
  if (info == null || !info.isDirectory()) return false;
  makeDir(copyOf(place));
  return true;
}

void copy(Path place, Path copy, boolean modified) throws IOException {
  if (copy.equals(mark)) return;
  var now = find(place);
  if (now == null) {
    if (place.equals(source)) throw new NoSuchFileException(place.toString());
    remove(copy);
    return;
  }
  switch (now.type()) {
    case DIRECTORY -> {
      makeDir(copy);
      Fs.chmod(copy, now.mode() & 07777 | 0700); // or nothing could be put into it
      var names = names(place);
      for (var name : names(copy)) {
        if (!names.contains(name)) remove(copy.resolve(name));
      }
      for (var name : names) follow(place.resolve(name), false);
    }
    case REGULAR_FILE -> {
      // What is modified may be so for the second time in a tick of the file system's clock.
      if (modified || !isSame(now, find(copy))) copyFile(place, now, copy);
      else Fs.chmod(copy, now.mode() & 07777);
    }
    case SYMBOLIC_LINK -> copyLink(Fs.readLink(place), copy);
    default -> {
      IO.println("left out, neither file nor directory: " + place);
      remove(copy);
    }
  }
}

boolean isSame(FileInfo one, FileInfo other) {
  return other != null
      && other.isRegularFile()
      && one.size() == other.size()
      && one.modified().equals(other.modified());
}

/// Beside its place first. With the time from before the copying: one that was modified meanwhile is not the same.
void copyFile(Path place, FileInfo now, Path copy) throws IOException {
  var draft = Fs.makeTempFile(copy.getParent(), ".draft-");
  try {
    Fs.copy(place, draft);
    try (var file = Fs.open(draft, StandardOpenOption.WRITE)) {
      file.chmod(now.mode() & 07777);
      file.touch(null, now.modified());
      file.flush();
    }
    replace(copy, draft);
  } catch (IOException failed) {
    Fs.removeTree(draft); // one that even stays behind goes when its directory is looked at again
    throw failed;
  }
}

void copyLink(Path to, Path copy) throws IOException {
  var old = find(copy);
  if (old != null && old.isSymbolicLink() && Fs.readLink(copy).equals(to)) return;
  var draft = copy.resolveSibling(".draft-" + UUID.randomUUID());
  Fs.symlink(to, draft);
  replace(copy, draft);
}

void replace(Path copy, Path draft) throws IOException {
  var old = find(copy);
  if (old != null && old.isDirectory()) Fs.removeTree(copy);
  Fs.move(draft, copy);
  IO.println("copied " + target.relativize(copy));
}

void makeDir(Path copy) throws IOException {
  var old = find(copy);
  if (old != null && old.isDirectory()) return;
  remove(copy);
  Fs.makeDir(copy);
}

void remove(Path copy) throws IOException {
  if (copy.equals(mark) || find(copy) == null) return;
  Fs.removeTree(copy);
  IO.println("removed " + target.relativize(copy));
}

Path copyOf(Path place) {
  return target.resolve(source.relativize(place));
}

/// What is at that place, a link itself; null if nothing is.
FileInfo find(Path place) throws IOException {
  try {
    return Fs.infoOfLink(place);
  } catch (NoSuchFileException nothing) {
    return null;
  }
}

Set<String> names(Path dir) throws IOException {
  var names = new HashSet<String>();
  try (var entries = Fs.list(dir)) {
    for (DirEntry entry; (entry = entries.next()) != null; ) names.add(entry.name());
  }
  return names;
}
