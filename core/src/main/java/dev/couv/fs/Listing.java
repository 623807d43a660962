// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Suspension;
import dev.couv.error.ClosedException;
import dev.couv.loop.NativeMemory;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvDir;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// The entries of a directory, read in pieces as they are asked for, in the order of the file system,
/// without `.` and `..`. What is added or removed meanwhile may be there or not.
///
/// Cancelling a wait for the next entries loses none of them. One that is abandoned without having been
/// closed is closed when it is collected. For one user at a time.
public final class Listing implements Iterable<DirEntry>, AutoCloseable {
  /// Entries per request.
  private static final int PIECE = 128;

  private static final Cleaner CLEANER = Cleaner.create();

  private final Path path;
  private final Way way;
  private final Directory directory;
  private final Cleaner.Cleanable cleanable;
  private final ArrayDeque<DirEntry> ready = new ArrayDeque<>();

  private @Nullable FileRequest<Integer> reading;
  private boolean ended;
  private boolean closed;

  private Listing(Path path, Way way, long address) {
    this.path = path;
    this.way = way;
    this.directory = new Directory(address);
    this.cleanable = CLEANER.register(this, directory);
  }

  static Listing open(Path path, Way way) throws IOException {
    return new Listing(path, way, way.make(FileCalls.opendir(path)));
  }

  /// The directory.
  public Path path() {
    return path;
  }

  /// The next entry; null at the end. Waits for it, or blocks the thread if the listing was opened by
  /// [Fs#listNow].
  public @Nullable DirEntry next() throws IOException {
    if (closed) {
      throw new ClosedException(this + " is closed");
    }
    if (ready.isEmpty() && !ended) {
      fill();
    } else if (way == Way.AWAITED) {
      Suspension.pass("Listing.next");
    }
    return ready.poll();
  }

  /// Waits likewise. A failure to read is an `UncheckedIOException`.
  @Override
  public Iterator<DirEntry> iterator() {
    return new Pull<>(this::next);
  }

  private void fill() throws IOException {
    FileRequest<Integer> late = reading;
    if (late != null && late.isInFlight()) {
      Suspension.await(late.landing()); // left by one who was cancelled; it brings the next entries
    }
    if (ready.isEmpty() && !ended) {
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

  private void checkNotClosedMeanwhile() {
    if (closed) {
      throw new ClosedException(this + " was closed while it was read");
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    ready.clear();
    FileRequest<Integer> late = reading;
    if (late == null || !late.isInFlight()) {
      cleanable.clean();
    } else {
      late.endEarly(
          UvErrors.UV_ECANCELED); // who waits is told now, the rest is freed when it lands
    }
  }

  @Override
  public String toString() {
    return "the entries of " + path;
  }

  /// Some more entries. They are for whoever asks next, also when nobody waits for them any more.
  private final class Piece extends FileRequest<Integer> {
    Piece() {
      super("readdir", path.toString());
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
      ended = count == 0;
      return (int) count;
    }

    /// The names are freed with the request: only now may the directory be.
    @Override
    void freed() {
      if (closed) {
        ready.clear();
        cleanable.clean();
      }
    }
  }

  /// The native half, apart from the listing: the cleaner must not hold that.
  private static final class Directory implements Runnable {
    private static final long ENTRIES_SIZE = PIECE * FileLayouts.DIRENT_SIZE;

    private final long address;
    private final long entries = NativeMemory.allocate(ENTRIES_SIZE);

    Directory(long address) {
      this.address = address;
      Memory.putLong(address + FileLayouts.DIR_DIRENTS, entries);
      Memory.putLong(address + FileLayouts.DIR_NENTRIES, PIECE);
    }

    @Override
    public void run() {
      FileCalls.closedirNow(address);
      NativeMemory.free(entries, ENTRIES_SIZE);
    }
  }
}
