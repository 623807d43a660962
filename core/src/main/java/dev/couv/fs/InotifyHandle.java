// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Inotify;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvFile;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPoll;
import dev.couv.uv.UvRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A loop's descriptor of the system's events about directories, read whenever it has some. The system allows a
/// user few of them, so all watches of a loop share one.
///
/// ## Directories that several watch
///
/// The system has one number for a directory, whoever asks, so each number has a list of who is told. What is
/// lost, everybody has lost.
///
/// ## Work in pieces
///
/// A turn of the loop handles events for a few milliseconds, and gives back the numbers of a few hundred directories: one who
/// closes a watch of a large tree, or moves it away, does not hold up the others.
///
/// Ownership: the descriptor is this object's, and closed when the handle is, with the last of its trees, after libuv was
/// told to look at it no more.
final class InotifyHandle extends ObjectHandle {
  /// Is told of one directory, on the loop's thread.
  interface Listener {
    /// `name` is null if the event is about the directory itself.
    void happened(int mask, @Nullable Path name);
  }

  /// An event is 16 bytes and a name of up to 256: a hundred or so at once.
  private static final int PIECE = 1 << 12;

  private static final int LONGEST_EVENT = 16 + 256;

  /// After which others get a turn. Whoever renames directories meanwhile may hold up the system's calls, so what
  /// an event takes is not known before.
  private static final long SLICE_NANOS = 5_000_000;

  /// How many are given back in a turn.
  private static final int GIVEN_BACK = 256;

  private static final long REQUEST_SIZE = UvRequest.uv_req_size(UvRequest.UV_FS);

  /// By their loops; those that are open.
  private static final Map<EventLoop, InotifyHandle> SHARED = new ConcurrentHashMap<>();

  private final Loop coroutines;
  private final int descriptor;
  private final Set<WatchedTree> trees = new LinkedHashSet<>();
  private final Map<Integer, List<Listener>> listeners = new HashMap<>();

  /// What nobody listens to any more, with all below it.
  private final ArrayDeque<WatchedDir> forgotten = new ArrayDeque<>();

  /// How many bytes of events were read.
  private long taken;

  private boolean givesBack;

  private InotifyHandle(Loop coroutines, EventLoop loop, int descriptor) {
    super(loop, UvHandle.UV_POLL);
    this.coroutines = coroutines;
    this.descriptor = descriptor;
  }

  /// The loop's, which that tree is told by from now on, until it leaves.
  static InotifyHandle join(Loop coroutines, EventLoop loop, WatchedTree tree) throws IOException {
    InotifyHandle shared = SHARED.get(loop);
    if (shared == null) {
      shared = open(coroutines, loop, tree.toString());
      SHARED.put(loop, shared);
    }
    shared.trees.add(tree);
    return shared;
  }

  private static InotifyHandle open(Loop coroutines, EventLoop loop, String subject)
      throws IOException {
    if (!Native.systemHas("inotify_init1")) {
      throw new UnsupportedOperationException(
          "this system has no events about directories that Couv knows of: use Watch.poll");
    }
    int descriptor = Inotify.inotify_init1(Inotify.IN_NONBLOCK | Inotify.IN_CLOEXEC);
    if (descriptor < 0) {
      throw Failures.ofFile(descriptor, "watch", subject);
    }
    InotifyHandle handle;
    try {
      handle = new InotifyHandle(coroutines, loop, descriptor);
      int code = handle.open((at, poll) -> UvPoll.uv_poll_init(at, poll, descriptor));
      if (code < 0) {
        throw Failures.ofFile(code, "watch", subject);
      }
    } catch (Throwable failed) {
      Posix.close(descriptor);
      throw failed;
    }
    int code = UvPoll.uv_poll_start(handle.address(), UvPoll.UV_READABLE, Callbacks.POLL_CB);
    if (code < 0) {
      handle.close();
      throw Failures.ofFile(code, "watch", subject);
    }
    return handle;
  }

  /// The tree is told nothing more.
  void leave(WatchedTree tree) {
    trees.remove(tree);
    if (trees.isEmpty()) {
      close();
    }
  }

  // ---- who is told of what

  /// The number of the directory, or the system's code.
  int listen(Path directory, int mask, Listener listener) {
    long name = PathBytes.allocate(directory);
    try {
      // Others may listen for more, or for less.
      int all = mask | Inotify.IN_MASK_ADD | Inotify.IN_ONLYDIR;
      int number = Inotify.inotify_add_watch(descriptor, name, all);
      if (number >= 0) {
        listeners.computeIfAbsent(number, _ -> new ArrayList<>(1)).add(listener);
      }
      return number;
    } finally {
      Memory.free(name);
    }
  }

