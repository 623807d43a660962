// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.error.BusyException;
import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.strand.Suspension;
import dev.couv.world.DirHandle;
import dev.couv.world.FileCall;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// The entries of a directory: a thousand come with its opening, the others in pieces as they are asked for, in the order of
/// the file system, without `.` and `..`. What is added or removed meanwhile may be there or not.
///
/// Cancelling a wait for the next entries loses none of them. One that is abandoned without having been
/// closed is closed when it is collected. For one user at a time; belongs to the loop whose coroutine
/// opened it, and to nobody if it was opened by [Fs#listNow].
public final class Listing implements Iterable<DirEntry>, AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Path path;

  /// What failures call it.
  private final Object known;

  private final Way way;
  private final DirHandle directory;
  private final Cleaner.Cleanable cleanable;
  private final ArrayDeque<DirEntry> ready;

  /// Whose coroutines use it; null if it blocks.
  private final @Nullable EventLoop home;

  /// The last read, which somebody may have left.
  private @Nullable FileCall<Integer> reading;

  private Stage stage = Stage.OPEN;
  private boolean busy;

  @CheckReturnValue
  private enum Stage {
    OPEN,
    /// There are no more entries than those at hand.
    ENDED,
    CLOSED;

    Stage end() {
      return this == CLOSED ? CLOSED : ENDED;
    }

    Stage close() {
      return CLOSED;
    }
  }

  private Listing(
      Path path,
      Object known,
      Way way,
      @Nullable EventLoop home,
      DirHandle directory,
      ArrayDeque<DirEntry> first) {
    this.path = path;
    this.known = known;
    this.way = way;
    this.home = home;
    this.directory = directory;
    this.ready = first;
    this.cleanable = CLEANER.register(this, directory::collected);
  }

  static Listing open(Path path, Way way) throws IOException {
    return open(path, path, path, way);
  }

  /// The names in the directory at `used`, which the caller knows as `known`.
  static Listing names(Object known, Path used, Way way) throws IOException {
    return open(Path.of(""), known, used, way);
  }

  private static Listing open(Path shown, Object known, Path used, Way way) throws IOException {
    EventLoop home = way == Way.AWAITED ? Suspension.loopOrNull() : null;
    ArrayDeque<DirEntry> first = new ArrayDeque<>();
    DirHandle.Entries told = (name, mode) -> first.add(entry(shown, name, mode));
    DirHandle directory = way.make(Way.files().opendir(used, known, home, told));
    return new Listing(shown, known, way, home, directory, first);
  }

  /// The directory.
  public Path path() {
    return path;
  }

  /// The next entry; null at the end. Waits for it, or blocks the thread if the listing was opened by
  /// [Fs#listNow].
  ///
  /// @throws BusyException if another coroutine is waiting for the next entry
  public @Nullable DirEntry next() throws IOException {
    if (way == Way.NOW) {
      synchronized (directory) { // a thread that closes it must not do so under another
        return nextInTurn();
      }
    }
    checkThread();
    if (busy) {
      throw new BusyException(this + ": another coroutine is waiting for the next");
    }
    busy = true;
    try {
      return nextInTurn();
    } finally {
      busy = false;
    }
  }

  private @Nullable DirEntry nextInTurn() throws IOException {
    if (stage == Stage.CLOSED) {
      throw Failures.closed(this);
    }
    if (ready.isEmpty() && stage == Stage.OPEN && !directory.isAtEnd()) {
      fill();
    } else if (way == Way.AWAITED) {
      Suspension.pass("Listing.next");
    }
    checkNotClosedMeanwhile();
    return ready.poll();
  }

  private void checkThread() {
    if (home != null && !home.isClosed()) {
      home.checkThread(this);
    }
  }

  /// The entries that are left, each waited for as [#next] does. A failure to read is an `UncheckedIOException`. Its end
  /// closes the listing.
  @Override
  public Iterator<DirEntry> iterator() {
    return new Pull<>(this::next, this::close);
  }

  private void fill() throws IOException {
    FileCall<Integer> late = reading;
    if (late != null && late.isInFlight()) {
      Suspension.await(late.landing()); // left by one who was cancelled; it brings the next entries
      checkNotClosedMeanwhile();
    }
    if (ready.isEmpty() && !directory.isAtEnd()) {
      FileCall<Integer> call = directory.read(this::add);
      reading = call;
      try {
        if (way.make(call) == 0) {
          stage = stage.end();
        }
      } catch (IOException e) {
        checkNotClosedMeanwhile(); // which ends it, too
        throw e;
      }
    }
  }

  /// Also when nobody waits for it any more.
  private void add(Path name, int mode) {
    if (stage != Stage.CLOSED) {
      ready.add(entry(path, name, mode));
    }
  }

  private static DirEntry entry(Path path, Path name, int mode) {
    return new DirEntry(path.resolve(name), FileType.ofMode(mode));
  }

  private void checkNotClosedMeanwhile() throws IOException {
    if (stage == Stage.CLOSED) {
      throw Failures.closedWhile(this, "read");
    }
  }

  /// Whether it is closed.
  public boolean isClosed() {
    return stage == Stage.CLOSED;
  }

  /// Closes it. Who waits for an entry is told so.
  @Override
  public void close() {
    if (way == Way.NOW) {
      synchronized (directory) {
        closeInTurn();
      }
    } else if (stage != Stage.CLOSED) {
      checkThread();
      closeInTurn();
    }
  }

  private void closeInTurn() {
    if (stage == Stage.CLOSED) {
      return;
    }
    stage = stage.close();
    ready.clear();
    directory.close();
    cleanable.clean(); // nothing more to do, so it is forgotten
  }

  @Override
  public String toString() {
    return "the entries of " + known;
  }
}
