// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.wire.BackoffOperation;
import dev.couv.world.LocalName;
import dev.couv.world.LocalSockets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

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

  /// Connects to the socket at an abstract name of Linux. If as many connections wait there as it takes, it waits,
  /// too. Cancelling closes the attempt.
  ///
  /// @throws java.net.ConnectException if nobody listens there
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

  /// Listens at a path, as the options say. Does not wait.
  ///
  /// @throws java.net.BindException if somebody listens there, or another file is in the way
  public static LocalListener listen(Path path, LocalOptions options) throws IOException {
    EventLoop loop = Suspension.loop("Local.listen");
    Objects.requireNonNull(options, "options");
    return listen(loop, LocalName.of(path), options);
  }

  /// Listens at an abstract name of Linux: no file, no permissions, and it goes with the listener. Does not wait.
  ///
  /// @throws java.net.BindException if somebody listens there
  public static LocalListener listenAbstract(String name) throws IOException {
    EventLoop loop = Suspension.loop("Local.listenAbstract");
    return listen(loop, LocalName.ofAbstract(name), LocalOptions.DEFAULT);
  }

  private static LocalStream connect(EventLoop loop, LocalName to) throws IOException {
    LocalSockets sockets = Suspension.world().local();
    for (int attempt = 0; ; attempt++) {
      LocalSockets.Connecting connect = sockets.connect(loop, to);
      Suspension.await(connect);
      if (!connect.mustWait()) {
        return new LocalStream(connect.finish());
      }
      Suspension.await(BackoffOperation.after(attempt, loop, "connect to " + to));
    }
  }

  private static LocalListener listen(EventLoop loop, LocalName at, LocalOptions options)
      throws IOException {
    return new LocalListener(Suspension.world().local().listen(loop, at, options.settings()));
  }
}
