// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.error.UvException;
import dev.couv.loop.Abilities;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Scratch;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixSocket;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import dev.couv.world.LocalName;
import java.io.IOException;
import java.util.function.IntUnaryOperator;

/// Between the names of local sockets and the system's addresses, in the loop's scratch memory.
final class LocalAddresses {
  /// What the system has room for, without the NUL at the end or the beginning. libuv would cut a longer
  /// one without a word.
  private static final int LONGEST =
      (int) (Layouts.SOCKADDR_UN_SIZE - Layouts.SOCKADDR_UN_PATH) - 1;

  private static final int ROOM = 128;

  private LocalAddresses() {}

  /// Throws if the system has no such names, or no room for this one.
  static void check(LocalName name, String call) throws UvException {
    if (name.isAbstract() && !Abilities.hasAbstractNames()) {
      throw new UnsupportedOperationException("abstract names are Linux's own");
    }
    if (name.bytes().length > LONGEST) {
      throw Failures.of(UvErrors.code("ENAMETOOLONG"), call, name.toString());
    }
  }

  /// As a C string, where the next call can read it.
  static long writePath(Scratch scratch, LocalName name) {
    return write(name, scratch.argumentsAddress(), 0);
  }

  /// As a socket address, where the next call can read it.
  static long writeAddress(Scratch scratch, LocalName name) {
    long at = scratch.argumentsAddress();
    Memory.zero(at, Layouts.SOCKADDR_UN_SIZE);
    NativeAddresses.writeFamily(at, Layouts.AF_UNIX, Layouts.SOCKADDR_UN_SIZE);
    write(name, at + Layouts.SOCKADDR_UN_PATH, name.isAbstract() ? 1 : 0);
    return at;
  }

  /// How long that address is: abstract names end where the address does.
  static int addressLength(LocalName name) {
    return (int) Layouts.SOCKADDR_UN_PATH + 1 + name.bytes().length;
  }

  private static long write(LocalName name, long at, int offset) {
    byte[] bytes = name.bytes();
    Memory.copy(bytes, 0, at + offset, bytes.length);
    Memory.putByte(at + offset + bytes.length, (byte) 0);
    return at;
  }

  /// The name a socket is bound to.
  static LocalName local(ObjectHandle socket) throws IOException {
    return ask(socket, "getsockname", UvPipe::uv_pipe_getsockname);
  }

  /// The name its peer is bound to.
  static LocalName remote(ObjectHandle socket) throws IOException {
    return ask(socket, "getpeername", UvPipe::uv_pipe_getpeername);
  }

  private static LocalName ask(ObjectHandle socket, String call, NativeAddresses.NameCall name)
      throws IOException {
    long at = socket.loop().scratch().argumentsAddress();
    Memory.putLong(at + ROOM, ROOM);
    Failures.check(name.write(socket.address(), at, at + ROOM), call, socket);
    byte[] bytes = new byte[(int) Memory.getLong(at + ROOM)];
    Memory.copy(at, bytes, 0, bytes.length);
    return LocalName.ofSystem(bytes);
  }

  /// A socket that does not wait and that children do not inherit, or a negative code.
  static int socket(int kind) {
    int type = kind | Layouts.SOCK_CLOEXEC | Layouts.SOCK_NONBLOCK;
    return PosixSocket.socket(Layouts.AF_UNIX, type, 0);
  }

  /// Makes a socket of streams, does that to it, and gives it away. A negative code if one of these failed.
  static int open(IntUnaryOperator naming, IntUnaryOperator taking) {
    int socket = socket(Layouts.SOCK_STREAM);
    int code = socket < 0 ? socket : naming.applyAsInt(socket);
    if (code >= 0) {
      code = taking.applyAsInt(socket);
    }
    if (code < 0 && socket >= 0) {
      Posix.close(socket);
    }
    return code;
  }

  /// Connects such a socket: 0 or a negative code.
  static int connect(int socket, Scratch scratch, LocalName to) {
    return PosixSocket.connect(socket, writeAddress(scratch, to), addressLength(to));
  }
}
