// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.error.UvException;
import dev.couv.loop.Failures;
import dev.couv.loop.Scratch;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/// The name of a local socket: a path, or an abstract name of Linux, which is no file and goes with its
/// socket. Empty if the socket has none.
record LocalName(String text, boolean isAbstract) {
  /// What the system has room for, without the NUL at the end or the beginning. libuv would cut a longer
  /// one without a word.
  static final int LONGEST = (int) (Layouts.SOCKADDR_UN_SIZE - Layouts.SOCKADDR_UN_PATH) - 1;

  private static final int ROOM = 128;

  static LocalName of(Path path) {
    return checked(new LocalName(path.toString(), false));
  }

  static LocalName ofAbstract(String name) {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      throw new UnsupportedOperationException("abstract names are Linux's own");
    }
    return checked(new LocalName(name, true));
  }

  private static LocalName checked(LocalName name) {
    if (name.text.isEmpty()) {
      throw new IllegalArgumentException("the name is empty");
    }
    return name;
  }

  /// Throws if the system has no room for it.
  void checkLength(String call) throws UvException {
    if (text.getBytes(UTF_8).length > LONGEST) {
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
    SocketAddresses.writeFamily(at, Layouts.AF_UNIX, Layouts.SOCKADDR_UN_SIZE);
    write(at + Layouts.SOCKADDR_UN_PATH, isAbstract ? 1 : 0);
    return at;
  }

  /// How long that address is: abstract names end where the address does.
  int addressLength() {
    return (int) Layouts.SOCKADDR_UN_PATH + 1 + text.getBytes(UTF_8).length;
  }

  private long write(long at, int offset) {
    byte[] bytes = text.getBytes(UTF_8);
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
        new String(bytes, isAbstract ? 1 : 0, bytes.length - (isAbstract ? 1 : 0), UTF_8),
        isAbstract);
  }

  /// The JDK knows no abstract names: they are empty to it.
  UnixDomainSocketAddress address() {
    return UnixDomainSocketAddress.of(isAbstract ? "" : text);
  }

  @Override
  public String toString() {
    return isAbstract ? "@" + text : text;
  }
}
