// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.fs.Route.Turn;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.strand.Suspension;
import dev.couv.world.DirectoryEvents;
import dev.couv.world.DirectoryEvents.Interest;
import dev.couv.world.FileCalls;
import dev.couv.world.PathEvent;
import java.io.IOException;
import java.nio.file.Path;
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

  private final Path path;
  private final Kind kind;
  private final Debounce changes;
  private final DirectoryEvents events;
  private final WatchedDirs dirs;
  private final TreeNews news;

  /// Those of the coroutine's world: what happens is told outside of one.
  private final FileCalls files = Way.files();

  /// Where the path may come to lead elsewhere.
  private List<WatchedTurn> turns = List.of();

  /// The name of the file.
  private @Nullable Path only;

  /// What the path leads to.
  private @Nullable FileInfo info;

  private WatchedTree(Loop coroutines, EventLoop loop, Path path, Kind kind, Debounce changes)
      throws IOException {
    this.path = path;
    this.kind = kind;
    this.changes = changes;
    this.events = Suspension.world().watching().join(loop, this);
    this.dirs = new WatchedDirs(coroutines, events, this, path);
    this.news = new TreeNews(coroutines, path, kind == Kind.TREE, changes, dirs, files);
  }

  /// Waits until the directory is watched, or the one that the file is in.
  static WatchedTree open(
      Loop coroutines, EventLoop loop, Path path, boolean recursive, Debounce changes)
      throws IOException {
    Kind kind =
        !Way.AWAITED.make(Way.files().stat(path, FileInfo::new)).isDirectory()
            ? Kind.FILE
            : recursive ? Kind.TREE : Kind.DIRECTORY;
    WatchedTree tree = new WatchedTree(coroutines, loop, path, kind, changes);
    try {
      tree.catchUp();
      Failures.checkFile(tree.follow(Route.of(Way.AWAITED, tree.files, path)), "watch", path);
      if (tree.dirs.top() == null) {
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
    WatchedDir top = dirs.top();
    if (kind == Kind.TREE && top != null) {
      news.listenBelow(top);
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
      refusal = WatchedDirs.isRefusal(turn.number) ? turn.number : refusal;
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
    WatchedDir before = dirs.top();
    int code = dirs.listenAtTop(directory);
    if (code < 0) {
      forgetTop();
      return WatchedDirs.isRefusal(code) ? code : 0;
    }
    if (dirs.top() != before) {
      news.clear();
    }
    only = kind == Kind.FILE && end != null ? end.name() : null;
    info = route.info();
    return 0;
  }

  private void forgetTop() {
    info = null;
    news.clear();
    dirs.forgetTop();
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
      if (WatchedDirs.isRefusal(code)) {
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
    Path shown = dirs.shown(directory);
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
    if (directory != dirs.top()) {
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
      followAgain(); // it may be a link
    }
  }

  private void ofDirectoryBelow(WatchedDir directory, Path name, PathEvent event) {
    WatchedDir known = directory.below.get(name);
    if (event == PathEvent.DISAPPEARED && known != null) {
      dirs.forget(known);
    } else if (event == PathEvent.APPEARED) {
      appeared(directory, name);
    }
  }

  private void appeared(WatchedDir above, Path name) {
    int code = dirs.listen(above, name);
    WatchedDir made = above.below.get(name);
    if (WatchedDirs.isRefusal(code)) {
      changes.changed(path, ChangeKind.OVERFLOW); // what happens in it will not be told
    } else if (made != null) {
      news.listLater(made);
    }
  }

  /// Directories may have come and gone unseen, and the path may lead elsewhere.
  @Override
  public void lost() {
    changes.changed(path, ChangeKind.OVERFLOW);
    forgetTop();
    if (followAgain() && kind == Kind.TREE) {
      listLater();
    }
  }

  /// False if nobody knows where the path leads now.
  private boolean followAgain() {
    try {
      follow(Route.of(Way.NOW, files, path));
      return true;
    } catch (IOException e) {
      changes.changed(path, ChangeKind.OVERFLOW);
      return false;
    }
  }

  private void listLater() {
    WatchedDir top = dirs.top();
    if (top != null && kind != Kind.FILE) {
      news.listLater(top);
    }
  }

  void close() {
    news.clear();
    events.leave(this);
    if (events.isOpen()) { // for others
      turns.forEach(each -> events.unlisten(each.number, each));
    }
    dirs.forgetTop();
    turns = List.of();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
