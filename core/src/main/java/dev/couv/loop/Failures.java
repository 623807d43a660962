// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.error.UvException;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/// From libuv's codes to exceptions, once: above this layer nobody sees a negative number.
public final class Failures {
  private Failures() {}

  /// Loads all that a failure is made of: when there are no descriptors left, no class may be found any
  /// more that would say so.
  public static void prepare() {
    of(UvErrors.code("EMFILE"), "open", "");
  }

  /// Throws what `code` deserves if it is negative.
  public static int check(int code, String call, Object subject) throws IOException {
    if (code < 0) {
      throw of(code, call, subject.toString());
    }
    return code;
  }

  /// The code, unless it is that of a failure of a socket, which is thrown.
  public static int checkSocket(int code, String call, Object subject) throws IOException {
    if (code < 0) {
      throw ofSocket(code, call, subject.toString());
    }
    return code;
  }

  /// The plain failure, which names call and subject.
  public static UvException of(int code, String call, String subject) {
    return new UvException(UvErrors.name(code), -code, UvErrors.message(code), call, subject);
  }

  /// The plain failure by the name of its code, for those who are told no number.
  public static UvException named(String name, String call, String subject) {
    return of(UvErrors.code(name), call, subject);
  }

  /// The failure of a call on a socket: the JDK's own type where users catch it.
  public static IOException ofSocket(int code, String call, String subject) {
    UvException failure = of(code, call, subject);
    return switch (failure.code()) {
      case "ECONNREFUSED", "ETIMEDOUT" ->
          call.equals("connect")
              ? caused(new ConnectException(message(failure)), failure)
              : failure;
      case "EHOSTUNREACH", "ENETUNREACH" ->
          caused(new NoRouteToHostException(message(failure)), failure);
      case "EADDRINUSE", "EADDRNOTAVAIL" -> caused(new BindException(message(failure)), failure);
      case "EACCES", "EPERM" ->
          call.equals("bind") || call.equals("listen")
              ? caused(new BindException(message(failure)), failure)
              : failure;
      case "EAI_NONAME", "EAI_NODATA", "EAI_ADDRFAMILY", "EAI_AGAIN", "EAI_FAIL" ->
          caused(new UnknownHostException(message(failure)), failure);
      default -> failure;
    };
  }

  /// What a call on a file answers, unless that is an error.
  public static int checkFile(long code, String call, Object subject) throws IOException {
    if (code < 0) {
      throw ofFile((int) code, call, subject.toString());
    }
    return (int) code;
  }

  /// The failure of a call on a file: the JDK's own type where users catch it.
  public static IOException ofFile(int code, String call, String path) {
    return mapped(of(code, call, path), path, null);
  }

  /// The failure that a call on a file would meet with that code, which is named: `EISDIR`.
  public static IOException ofFile(String code, String call, String path) {
    return ofFile(UvErrors.code(code), call, path);
  }

  /// The same for a call on two files: which of them it was about the system does not tell.
  public static IOException ofFiles(int code, String call, String path, String other) {
    return mapped(of(code, call, path + " -> " + other), path, other);
  }

  private static IOException mapped(UvException failure, String path, @Nullable String other) {
    String message = message(failure);
    return switch (failure.code()) {
      case "ENOENT" -> caused(new NoSuchFileException(path, other, message), failure);
      case "EEXIST" -> caused(new FileAlreadyExistsException(path, other, message), failure);
      case "ENOTEMPTY" ->
          caused(new DirectoryNotEmptyException(other == null ? path : other), failure);
      case "EACCES", "EPERM" -> caused(new AccessDeniedException(path, other, message), failure);
      default -> failure;
    };
  }

  /// Throws what a call on a file met with, on whatever thread; nothing if that is null.
  public static void rethrow(@Nullable Throwable met) throws IOException {
    if (met != null) {
      throw io(met);
    }
  }

  /// For what cannot throw any other checked exception: that is thrown which is none, and `met` is returned as what it
  /// is otherwise.
  public static IOException io(Throwable met) {
    return switch (met) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(met);
    };
  }

  // ---- closed by our side

  /// The failure of a call on a stream, listener, socket, file or watch that is closed already. What is
  /// no I/O throws `ClosedException` instead.
  public static ClosedChannelException closed(Object subject) {
    return new Closed(subject + " is closed");
  }

  /// The failure of one that waited, or was under way, when it was closed; `done` as in "read".
  public static AsynchronousCloseException closedWhile(Object subject, String done) {
    return new ClosedMeanwhile(subject + " was closed while it was " + done);
  }

  /// The JDK's own takes no message. Called by the name under which it is caught.
  private static final class Closed extends ClosedChannelException {
    private static final long serialVersionUID = 1L;

    private final String message;

    Closed(String message) {
      this.message = message;
    }

    @Override
    public String getMessage() {
      return message;
    }

    @Override
    public String toString() {
      return ClosedChannelException.class.getName() + ": " + message;
    }
  }

  /// Likewise.
  private static final class ClosedMeanwhile extends AsynchronousCloseException {
    private static final long serialVersionUID = 1L;

    private final String message;

    ClosedMeanwhile(String message) {
      this.message = message;
    }

    @Override
    public String getMessage() {
      return message;
    }

    @Override
    public String toString() {
      return AsynchronousCloseException.class.getName() + ": " + message;
    }
  }

  /// For calls that make a loop, which the machine may have no descriptors left for.
  static void checkOpening(String call, int code) {
    if (code < 0) {
      throw new UncheckedIOException(of(code, call, "a new loop"));
    }
  }

  /// For calls that can fail only by a bug of ours.
  static void assertOk(String call, int code) {
    if (code < 0) {
      throw new AssertionError(
          call + ": " + UvErrors.message(code) + " (" + UvErrors.name(code) + ")");
    }
  }

  private static String message(UvException failure) {
    return String.valueOf(failure.getMessage());
  }

  private static IOException caused(IOException mapped, UvException cause) {
    mapped.initCause(cause);
    return mapped;
  }
}
