// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.PathBytes;
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
import dev.couv.world.DirectoryEvents;
import dev.couv.world.PathEvent;
import java.io.IOException;
import java.nio.file.Path;
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
/// A turn of the loop handles events for a few milliseconds, so that whoever changes much does not hold up the others.
///
/// Ownership: the descriptor is this object's, and closed when the handle is, with the last of its members, after libuv was
/// told to look at it no more.
final class InotifyHandle extends ObjectHandle implements DirectoryEvents {
  /// An event is 16 bytes and a name of up to 256: a hundred or so at once.
  private static final int PIECE = 1 << 12;

  private static final int LONGEST_EVENT = 16 + 256;

  /// After which others get a turn. Whoever renames directories meanwhile may hold up the system's calls, so what
  /// an event takes is not known before.
  private static final long SLICE_NANOS = 5_000_000;

  private static final int APPEARED = Inotify.IN_CREATE | Inotify.IN_MOVED_TO;
  private static final int DISAPPEARED = Inotify.IN_DELETE | Inotify.IN_MOVED_FROM;
  private static final int SELF_GONE = Inotify.IN_MOVE_SELF | Inotify.IN_DELETE_SELF;
  private static final int NAMES = APPEARED | DISAPPEARED | SELF_GONE;
  private static final int ALL =
      NAMES
          | Inotify.IN_MODIFY
          | Inotify.IN_ATTRIB
          | Inotify.IN_DONT_FOLLOW
          | Inotify.IN_EXCL_UNLINK;

  /// By their loops; those that are open.
  private static final Map<EventLoop, InotifyHandle> SHARED = new ConcurrentHashMap<>();

  private final int descriptor;
  private final Set<Member> members = new LinkedHashSet<>();
  private final Map<Integer, List<Listener>> listeners = new HashMap<>();

  /// How many bytes of events were read.
  private long taken;

  private InotifyHandle(EventLoop loop, int descriptor) {
    super(loop, UvHandle.UV_POLL);
    this.descriptor = descriptor;
  }

  /// The loop's, which that member is told by from now on, until it leaves.
  static InotifyHandle join(EventLoop loop, Member member) throws IOException {
    InotifyHandle shared = SHARED.get(loop);
    if (shared == null) {
      shared = open(loop, member.toString());
      SHARED.put(loop, shared);
    }
    shared.members.add(member);
    return shared;
  }

  private static InotifyHandle open(EventLoop loop, String subject) throws IOException {
    if (!Native.systemHas("inotify_init1")) {
      throw new UnsupportedOperationException(
          "this system has no events about directories that Couv knows of: use Watch.poll");
    }
    int descriptor =
        Failures.checkFile(
            Inotify.inotify_init1(Inotify.IN_NONBLOCK | Inotify.IN_CLOEXEC), "watch", subject);
    InotifyHandle handle;
    try {
      handle = new InotifyHandle(loop, descriptor);
      Failures.checkFile(
          handle.open((at, poll) -> UvPoll.uv_poll_init(at, poll, descriptor)), "watch", subject);
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

  @Override
  public void leave(Member member) {
    members.remove(member);
    if (members.isEmpty()) {
      close();
    }
  }

  // ---- who is told of what

  @Override
  public int listen(Path directory, Interest interest, Listener listener) {
    // Others may listen for more, or for less.
    int mask = (interest == Interest.ALL ? ALL : NAMES) | Inotify.IN_MASK_ADD | Inotify.IN_ONLYDIR;
    int number =
        Answers.given(directory, name -> Inotify.inotify_add_watch(descriptor, name, mask));
    if (number >= 0) {
      listeners.computeIfAbsent(number, _ -> new ArrayList<>(1)).add(listener);
    }
    return isAbsence(number) ? ABSENT : number;
  }

  private static boolean isAbsence(int code) {
    return code == UvErrors.code("ENOENT")
        || code == UvErrors.code("ENOTDIR")
        || code == UvErrors.code("ELOOP");
  }

  @Override
  public void unlisten(int number, Listener listener) {
    List<Listener> told = listeners.get(number);
    if (told != null && told.remove(listener) && told.isEmpty()) {
      listeners.remove(number);
      if (isOpen()) {
        Inotify.inotify_rm_watch(descriptor, number);
      }
    }
  }

  // ---- what happens

  @Override
  public long mark() {
    return taken + queued();
  }

  @Override
  public boolean hasTold(long mark) {
    return taken >= mark || !isOpen();
  }

  /// How many bytes of events there are.
  private int queued() {
    return Answers.room(
        Integer.BYTES,
        count -> {
          PosixDescriptor.ioctl(descriptor, PosixDescriptor.FIONREAD, count);
          return Memory.getInt(count);
        });
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

  private void happened(int number, int mask, @Nullable Path name) {
    if ((mask & Inotify.IN_Q_OVERFLOW) != 0) {
      lost();
    } else if ((mask & Inotify.IN_IGNORED) != 0) {
      listeners.remove(number); // it is gone, and so is its number
    } else {
      List<Listener> told = listeners.get(number);
      PathEvent event = event(mask);
      if (told != null && event != null) {
        boolean ofDirectory = (mask & Inotify.IN_ISDIR) != 0;
        List.copyOf(told).forEach(each -> each.happened(event, ofDirectory, name));
      }
    }
  }

  /// Each event of the system's is about one thing.
  private static @Nullable PathEvent event(int mask) {
    if ((mask & APPEARED) != 0) {
      return PathEvent.APPEARED;
    } else if ((mask & DISAPPEARED) != 0) {
      return PathEvent.DISAPPEARED;
    } else if ((mask & Inotify.IN_MODIFY) != 0) {
      return PathEvent.MODIFIED;
    } else if ((mask & Inotify.IN_ATTRIB) != 0) {
      return PathEvent.ATTRIBUTES;
    } else if ((mask & SELF_GONE) != 0) {
      return PathEvent.GONE;
    }
    return (mask & Inotify.IN_UNMOUNT) != 0 ? PathEvent.UNMOUNTED : null;
  }

  private void lost() {
    List.copyOf(members).forEach(Member::lost);
  }

  /// How many bytes, or libuv's code.
  private long read(long buffer) {
    long vector = loop().scratch().vectorAddress();
    UvBuf.set(vector, buffer, PIECE);
    return Descriptor.atOnce(
        request -> UvFile.uv_fs_read(0, request, descriptor, vector, 1, -1, 0));
  }

  @Override
  protected void closing() {
    SHARED.remove(loop(), this);
    listeners.clear();
    UvPoll.uv_poll_stop(address());
    Posix.close(descriptor);
  }

  @Override
  public String toString() {
    return "watching " + members;
  }
}
