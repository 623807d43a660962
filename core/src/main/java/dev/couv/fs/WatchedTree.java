// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Suspension;
import dev.couv.error.ClosedException;
import dev.couv.error.UvException;
import dev.couv.fs.Route.Turn;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.DirectoryEvents;
import dev.couv.world.DirectoryEvents.Interest;
import dev.couv.world.FileCalls;
import dev.couv.world.PathEvent;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A directory that is watched, with those below it if that is wanted, or one file in it.
///
/// ## Directories that come and go
///
/// A directory that appears is watched at once; what had been put into it before that is found by listing
/// it, and told. It may be told twice: better than never. One that is moved away is not watched any more,
/// with all below it; one that is removed, the system forgets by itself. If events are lost, nobody knows where a directory
/// is: then all are forgotten, and found again by listing.
///
/// ## The way there
///
/// A path may lead through links, and one of them may be turned elsewhere; or what it leads to may go and come again.
/// So the directories that the links are in are watched, too, and where the way ends too early, the one where it
/// goes on perhaps ([Route]).
///
/// ## One file
///
/// Its directory is watched: a file that is replaced, as editors do, would otherwise be lost.
final class WatchedTree implements DirectoryEvents.Member, WatchedDir.Told {
  /// What is watched.
  enum Kind {
    FILE,
    DIRECTORY,
    /// With those below it.
    TREE
  }

  /// How often a way is looked at again that changes while it is looked at. What happens to it later is told.
  private static final int TRIES = 10;

  private final Loop coroutines;
  private final Path path;
  private final Kind kind;
  private final Debounce changes;
  private final DirectoryEvents events;

  /// Those of the coroutine's world: what happens is told outside of one.
  private final FileCalls files = Way.files();

  private final Forgotten forgotten = Forgotten.ofLoop();

  /// Where the path may come to lead elsewhere.
  private List<WatchedTurn> turns = List.of();

  /// The directory, or the one that the file is in; null while there is none.
  private @Nullable WatchedDir top;

  /// Where that is, without links.
  private Path real;

  /// The name of the file.
  private @Nullable Path only;

  /// What the path leads to.
  private @Nullable FileInfo info;

  /// What is to be listed, because it may have got entries before it was watched.
  private final ArrayDeque<WatchedDir> unseen = new ArrayDeque<>();

  private boolean lists;

  private WatchedTree(Loop coroutines, EventLoop loop, Path path, Kind kind, Debounce changes)
      throws IOException {
    this.coroutines = coroutines;
    this.path = path;
    this.real = path;
    this.kind = kind;
    this.changes = changes;
    this.events = Suspension.world().watching().join(loop, this);
  }

  /// Waits until the directory is watched, or the one that the file is in.
  static WatchedTree open(
      Loop coroutines, EventLoop loop, Path path, boolean recursive, Debounce changes)
      throws IOException {
    Kind kind = !Fs.info(path).isDirectory() ? Kind.FILE : recursive ? Kind.TREE : Kind.DIRECTORY;
    WatchedTree tree = new WatchedTree(coroutines, loop, path, kind, changes);
    try {
      tree.catchUp();
      int code = tree.follow(Route.of(Way.AWAITED, tree.files, path));
      if (code < 0) {
        throw Failures.ofFile(code, "watch", path.toString());
      }
      if (tree.top == null) {
        throw Failures.ofFile("ENOENT", "watch", path.toString());
      }
    } catch (Throwable failed) {
      tree.close();
      throw failed;
    }
    return tree;
  }

  /// Waits until everything has been told that happened before: one who listens to a directory from now on must not
  /// hear of it, although others have listened to the same.
  private void catchUp() {
    for (long mark = events.mark(); !events.hasTold(mark); ) {
      Coroutine.pause();
    }
  }

  /// Waits until all directories below are watched, too.
  void watchBelow() throws IOException {
    if (kind == Kind.TREE && top != null) {
      ArrayDeque<WatchedDir> left = new ArrayDeque<>(List.of(top));
      while (!left.isEmpty()) {
        look(left.pop(), left, false);
      }
    }
  }

  // ---- the way there

  /// A name in a directory that decides where the path leads.
  private final class WatchedTurn implements DirectoryEvents.Listener {
    private final Path name;
    private final int number;

    WatchedTurn(Turn turn) {
      name = turn.name();
      number = events.listen(turn.directory(), Interest.NAMES, this);
    }

    @Override
    public void happened(PathEvent event, boolean ofDirectory, @Nullable Path entry) {
      boolean decides = entry == null ? isItsEnd(event) : entry.equals(name);
      if (decides && turns.contains(this)) {
        lookAgain(false);
      }
    }
  }

  /// Of a directory that is listened to.
  private static boolean isItsEnd(PathEvent event) {
    return event == PathEvent.GONE || event == PathEvent.UNMOUNTED;
  }

