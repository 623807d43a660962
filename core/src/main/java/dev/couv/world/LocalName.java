// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.PathBytes;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;

/// The name of a local socket: a path, or an abstract name of Linux, which is no file and goes with its
/// socket. Empty if the socket has none.
///
/// @param bytes as the system has them, because a path need not be text, without a NUL at either end; not to be changed
@SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
public record LocalName(byte[] bytes, boolean isAbstract) {
  /// A path, which is not empty.
  public static LocalName of(Path path) {
    checkNotEmpty(path.toString());
    return new LocalName(PathBytes.bytes(PathBytes.check(path)), false);
  }

  /// An abstract name, which is not empty.
  public static LocalName ofAbstract(String name) {
    checkNotEmpty(name);
    return new LocalName(name.getBytes(UTF_8), true);
  }

  /// As the system tells it: an abstract name begins with a NUL.
  public static LocalName ofSystem(byte... told) {
    boolean isAbstract = told.length > 0 && told[0] == 0;
    return new LocalName(isAbstract ? Arrays.copyOfRange(told, 1, told.length) : told, isAbstract);
  }

  private static void checkNotEmpty(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("the name is empty");
    }
  }

  /// Of one that is not abstract.
  public Path path() {
    return PathBytes.path(bytes);
  }

  /// The JDK knows no abstract names: they are empty to it.
  public UnixDomainSocketAddress address() {
    return UnixDomainSocketAddress.of(isAbstract ? Path.of("") : path());
  }

  @Override
  public String toString() {
    return isAbstract ? "@" + new String(bytes, UTF_8) : path().toString();
  }
}
