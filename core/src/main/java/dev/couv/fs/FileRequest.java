// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.Operation;
import dev.couv.loop.RequestOperation;
import dev.couv.loop.WaitOperation;
import dev.couv.strand.Suspension;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvFsRequest;
import dev.couv.uv.UvRequest;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One request to the file system: awaited, while one of libuv's threads works on it, or made at
/// once on the calling thread. What [Way] chooses between.
///
/// Cancelled, it is revoked, or ends by itself if a thread is inside the call already; what it
/// brings after that is released. What it made is unmade, if it is known that nobody else made it: then
/// whoever leaves goes when that is done.
abstract class FileRequest<T extends @Nullable Object> extends RequestOperation {
  private static final int SIZE = Math.toIntExact(UvRequest.uv_req_size(UvRequest.UV_FS));

  static {
    Failures.prepare();
  }

  private final String call;

  /// What it is about, in words only when they are needed: a path may be long.
  private Object subject;

  /// The second of two paths, if it has two: the subject is the first.
  private @Nullable Path other;

  /// The open file it works on, if any: that must not be closed under it.
  private @Nullable Descriptor file;

  private long address;
  private @Nullable T value;

  /// Why there is no value although the system answered.
  private @Nullable Throwable unreadable;

  /// Whether libuv has it.
  private boolean inFlight;

  /// The wait until libuv has it no more.
  private @Nullable Landing landing;

  /// `call` and `subject` are the words of its failure, as in "open /etc/passwd".
  FileRequest(String call, Object subject) {
    this.call = call;
    this.subject = subject;
  }

  /// Calls libuv. Without a callback it is done when this returns.
  abstract int make(long loop, long request, long callback);

  /// What the request brought. In the callback, if there is one: quick, no user code.
  abstract T read(long request, long result);

  /// Nobody takes what it brought.
  void release(@SuppressWarnings("unused") T unused) {}

  /// Whether it makes something that was not there, or fails. Nobody but its caller can know then whose
  /// that is, so [#release] unmakes it. Such a call is not one that lasts for ever.
  boolean makes() {
    return false;
  }

  /// The request has ended, however, and libuv uses nothing of it any more.
  void freed() {}

  final String call() {
    return call;
  }

  /// Calls it that in failures, where the path that is used is not the one the caller knows.
  final FileRequest<T> named(Object newSubject) {
    subject = newSubject;
    other = null;
    return this;
  }

  /// Calls it that where two paths are concerned.
  final FileRequest<T> named(Path from, Path to) {
    subject = from;
    other = to;
    return this;
  }

  final FileRequest<T> on(Descriptor user) {
    file = user;
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

  @Override
  protected final int begin(long loop, long request) {
    address = request;
    boolean closed = file != null && !file.isOpen(); // since its caller became a user
    int code = closed ? UvErrors.UV_ECANCELED : makeOrFree(loop, request, Callbacks.FS_CB);
    if (code < 0) {
      freed();
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
      freed();
      throw refused;
    }
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
    unclaimed();
  }

  private void take(long result) {
    try {
      if (result >= 0) {
        value = read(address, result);
      }
    } catch (RuntimeException | Error e) {
      unreadable = e; // for whoever waits: the callback must tell, whatever it found
    } finally {
      UvFsRequest.uv_fs_req_cleanup(address);
      freed();
      if (inFlight) {
        landed();
      }
    }
  }

  private void landed() {
    inFlight = false;
    landEarly();
    if (file != null) {
      file.ended(this);
    }
  }

  /// Tells who waits for the landing that there is nothing to wait for.
  final void landEarly() {
    if (landing != null) {
      landing.told();
    }
  }

  /// Whether it was ended because its file was closed.
  final boolean isRevoked() {
    return status() == UvErrors.UV_ECANCELED;
  }

  final boolean isInFlight() {
    return inFlight;
  }

  /// Waiting until libuv has it no more, whoever has left meanwhile.
  final Operation landing() {
    return new Landing();
  }

  /// Who awaited it leaves: what it still makes is unmade before he goes.
  final void left() {
    if (makes()) {
      awaitLanding();
    }
  }

  /// Waits until no thread is inside the call. Whoever is cancelled or resumed once more meanwhile has been
  /// told already.
  final void awaitLanding() {
    while (inFlight) {
      try {
        Coroutine.protect(() -> Suspension.await(landing()));
      } catch (Resumed impatient) {
        // The thread is not quicker for that.
      } catch (RuntimeException | Error failed) {
        throw failed;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  /// What it brought, when the await has returned.
  final T finish() throws IOException {
    if (status() < 0) {
      throw failure(status());
    }
    return taken();
  }

  /// Makes it at once, blocking the calling thread.
  final T now() throws IOException {
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
  private T taken() {
    switch (unreadable) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(unreadable);
    }
    return value;
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

  private final class Landing extends WaitOperation {
    @Override
    protected boolean enter() {
      landing = this;
      return !inFlight;
    }

    @Override
    public String toString() {
      return "the end of " + FileRequest.this;
    }
  }
}