  /// Watches that, and looks whether it is still so: what happens from then on is told. The system's code if it
  /// refuses, other than because something is gone.
  private int follow(Route first) throws IOException {
    Route route = first;
    int code = watch(route);
    for (int i = 0; i < TRIES && code >= 0; i++) {
      Route again = Route.of(Way.NOW, files, path);
      if (again.isSame(route)) {
        break;
      }
      route = again;
      code = watch(route);
    }
    return code;
  }

  private int watch(Route route) {
    List<WatchedTurn> before = turns;
    List<WatchedTurn> now = new ArrayList<>();
    int refusal = 0;
    for (Turn each : turns(route)) {
      WatchedTurn turn = new WatchedTurn(each);
      now.add(turn);
      refusal = isRefusal(turn.number) ? turn.number : refusal;
    }
    turns = now;
    before.forEach(each -> events.unlisten(each.number, each));
    int code = watchTop(route);
    return refusal < 0 ? refusal : code;
  }

  private List<Turn> turns(Route route) {
    Turn end = route.end();
    List<Turn> all = new ArrayList<>(route.turns());
    if (end != null && kind == Kind.FILE) {
      all.remove(end); // its directory is watched anyway
    } else if (end != null && !route.isDirectory() && !all.contains(end)) {
      all.add(end);
    }
    return all;
  }

  private int watchTop(Route route) {
    Turn end = route.end();
    Path directory = kind != Kind.FILE ? route.real() : end == null ? null : end.directory();
    if (directory == null || (kind != Kind.FILE && !route.isDirectory())) {
      forgetTop();
      return 0;
    }
    WatchedDir made = new WatchedDir(this, null, directory);
    int number = events.listen(directory, Interest.ALL, made);
    if (number < 0) {
      forgetTop();
      return isRefusal(number) ? number : 0;
    }
    made.number(number);
    if (top != null && top.number() == number) {
      events.unlisten(number, made);
    } else {
      forgetTop();
      top = made;
    }
    real = directory;
    only = kind == Kind.FILE && end != null ? end.name() : null;
    info = route.info();
    return 0;
  }

  private void forgetTop() {
    WatchedDir last = top;
    top = null;
    info = null;
    unseen.clear();
    if (last != null) {
      forget(last);
    }
  }

  /// With all below it, soon.
  private void forget(WatchedDir directory) {
    forgotten.add(coroutines, events, directory);
  }

  /// The path may lead elsewhere now; or what it led to is gone, whatever is there now.
  private void lookAgain(boolean gone) {
    boolean was = info != null;
    try {
      Route route = Route.of(Way.NOW, files, path);
      boolean same = was && !gone && route.leadsTo(info);
      if (!same && was && (gone || kind != Kind.FILE || route.info() == null)) {
        changes.changed(path, ChangeKind.REMOVED);
      }
      if (!same) {
        forgetTop(); // what happens elsewhere now is none of its changes
      }
      int code = follow(route);
      if (isRefusal(code)) {
        changes.changed(path, ChangeKind.OVERFLOW); // what happens in it will not be told
      } else if (!same && info != null) {
        changes.changed(path, ChangeKind.CREATED);
        listLater();
      }
    } catch (IOException e) {
      changes.changed(path, ChangeKind.OVERFLOW);
    }
  }

  // ---- what happens

  @Override
  public void happened(
      WatchedDir directory, PathEvent event, boolean ofDirectory, @Nullable Path name) {
    Path shown = directory.in(top, path);
    if (shown == null) {
      return; // moved away before this came
    }
    if (name == null) {
      ofDirectoryItself(directory, event);
    } else if (kind != Kind.FILE) {
      changes.happened(shown.resolve(name), event);
      if (kind == Kind.TREE && ofDirectory) {
        ofDirectoryBelow(directory, name, event);
      }
    } else if (name.equals(only)) {
      ofFile(event);
    }
  }

  /// Only the one at the top is told by its own event: of the others, their parents tell.
  private void ofDirectoryItself(WatchedDir directory, PathEvent event) {
    if (directory != top) {
      if (event == PathEvent.UNMOUNTED) {
        lost(); // what is there now is another directory
      }
    } else if (isItsEnd(event)) {
      lookAgain(true);
    } else if (event == PathEvent.ATTRIBUTES && kind != Kind.FILE) {
      changes.happened(path, event);
    }
  }

  private void ofFile(PathEvent event) {
    changes.happened(path, event);
    if (event == PathEvent.DISAPPEARED) {
      info = null;
    } else if (event == PathEvent.APPEARED) {
      try {
        follow(Route.of(Way.NOW, files, path)); // it may be a link
      } catch (IOException e) {
        changes.changed(path, ChangeKind.OVERFLOW);
      }
    }
  }

  private void ofDirectoryBelow(WatchedDir directory, Path name, PathEvent event) {
    WatchedDir known = directory.below().get(name);
    if (event == PathEvent.DISAPPEARED && known != null) {
      forget(known);
    } else if (event == PathEvent.APPEARED) {
      appeared(directory, name);
    }
  }

