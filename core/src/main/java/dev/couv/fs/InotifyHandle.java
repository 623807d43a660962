// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.PathBytes;
import dev.couv.loop.Scratch;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Inotify;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvFile;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPoll;
import dev.couv.uv.UvRequest;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A descriptor of the system's events about directories, read whenever it has some.
///
/// Ownership: the descriptor is this object's, and closed when the handle is, after libuv was told to look
/// at it no more.
final class InotifyHandle extends ObjectHandle {
  /// Takes the events, on the loop's thread.
  interface Receiver {
    /// `name` is null if the event is about the directory itself.
    void happened(int number, int mask, @Nullable Path name);
  }

  /// An event that is about no directory.
  private static final int NONE = -1;

  private static final long REQUEST_SIZE = UvRequest.uv_req_size(UvRequest.UV_FS);

  private final String subject;
  private final int descriptor;
  private @Nullable Receiver receiver;

  private InotifyHandle(EventLoop loop, String subject, int descriptor) {
    super(loop, UvHandle.UV_POLL);
    this.subject = subject;
    this.descriptor = descriptor;
  }

  static InotifyHandle open(EventLoop loop, String subject) throws IOException {
    if (!Native.systemHas("inotify_init1")) {
      throw new UnsupportedOperationException(
          "this system has no events about directories that Couv knows of: use Watch.poll");
    }
    int descriptor = Inotify.inotify_init1(Inotify.IN_NONBLOCK | Inotify.IN_CLOEXEC);
    if (descriptor < 0) {
      throw Failures.ofFile(descriptor, "watch", subject);
    }
    try {
      InotifyHandle handle = new InotifyHandle(loop, subject, descriptor);
      int code = handle.open((at, poll) -> UvPoll.uv_poll_init(at, poll, descriptor));
      if (code < 0) {
        throw Failures.ofFile(code, "watch", subject);
      }
      return handle;
    } catch (Throwable failed) {
      Posix.close(descriptor);
      throw failed;
    }
  }

  void start(Receiver newReceiver) throws IOException {
    receiver = newReceiver;
    int code = UvPoll.uv_poll_start(address(), UvPoll.UV_READABLE, Callbacks.POLL_CB);
    if (code < 0) {
      throw Failures.ofFile(code, "watch", subject);
    }
  }

  int add(long name, int mask) {
    return Inotify.inotify_add_watch(descriptor, name, mask);
  }

  void remove(int number) {
    if (isOpen()) {
      Inotify.inotify_rm_watch(descriptor, number);
    }
  }

  /// One piece at a time: what is left makes libuv call again.
  @Override
  protected void onPoll(int status, int events) {
    long buffer = loop().scratch().bufferAddress();
    long count = read(buffer);
    Receiver told = receiver;
    if (count < 0 && count != UvErrors.UV_EAGAIN && told != null) {
      told.happened(NONE, Inotify.IN_Q_OVERFLOW, null); // nobody knows what is lost
    }
    for (long at = buffer; told != null && at < buffer + count && isOpen(); ) {
      int length = Memory.getInt(at + Inotify.EVENT_LEN);
      Path name = length == 0 ? null : PathBytes.read(at + Inotify.EVENT_SIZE);
      told.happened(
          Memory.getInt(at + Inotify.EVENT_WD), Memory.getInt(at + Inotify.EVENT_MASK), name);
      at += Inotify.EVENT_SIZE + length;
    }
  }

  /// How many bytes, or libuv's code.
  private long read(long buffer) {
    long request = NativeMemory.allocate(REQUEST_SIZE);
    try {
      long vector = loop().scratch().vectorAddress();
      UvBuf.set(vector, buffer, Scratch.BUFFER_SIZE);
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
    UvPoll.uv_poll_stop(address());
    Posix.close(descriptor);
  }

  @Override
  public String toString() {
    return "watching " + subject;
  }
}