  void unlisten(int number, Listener listener) {
    List<Listener> told = listeners.get(number);
    if (told != null && told.remove(listener) && told.isEmpty()) {
      listeners.remove(number);
      if (isOpen()) {
        Inotify.inotify_rm_watch(descriptor, number);
      }
    }
  }

  /// Likewise, of a directory with all below it, soon.
  void forget(WatchedDir directory) {
    directory.detach();
    forgotten.add(directory);
    if (!givesBack && isOpen()) {
      try {
        givesBack = true;
        coroutines.spawn(this::giveBack).named("watching less");
      } catch (ClosedException loopEnds) {
        givesBack = false; // and with it the descriptor
      }
    }
  }

  private void giveBack() {
    try {
      while (!forgotten.isEmpty() && isOpen()) {
        for (int i = 0; i < GIVEN_BACK && !forgotten.isEmpty(); i++) {
          WatchedDir directory = forgotten.pop();
          unlisten(directory.number(), directory);
          forgotten.addAll(directory.below().values());
          directory.below().clear();
        }
        Coroutine.pause();
      }
    } finally {
      givesBack = false;
    }
  }

  // ---- what happens

  /// Waits until everything has been told that happened before: one who listens to a directory from now on must not
  /// hear of it, although others have listened to the same.
  void catchUp() {
    for (long until = taken + queued(); taken < until && isOpen(); ) {
      Coroutine.pause();
    }
  }

  /// How many bytes of events there are.
  private int queued() {
    long count = Memory.calloc(1, Integer.BYTES);
    if (count == 0) {
      throw new OutOfMemoryError("native memory");
    }
    try {
      PosixDescriptor.ioctl(descriptor, PosixDescriptor.FIONREAD, count);
      return Memory.getInt(count);
    } finally {
      Memory.free(count);
    }
  }

  /// Some pieces at a time: what is left makes libuv call again.
  @Override
  protected void onPoll(int status, int events) {
    long end = System.nanoTime() + SLICE_NANOS;
    boolean more = true;
    while (more && isOpen()) {
      more = take() > PIECE - LONGEST_EVENT && System.nanoTime() - end < 0;
    }
  }

  /// Reads a piece and tells of it. How many bytes that was.
  private long take() {
    long buffer = loop().scratch().bufferAddress();
    long count = read(buffer);
    if (count < 0 && count != UvErrors.UV_EAGAIN) {
      lost(); // nobody knows what
    }
    taken += Math.max(0, count);
    for (long at = buffer; at < buffer + count && isOpen(); ) {
      int length = Memory.getInt(at + Inotify.EVENT_LEN);
      Path name = length == 0 ? null : PathBytes.read(at + Inotify.EVENT_SIZE);
      happened(Memory.getInt(at + Inotify.EVENT_WD), Memory.getInt(at + Inotify.EVENT_MASK), name);
      at += Inotify.EVENT_SIZE + length;
    }
    return count;
  }

  void happened(int number, int mask, @Nullable Path name) {
    if ((mask & Inotify.IN_Q_OVERFLOW) != 0) {
      lost();
    } else if ((mask & Inotify.IN_IGNORED) != 0) {
      listeners.remove(number); // it is gone, and so is its number
    } else {
      List<Listener> told = listeners.get(number);
      if (told != null) {
        List.copyOf(told).forEach(each -> each.happened(mask, name));
      }
    }
  }

  private void lost() {
    List.copyOf(trees).forEach(WatchedTree::overflow);
  }

  /// How many bytes, or libuv's code.
  private long read(long buffer) {
    long request = NativeMemory.allocate(REQUEST_SIZE);
    try {
      long vector = loop().scratch().vectorAddress();
      UvBuf.set(vector, buffer, PIECE);
      return UvFile.uv_fs_read(0, request, descriptor, vector, 1, -1, 0);
    } finally {
      NativeMemory.free(request, REQUEST_SIZE);
    }
  }

  @Override
  protected int startEvents() {
    throw new AssertionError("it is started from its opening to its closing");
  }

  @Override
  protected void stopEvents() {}

  @Override
  protected void closing() {
    SHARED.remove(loop(), this);
    forgotten.clear();
    listeners.clear();
    UvPoll.uv_poll_stop(address());
    Posix.close(descriptor);
  }

  @Override
  public String toString() {
    return "watching " + trees;
  }
}
