// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.strand.Suspension;
import dev.couv.uv.Layouts;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixSocket;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Local sockets: Unix sockets, named by a path or, on Linux, by an abstract name, and Windows' named
/// pipes.
///
/// A path takes at most 107 bytes on Linux; a longer one is an `ENAMETOOLONG`.
public final class Local {
  private Local() {}

  /// Connects to the socket at a path. If as many connections wait there as it takes, it waits, too.
  /// Cancelling closes the attempt.
  ///
  /// @throws java.net.ConnectException if nobody listens there
  /// @throws java.nio.file.NoSuchFileException if there is no such file
  public static LocalStream connect(Path path) throws IOException {
    EventLoop loop = Suspension.loop("Local.connect");
    return connect(loop, LocalName.of(path));
  }

  /// Likewise, to an abstract name of Linux.
  public static LocalStream connectAbstract(String name) throws IOException {
    EventLoop loop = Suspension.loop("Local.connectAbstract");
    return connect(loop, LocalName.ofAbstract(name));
  }

  /// Listens at a path with the default options: who may connect is left to the `umask`, and a socket
  /// file that nobody listens at is replaced. Does not wait.
  ///
  /// @throws java.net.BindException if somebody listens there, or another file is in the way
  public static LocalListener listen(Path path) throws IOException {
    return listen(path, LocalOptions.DEFAULT);
  }

  /// Likewise.
  public static LocalListener listen(Path path, LocalOptions options) throws IOException {
    EventLoop loop = Suspension.loop("Local.listen");
    Objects.requireNonNull(options, "options");
    return LocalListener.open(loop, LocalName.of(path), options);
  }

  /// Likewise, at an abstract name of Linux: no file, no permissions, and it goes with the listener.
  public static LocalListener listenAbstract(String name) throws IOException {
    EventLoop loop = Suspension.loop("Local.listenAbstract");
    return LocalListener.open(loop, LocalName.ofAbstract(name), LocalOptions.DEFAULT);
  }

  private static LocalStream connect(EventLoop loop, LocalName to) throws IOException {
    to.checkLength("connect");
    for (int attempt = 0; ; attempt++) {
      LocalStream stream = to.isAbstract() ? tryAbstract(loop, to) : tryPath(loop, to);
      if (stream != null) {
        stream.connectedTo(to);
        return stream;
      }
      Suspension.await(new BackoffOperation(loop, attempt, "connect to " + to));
    }
  }

  /// Null if there is no room for another connection now.
  private static @Nullable LocalStream tryPath(EventLoop loop, LocalName to) throws IOException {
    LocalStream stream = LocalStream.open(loop, "connect", to.toString());
    LocalConnectOperation connect = new LocalConnectOperation(stream, to);
    boolean connected = false;
    try {
      Suspension.await(connect);
      if (!connect.mustWait()) {
        connect.finish();
        connected = true;
        return stream;
      }
      return null;
    } finally {
      if (!connected) {
        stream.close();
      }
    }
  }

  /// libuv before 1.46 knows no abstract names. Connecting does not wait, here as there.
  private static @Nullable LocalStream tryAbstract(EventLoop loop, LocalName to)
      throws IOException {
    Suspension.pass("Local.connectAbstract");
    int socket = socket(Layouts.SOCK_STREAM, "connect", to);
    int code = PosixSocket.connect(socket, to.writeAddress(loop.scratch()), to.addressLength());
    if (code >= 0) {
      return LocalStream.adopt(loop, socket);
    }
    Posix.close(socket);
    if (code != UvErrors.UV_EAGAIN) {
      throw LocalFailures.ofConnect(code, to);
    }
    return null;
  }

  /// A socket that does not wait and that children do not inherit.
  static int socket(int kind, String call, LocalName subject) throws IOException {
    int type = kind | Layouts.SOCK_CLOEXEC | Layouts.SOCK_NONBLOCK;
    int socket = PosixSocket.socket(Layouts.AF_UNIX, type, 0);
    if (socket < 0) {
      throw Failures.ofSocket(socket, call, subject.toString());
    }
    return socket;
  }
}
