// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalListenHandle;
import dev.couv.world.LocalName;
import dev.couv.world.LocalSockets;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Local sockets of a machine in memory.
final class MemoryLocalSockets implements LocalSockets {
  private static final int LONGEST = 107;
  private static final LocalName NAMELESS = new LocalName(new byte[0], false);

  private final MemoryProcess process;
  private final Node node;

  MemoryLocalSockets(MemoryProcess process) {
    this.process = process;
    node = process.node();
  }

  static String key(MemoryProcess process, LocalName name) {
    return name.isAbstract()
        ? name.toString()
        : process.absolute(name.path()).normalize().toString();
  }

  private static void check(LocalName name, String call) throws IOException {
    if (name.bytes().length > LONGEST) {
      throw Failures.named("ENAMETOOLONG", call, name.toString());
    }
  }

  @Override
  public LocalListenHandle listen(EventLoop loop, LocalName at, ListenSettings settings)
      throws IOException {
    check(at, "bind");
    process.enter(loop);
    if (at.isAbstract() && node.localListeners().containsKey(key(process, at))) {
      throw MemoryTcpSockets.failure("EADDRINUSE", "bind", at.toString());
    }
    MemoryLocalListener.SocketFile file =
        at.isAbstract() || process.isOver() ? NO_FILE : file(at, settings);
    MemoryLocalListener listener =
        new MemoryLocalListener(process, loop, at, settings.backlog(), file);
    if (!process.isOver()) {
      node.localListeners().put(key(process, at), listener);
    }
    return listener;
  }

  private MemoryLocalListener.SocketFile file(LocalName at, ListenSettings settings)
      throws IOException {
    try {
      Path path = process.absolute(at.path());
      Tree.Place place = node.tree().find(path, false);
      Inode there = place.inode();
      if (there != null
          && there.isSocket()
          && settings.replaceStale()
          && !node.localListeners().containsKey(key(process, at))) {
        node.tree().unlink(place);
        place = node.tree().find(path, false);
      }
      if (place.inode() != null) {
        throw MemoryTcpSockets.failure("EADDRINUSE", "bind", at.toString());
      }
      Inode made = node.tree().make(place, Inode.SOCKET | 0755, null);
      if (settings.permissions() != null) {
        made.mode = Inode.SOCKET | bits(settings.permissions());
      }
      return new OwnFile(path, made);
    } catch (Errno met) {
      throw Failures.ofFile(met.code(), "bind", at.toString());
    }
  }

  private static int bits(Set<PosixFilePermission> permissions) {
    int bits = 0;
    for (char letter : PosixFilePermissions.toString(permissions).toCharArray()) {
      bits = (bits << 1) | (letter == '-' ? 0 : 1);
    }
    return bits;
  }

  /// The file of one that listens, which goes with it.
  private final class OwnFile implements MemoryLocalListener.SocketFile {
    private final Path path;
    private final Inode inode;

    OwnFile(Path path, Inode inode) {
      this.path = path;
      this.inode = inode;
    }

    @Override
    public void permissions(Set<PosixFilePermission> permissions) {
      MemoryFiles.chmod(node, inode, bits(permissions));
    }

    @Override
    public void permitAll(boolean readable, boolean writable) {
      int more = (readable ? 0444 : 0) | (writable ? 0222 : 0);
      MemoryFiles.chmod(node, inode, inode.mode | more);
    }

    @Override
    public void remove() {
      try {
        Tree.Place place = node.tree().find(path, false);
        if (place.inode() == inode) {
          node.tree().unlink(place);
        }
      } catch (Errno gone) {
        // Somebody else has removed it.
      }
    }
  }

  private static final MemoryLocalListener.SocketFile NO_FILE =
      new MemoryLocalListener.SocketFile() {
        @Override
        public void permissions(Set<PosixFilePermission> permissions) {}

        @Override
        public void permitAll(boolean readable, boolean writable) {}

        @Override
        public void remove() {}
      };

  @Override
  public Ends pair(EventLoop loop) {
    process.enter(loop);
    End one = end(NAMELESS, NAMELESS);
    End other = end(NAMELESS, NAMELESS);
    End.made(one, other);
    return new Ends((LocalHandle) one.handle(loop), (LocalHandle) other.handle(loop));
  }

  private End end(LocalName local, LocalName remote) {
    End made = new End(node, true, (end, on) -> new MemoryLocal(end, on, local, remote));
    if (process.isOver()) {
      made.cutOff();
    }
    return made;
  }

  @Override
  public LocalHandle adopt(EventLoop loop, int descriptor) throws IOException {
    process.enter(loop);
    End end = process.descriptors().takeSocket(descriptor);
    return new MemoryLocal(end, loop, NAMELESS, NAMELESS);
  }

  @Override
  public Connecting connect(EventLoop loop, LocalName to) throws IOException {
    check(to, "connect");
    return new Connect(loop, to);
  }

  private final class Connect extends Answer<LocalHandle> implements Connecting {
    private final LocalName to;
    private @Nullable End made;
    private boolean full;

    Connect(EventLoop loop, LocalName to) {
      super(loop, "connect to " + to);
      this.to = to;
    }

    @Override
    void ask() throws IOException {
      process.enter(loop());
      MemoryLocalListener listener = node.localListeners().get(key(process, to));
      if (listener == null) {
        throw refusal();
      }
      full = !listener.hasRoom();
      if (!full) {
        End client = end(NAMELESS, to);
        End server = end(to, NAMELESS);
        End.made(client, server);
        made = client;
        listener.arrived(server);
      }
      answered();
    }

    private IOException refusal() {
      return to.isAbstract() || isThere()
          ? MemoryTcpSockets.failure("ECONNREFUSED", "connect", to.toString())
          : Failures.ofFile("ENOENT", "connect", to.toString());
    }

    private boolean isThere() {
      try {
        node.tree().inode(process.absolute(to.path()), true);
        return true;
      } catch (Errno absent) {
        return false;
      }
    }

    @Override
    public boolean mustWait() {
      return full;
    }

    @Override
    LocalHandle answer() {
      End end = made;
      if (end == null) {
        throw new AssertionError("nothing is open: it must wait");
      }
      made = null;
      return (LocalHandle) end.handle(loop());
    }

    @Override
    void dropped() {
      if (made != null) {
        made.released();
      }
    }
  }
}
