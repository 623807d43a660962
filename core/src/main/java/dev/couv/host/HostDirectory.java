// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.ObjectRequest;
import dev.couv.loop.Operation;
import dev.couv.loop.PathBytes;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvFs;
import dev.couv.uv.UvFsRequest;
import dev.couv.uv.UvRequest;
import dev.couv.world.DirHandle;
import dev.couv.world.FileCall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// An open `uv_dir_t`, read by a request of its own, one at a time: what somebody left while a thread was inside is
/// still the directory's, and so are the entries that it brings.
///
/// ## Ownership
///
/// The `uv_dir_t` and the memory of its entries are freed when it is closed or collected, and no request is in flight.
final class HostDirectory implements DirHandle {
  /// Entries per request: each is a way to another thread and back, which takes as long as a hundred entries.
  private static final int PIECE = 1024;

  private static final long ENTRIES_SIZE = PIECE * FileLayouts.DIRENT_SIZE;
  private static final int REQUEST_SIZE = Math.toIntExact(UvRequest.uv_req_size(UvRequest.UV_FS));

  private final Object known;
  private final long address;
  private final long entries = NativeMemory.allocate(ENTRIES_SIZE);
  private final AtomicBoolean freed = new AtomicBoolean();

  /// Null if it is read by calls that block.
  private final @Nullable NextEntries reading;

  /// Whether the last request has brought fewer entries than it could: then it has met the end.
  private boolean ended;

  private boolean closed;

  /// `known` is what failures call it.
  private HostDirectory(Object known, long address, @Nullable EventLoop loop) {
    this.known = known;
    this.address = address;
    this.reading = loop == null ? null : new NextEntries(loop);
    Memory.putLong(address + FileLayouts.DIR_DIRENTS, entries);
    Memory.putLong(address + FileLayouts.DIR_NENTRIES, PIECE);
  }

  /// Closes it if there is no memory to read it.
  static HostDirectory of(Object known, long address, @Nullable EventLoop loop) {
    try {
      return new HostDirectory(known, address, loop);
    } catch (Throwable noMemory) {
      closeNow(address);
      throw noMemory;
    }
  }

  /// Tells of the first entries, on the thread that has opened it. If there are no others it needs nothing of the system any more.
  void readFirst(Entries told) throws IOException {
    try {
      readingNow(told).now();
    } catch (Throwable failed) {
      free();
      throw failed;
    }
    if (ended) {
      free();
    }
  }

  @Override
  public FileCall<Integer> read(Entries told) {
    if (ended) {
      throw new IllegalStateException(this + ": there are no more");
    }
    return reading == null ? readingNow(told) : reading.telling(told);
  }

  private FileCall<Integer> readingNow(Entries told) {
    return Calls.of(
        "readdir",
        known,
        (loop, request, callback) -> UvFs.uv_fs_readdir(loop, request, address, callback),
        (request, count) -> tell(told, count));
  }

  @Override
  public boolean isAtEnd() {
    return ended;
  }

  /// The names are freed with the request.
  private int tell(Entries told, long count) {
    ended = count >= 0 && count < PIECE; // else it has failed, or was revoked
    for (int i = 0; i < count; i++) {
      long entry = entries + i * FileLayouts.DIRENT_SIZE;
      Path name = PathBytes.read(Memory.getLong(entry + FileLayouts.DIRENT_NAME));
      told.entry(name, mode(Memory.getInt(entry + FileLayouts.DIRENT_TYPE)));
    }
    return (int) count;
  }

  private static int mode(int type) {
    return switch (type) {
      case UvFs.UV_DIRENT_FILE -> FileLayouts.S_IFREG;
      case UvFs.UV_DIRENT_DIR -> FileLayouts.S_IFDIR;
      case UvFs.UV_DIRENT_LINK -> FileLayouts.S_IFLNK;
      case UvFs.UV_DIRENT_FIFO -> FileLayouts.S_IFIFO;
      case UvFs.UV_DIRENT_SOCKET -> FileLayouts.S_IFSOCK;
      case UvFs.UV_DIRENT_CHAR -> FileLayouts.S_IFCHR;
      case UvFs.UV_DIRENT_BLOCK -> FileLayouts.S_IFBLK;
      default -> 0;
    };
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (reading == null || !reading.isInFlight()) {
        free();
      } else {
        reading.directoryCloses();
      }
    }
  }

  @Override
  public void collected() {
    if (!closed) { // else it is, or will be when its request has landed
      free();
    }
  }

  /// Not by a cleaner, whose lock is not for the loop's thread.
  private void free() {
    if (freed.getAndSet(true)) {
      return;
    }
    try {
      closeNow(address);
    } finally {
      NativeMemory.free(entries, ENTRIES_SIZE);
    }
  }

  /// A callback may be what calls it, so nothing is thrown.
  private static void closeNow(long directory) {
    Descriptor.atOnce(request -> UvFs.uv_fs_closedir(0, request, directory, 0));
  }

  @Override
  public String toString() {
    return "the entries of " + known;
  }

  /// The request of the directory: some more entries.
  private final class NextEntries extends ObjectRequest implements FileCall<Integer> {
    private final FileLanding landing = new FileLanding(this);

    /// Only while somebody wants some: else nobody could be collected that has this.
    private @Nullable Entries told;

    private long request;
    private boolean inFlight;
    private @Nullable Throwable unreadable;

    NextEntries(EventLoop loop) {
      super(loop);
    }

    NextEntries telling(Entries newTold) {
      told = newTold;
      return this;
    }

    @Override
    protected int requestSize() {
      return REQUEST_SIZE;
    }

    @Override
    protected boolean isRevocable() {
      return true;
    }

    @Override
    protected int begin(long loop, long newRequest) {
      request = newRequest;
      unreadable = null;
      int code = UvFs.uv_fs_readdir(loop, request, address, Callbacks.FS_CB);
      inFlight = code >= 0;
      return code;
    }

    @Override
    protected void received() {
      landed();
    }

    /// The entries are for whoever asks next.
    @Override
    protected void unclaimed() {
      if (inFlight) {
        landed();
      }
    }

    private void landed() {
      Entries wanted = told;
      told = null;
      inFlight = false;
      try {
        if (wanted != null && !closed) {
          tell(wanted, result());
        }
      } catch (RuntimeException | Error e) {
        unreadable = e; // for whoever waits: the callback must tell, whatever it found
      } finally {
        UvFsRequest.uv_fs_req_cleanup(request);
        if (closed) {
          free();
        }
        landing.told();
      }
    }

    /// Who waits is told now; the rest is freed when it lands.
    void directoryCloses() {
      landing.told();
      endEarly();
    }

    @Override
    public boolean isInFlight() {
      return inFlight;
    }

    @Override
    public boolean mustLand() {
      return false;
    }

    @Override
    public Operation landing() {
      return landing;
    }

    @Override
    public Integer finish() throws IOException {
      if (closed) {
        throw Failures.closedWhile(HostDirectory.this, "read");
      }
      if (status() < 0) {
        throw Failures.ofFile(status(), "readdir", known.toString());
      }
      Failures.rethrow(unreadable);
      return (int) result();
    }

    @Override
    public Integer now() {
      throw new IllegalStateException(this + ": it was opened for a loop");
    }

    @Override
    public String toString() {
      return "readdir " + known;
    }
  }
}
