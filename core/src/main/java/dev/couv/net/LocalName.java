// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.error.UvException;
import dev.couv.loop.Failures;
import dev.couv.loop.PathBytes;
import dev.couv.loop.Scratch;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;

/// The name of a local socket: a path, or an abstract name of Linux, which is no file and goes with its
/// socket. Empty if the socket has none.
final class LocalName {
  /// What the system has room for, without the NUL at the end or the beginning. libuv would cut a longer
  /// one without a word.
  static final int LONGEST = (int) (Layouts.SOCKADDR_UN_SIZE - Layouts.SOCKADDR_UN_PATH) - 1;

  private static final int ROOM = 128;

  /// As the system has it: a path need not be text.
  private final byte[] bytes;

  private final boolean isAbstract;

  private LocalName(byte[] bytes, boolean isAbstract) {
    this.bytes = bytes;
    this.isAbstract = isAbstract;
  }

  static LocalName of(Path path) {
    boolean isEmpty = path.toString().isEmpty();
    return checked(
        new LocalName(isEmpty ? new byte[0] : PathBytes.bytes(PathBytes.check(path)), false));
  }

  static LocalName ofAbstract(String name) {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      throw new UnsupportedOperationException("abstract names are Linux's own");
    }
    return checked(new LocalName(name.getBytes(UTF_8), true));
  }

  private static LocalName checked(LocalName name) {
    if (name.bytes.length == 0) {
      throw new IllegalArgumentException("the name is empty");
    }
    return name;
  }

  boolean isAbstract() {
    return isAbstract;
  }

  /// Of one that is not abstract.
  Path path() {
    return PathBytes.path(bytes);
  }

  /// Throws if the system has no room for it.
  void checkLength(String call) throws UvException {
    if (bytes.length > LONGEST) {
      throw Failures.of(UvErrors.code("ENAMETOOLONG"), call, toString());
    }
  }

  /// As a C string, where the next call can read it.
  long writePath(Scratch scratch) {
    return write(scratch.argumentsAddress(), 0);
  }

  /// As a socket address, likewise.
  long writeAddress(Scratch scratch) {
    long at = scratch.argumentsAddress();
    Memory.zero(at, Layouts.SOCKADDR_UN_SIZE);
    dev.couv.host.SocketAddresses.writeFamily(at, Layouts.AF_UNIX, Layouts.SOCKADDR_UN_SIZE);
    write(at + Layouts.SOCKADDR_UN_PATH, isAbstract ? 1 : 0);
    return at;
  }

  /// How long that address is: abstract names end where the address does.
  int addressLength() {
    return (int) Layouts.SOCKADDR_UN_PATH + 1 + bytes.length;
  }

  private long write(long at, int offset) {
    Memory.copy(bytes, 0, at + offset, bytes.length);
    Memory.putByte(at + offset + bytes.length, (byte) 0);
    return at;
  }

  /// The name a socket is bound to.
  static LocalName local(Object subject, long pipe, Scratch scratch) throws IOException {
    long at = prepare(scratch);
    int code = UvPipe.uv_pipe_getsockname(pipe, at, at + ROOM);
    Failures.check(code, "getsockname", subject);
    return read(at);
  }

  /// The name its peer is bound to.
  static LocalName remote(Object subject, long pipe, Scratch scratch) throws IOException {
    long at = prepare(scratch);
    int code = UvPipe.uv_pipe_getpeername(pipe, at, at + ROOM);
    Failures.check(code, "getpeername", subject);
    return read(at);
  }

  private static long prepare(Scratch scratch) {
    long at = scratch.argumentsAddress();
    Memory.putLong(at + ROOM, ROOM);
    return at;
  }

  private static LocalName read(long at) {
    byte[] bytes = new byte[(int) Memory.getLong(at + ROOM)];
    Memory.copy(at, bytes, 0, bytes.length);
    boolean isAbstract = bytes.length > 0 && bytes[0] == 0;
    return new LocalName(
        isAbstract ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes, isAbstract);
  }

  /// The JDK knows no abstract names: they are empty to it.
  UnixDomainSocketAddress address() {
    return UnixDomainSocketAddress.of(isAbstract ? Path.of("") : path());
  }

  @Override
  public String toString() {
    return isAbstract ? "@" + new String(bytes, UTF_8) : path().toString();
  }
}