  private void appeared(WatchedDir above, Path name) {
    int code = add(above, name);
    WatchedDir made = above.below().get(name);
    if (isRefusal(code)) {
      changes.changed(path, ChangeKind.OVERFLOW); // what happens in it will not be told
    } else if (made != null) {
      listLater(made);
    }
  }

  /// Directories may have come and gone unseen, and the path may lead elsewhere.
  @Override
  public void lost() {
    changes.changed(path, ChangeKind.OVERFLOW);
    forgetTop();
    try {
      follow(Route.of(Way.NOW, files, path));
      if (kind == Kind.TREE) {
        listLater();
      }
    } catch (IOException e) {
      changes.changed(path, ChangeKind.OVERFLOW);
    }
  }

  // ---- directories below

  /// A negative code if the system refused.
  private int add(WatchedDir above, Path name) {
    Path where = above.in(top, real);
    if (where == null) {
      return DirectoryEvents.ABSENT;
    }
    // One that takes the place of a directory is not followed.
    WatchedDir made = new WatchedDir(this, above, name);
    int number = events.listen(where.resolve(name), Interest.ALL, made);
    if (number >= 0) {
      made.number(number);
      WatchedDir known = above.below().get(name);
      if (known != null && known.number() == number) {
        events.unlisten(number, made);
      } else {
        if (known != null) {
          forget(known);
        }
        above.below().put(name, made);
      }
    }
    return number;
  }

  private static boolean isRefusal(int code) {
    return code < 0 && code != DirectoryEvents.ABSENT;
  }

  /// Watches the directories below, and tells of what is in them if that may be news.
  private void look(WatchedDir directory, ArrayDeque<WatchedDir> left, boolean news)
      throws IOException {
    Path where = directory.in(top, real);
    Listing entries = where == null ? null : listIfThere(where);
    if (entries == null) {
      return;
    }
    try (entries) {
      for (DirEntry entry; (entry = entries.next()) != null; ) {
        boolean below = kind == Kind.TREE && isDirectory(entry);
        Path shown = directory.in(top, path);
        if (shown == null) {
          return; // nobody watches it any more
        }
        Path name = entry.path().getFileName();
        if (news && isStillThere(entry.path())) {
          changes.changed(shown.resolve(name), ChangeKind.CREATED);
        }
        if (below) {
          lookBelow(directory, name, left);
        }
      }
    }
  }

  private void lookBelow(WatchedDir directory, Path name, ArrayDeque<WatchedDir> left)
      throws IOException {
    WatchedDir known = directory.below().get(name);
    int code = add(directory, name);
    if (isRefusal(code)) {
      throw Failures.ofFile(code, "watch", path.toString());
    }
    WatchedDir found = directory.below().get(name);
    if (found != null && found != known) {
      left.add(found);
    }
  }

  /// Null if it is gone already, or something else in its place: its parent tells.
  private static @Nullable Listing listIfThere(Path directory) throws IOException {
    try {
      return Fs.list(directory);
    } catch (NoSuchFileException goneAlready) {
      return null;
    } catch (UvException e) {
      if (e.code().equals("ENOTDIR")) {
        return null;
      }
      throw e;
    }
  }

  /// At once: whatever removes it after this is told after this. What was removed since it was listed
  /// may have been told already, and must not come back.
  private boolean isStillThere(Path entry) {
    try {
      files.lstat(entry, FileInfo::new).now();
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    } catch (IOException e) {
      return !(e instanceof UvException failure && failure.code().equals("ENOTDIR"));
    }
  }

  private static boolean isDirectory(DirEntry entry) throws IOException {
    try {
      return entry.type() == FileType.UNKNOWN
          ? Fs.infoOfLink(entry.path()).isDirectory()
          : entry.isDirectory();
    } catch (NoSuchFileException goneAlready) {
      return false;
    }
  }

  private void listLater() {
    if (top != null && kind != Kind.FILE) {
      listLater(top);
    }
  }

  /// Listing waits, so a coroutine does it: one, however much there is. What it cannot watch is as good as
  /// lost, and told so.
  private void listLater(WatchedDir directory) {
    unseen.add(directory);
    if (!lists) {
      try {
        lists = true;
        coroutines.spawn(this::listUnseen).named("watching " + path);
      } catch (ClosedException loopEnds) {
        lists = false; // nobody is left to be told
      }
    }
  }

  private void listUnseen() {
    try {
      while (!unseen.isEmpty()) {
        try {
          look(unseen.pop(), unseen, true);
        } catch (IOException e) {
          changes.changed(path, ChangeKind.OVERFLOW);
        }
      }
    } finally {
      lists = false;
    }
  }

  void close() {
    WatchedDir last = top;
    top = null;
    unseen.clear();
    events.leave(this);
    if (events.isOpen()) { // for others
      turns.forEach(each -> events.unlisten(each.number, each));
      if (last != null) {
        forget(last);
      }
    }
    turns = List.of();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
