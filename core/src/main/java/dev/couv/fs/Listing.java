// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.error.BusyException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.strand.Suspension;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvDir;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The entries of a directory, read in pieces as they are asked for, in the order of the file system,
/// without `.` and `..`. What is added or removed meanwhile may be there or not.
///
/// Cancelling a wait for the next entries loses none of them. One that is abandoned without having been
/// closed is closed when it is collected. For one user at a time; belongs to the loop whose coroutine
/// opened it, and to nobody if it was opened by [Fs#listNow].
public final class Listing implements Iterable<DirEntry>, AutoCloseable {
  /// Entries per request.
  private static final int PIECE = 128;

  private static final Cleaner CLEANER = Cleaner.create();

  private final Path path;

  /// What failures call it.
  private final Object known;

  private final Way way;
  private final Directory directory;
  private final Cleaner.Cleanable cleanable;
  private final ArrayDeque<DirEntry> ready = new ArrayDeque<>();

  /// Whose coroutines use it; null if it blocks.
  private final @Nullable EventLoop home;

  /// The last request, which somebody may have left.
  private @Nullable FileRequest<Integer> reading;

  private Stage stage = Stage.OPEN;
  private boolean busy;

  private enum Stage {
    OPEN,
    /// There are no more entries than those at hand.
    ENDED,
    CLOSED
  }

  private Listing(Path path, Object known, Way way, long address) {
    this.path = path;
    this.known = known;
    this.way = way;
    this.home = way == Way.AWAITED ? Suspension.loopOrNull() : null;
    this.directory = new Directory(address);
    this.cleanable = CLEANER.register(this, directory);
  }

  static Listing open(Path path, Way way) throws IOException {
    return new Listing(path, path, way, way.make(FileCalls.opendir(path)));
  }

  /// The names in the directory at `used`, which the caller knows as `known`.
  static Listing names(Object known, Path used, Way way) throws IOException {
    return new Listing(Path.of(""), known, way, way.make(FileCalls.opendir(used).named(known)));
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
    if (ready.isEmpty() && stage == Stage.OPEN) {
      fill();
    } else if (way == Way.AWAITED) {
      Suspension.pass("Listing.next");
    }
    return ready.poll();
  }

  private void checkThread() {
    if (home != null && !home.isClosed()) {
      home.checkThread(this);
    }
  }

  /// Waits likewise. A failure to read is an `UncheckedIOException`. Its end closes the listing.
  @Override
  public Iterator<DirEntry> iterator() {
    return new Pull<>(this::next, this::close);
  }

  private void fill() throws IOException {
    FileRequest<Integer> late = reading;
    if (late != null && late.isInFlight()) {
      Suspension.await(late.landing()); // left by one who was cancelled; it brings the next entries
      checkNotClosedMeanwhile();
    }
    if (ready.isEmpty() && stage == Stage.OPEN) {
      FileRequest<Integer> request = new Piece();
      reading = request;
      try {
        way.make(request);
      } catch (IOException e) {
        checkNotClosedMeanwhile(); // which ends it, too
        throw e;
      }
    }
    checkNotClosedMeanwhile();
  }

  private void checkNotClosedMeanwhile() throws IOException {
    if (stage == Stage.CLOSED) {
      throw Failures.closedWhile(this, "read");
    }
  }

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
    stage = Stage.CLOSED;
    ready.clear();
    FileRequest<Integer> late = reading;
    if (late == null || !late.isInFlight()) {
      cleanable.clean();
    } else {
      // Who waits is told now; the rest is freed when it lands.
      late.landEarly();
      late.endEarly(UvErrors.UV_ECANCELED);
    }
  }

  @Override
  public String toString() {
    return "the entries of " + known;
  }

  /// Some more entries. They are for whoever asks next, also when nobody waits for them any more.
  private final class Piece extends FileRequest<Integer> {
    Piece() {
      super("readdir", known);
    }

    @Override
    int make(long loop, long request, long callback) {
      return UvDir.uv_fs_readdir(loop, request, directory.address, callback);
    }

    @Override
    Integer read(long request, long count) {
      for (int i = 0; i < count; i++) {
        long entry = directory.entries + i * FileLayouts.DIRENT_SIZE;
        Path name = PathBytes.read(Memory.getLong(entry + FileLayouts.DIRENT_NAME));
        int type = Memory.getInt(entry + FileLayouts.DIRENT_TYPE);
        ready.add(new DirEntry(path.resolve(name), FileType.ofEntry(type)));
      }
      if (count == 0 && stage == Stage.OPEN) {
        stage = Stage.ENDED;
      }
      return (int) count;
    }

    /// The names are freed with the request: only now may the directory be.
    @Override
    void freed() {
      if (stage == Stage.CLOSED) {
        ready.clear();
        directory.run(); // not by the cleaner, whose lock is not for the loop's thread
      }
    }
  }

  /// The native half, apart from the listing: the cleaner must not hold that.
  private static final class Directory implements Runnable {
    private static final long ENTRIES_SIZE = PIECE * FileLayouts.DIRENT_SIZE;

    private final long address;
    private final long entries = NativeMemory.allocate(ENTRIES_SIZE);
    private final AtomicBoolean freed = new AtomicBoolean();

    Directory(long address) {
      this.address = address;
      Memory.putLong(address + FileLayouts.DIR_DIRENTS, entries);
      Memory.putLong(address + FileLayouts.DIR_NENTRIES, PIECE);
    }

    @Override
    public void run() {
      if (freed.getAndSet(true)) {
        return;
      }
      try {
        FileCalls.closedirNow(address);
      } finally {
        NativeMemory.free(entries, ENTRIES_SIZE);
      }
    }
  }
}
