// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.Operation;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvFsRequest;
import dev.couv.uv.UvRequest;
import dev.couv.world.PathCall;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One request to the file system: awaited, while one of libuv's threads works on it, or made at
/// once on the calling thread.
///
/// Cancelled, it is revoked, or ends by itself if a thread is inside the call already; what it
/// brings after that is released. What it made is unmade, if it is known that nobody else made it: then
/// whoever leaves goes when that is done.
abstract class FileRequest<T extends @Nullable Object> extends RequestOperation
    implements PathCall<T> {
  private static final int SIZE = Math.toIntExact(UvRequest.uv_req_size(UvRequest.UV_FS));

  static {
    Failures.prepare();
  }

  final String call;

  /// What it is about, in words only when they are needed: a path may be long.
  private Object subject;

  /// The second of two paths, if it has two: the subject is the first.
  private @Nullable Path other;

  /// The open file it works on, if any, and a second one: they must not be closed under it.
  private final @Nullable Descriptor file;

  private final @Nullable Descriptor second;

  private long address;
  private @Nullable T value;

  /// Why there is no value although the system answered.
  private @Nullable Throwable unreadable;

  /// Whether libuv has it.
  private boolean inFlight;

  /// Made for who waits until libuv has it no more.
  private @Nullable FileLanding landing;

  /// `call` and `subject` are the words of its failure, as in "open /etc/passwd".
  FileRequest(String call, Object subject) {
    this(call, subject, null, null);
  }

  /// One on open files: `call` and `subject` are the words of its failure.
  FileRequest(String call, Object subject, @Nullable Descriptor file, @Nullable Descriptor second) {
    this.call = call;
    this.subject = subject;
    this.file = file;
    this.second = second;
  }

  /// Calls libuv. Without a callback it is done when this returns.
  abstract int make(long loop, long request, long callback);

  /// What the request brought. In the callback, if there is one: quick, no user code.
  abstract T read(long request, long result) throws IOException;

  /// Hands it to the caller, on his side of the callback.
  T hand(T brought) throws IOException {
    return brought;
  }

  /// Nobody takes what it brought.
  void release(@SuppressWarnings("unused") T unused) {}

  /// Nobody takes what it brought, and whoever awaited it has left, before it came.
  void releaseLate(T unused) {
    release(unused);
  }

  /// Whether it makes something that was not there, or fails. Nobody but its caller can know then whose
  /// that is, so [#release] unmakes it. Such a call is not one that lasts for ever.
  boolean makes() {
    return false;
  }

  /// The request has ended, however, and libuv uses nothing of it any more.
  void freed() {}

  /// What failures call what it is about.
  final Object known() {
    return subject;
  }

  @Override
  public final FileRequest<T> named(Object newSubject) {
    subject = newSubject;
    other = null;
    return this;
  }

  @Override
  public final FileRequest<T> named(Path from, Path to) {
    subject = from;
    other = to;
    return this;
  }

  @Override
  protected final int requestSize() {
    return SIZE;
  }

  @Override
  protected final boolean isRevocable() {
    return true;
  }

  // ---- from its beginning to its landing

  @Override
  protected final int begin(long loop, long request) {
    address = request;
    if (!Descriptor.use(file, second)) {
      return UvErrors.UV_ECANCELED; // closed since its caller has looked
    }
    int code = makeOrFree(loop, request, Callbacks.FS_CB);
    if (code < 0) {
      vacate();
    } else {
      inFlight = true;
      if (file != null) {
        file.began(this);
      }
    }
    return code;
  }

  private int makeOrFree(long loop, long request, long callback) {
    try {
      return make(loop, request, callback);
    } catch (Throwable refused) {
      vacate();
      throw refused;
    }
  }

  private void vacate() {
    freed();
    Descriptor.release(file, second);
  }

  @Override
  protected final void received() {
    take(result());
  }

  @Override
  protected final void unclaimed() {
    T unused = value;
    value = null;
    if (unused != null) {
      release(unused);
    }
  }

  @Override
  protected final void late(int lateStatus) {
    take(result());
    T unused = value;
    value = null;
    if (unused != null) {
      releaseLate(unused);
    }
  }

  private void take(long result) {
    try {
      if (result >= 0) {
        value = read(address, result);
      }
    } catch (IOException | RuntimeException | Error e) {
      unreadable = e; // for whoever waits: the callback must tell, whatever it found
    } finally {
      UvFsRequest.uv_fs_req_cleanup(address);
      if (inFlight) {
        inFlight = false;
        landed();
        if (file != null) {
          file.ended(this);
        }
      }
      vacate();
    }
  }

  /// The file is being closed: nobody waits for this any more. Loop thread.
  final void fileCloses() {
    landed();
    endEarly(UvErrors.UV_ECANCELED);
  }

  private void landed() {
    if (landing != null) {
      landing.told();
    }
  }

  @Override
  public final boolean isInFlight() {
    return inFlight;
  }

  @Override
  public final boolean mustLand() {
    return makes() || (file != null && file.isRegular());
  }

  @Override
  public final Operation landing() {
    if (landing == null) {
      landing = new FileLanding(this);
    }
    return landing;
  }

  // ---- what became of it

  @Override
  public final T finish() throws IOException {
    if (status() == UvErrors.UV_ECANCELED && file != null && !file.isOpen()) {
      throw Failures.closedWhile(file, "used");
    }
    if (status() < 0) {
      throw failure(status());
    }
    return taken();
  }

  @Override
  public final T now() throws IOException {
    if (!Descriptor.use(file, second)) {
      throw Failures.closed(subject);
    }
    address = NativeMemory.allocate(SIZE);
    try {
      int code = makeOrFree(0, address, 0);
      // More than an int holds is read in one piece only from the request.
      long result = code < 0 ? code : UvFsRequest.uv_fs_get_result(address);
      take(result);
      if (result < 0) {
        throw failure((int) result);
      }
      return taken();
    } finally {
      NativeMemory.free(address, SIZE);
    }
  }

  @SuppressWarnings("NullAway") // null only where T allows it
  private T taken() throws IOException {
    Failures.rethrow(unreadable);
    return hand(value);
  }

  final IOException failure(int code) {
    return other == null
        ? Failures.ofFile(code, call, subject.toString())
        : Failures.ofFiles(code, call, subject.toString(), other.toString());
  }

  @Override
  public String toString() {
    return call + " " + subject;
  }
}
