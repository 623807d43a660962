// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.fs.OpenFile;
import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeStream;
import dev.couv.world.Launch;
import java.io.IOException;
import java.util.Objects;

/// What a child finds at one of its descriptors.
public final class Stdio {
  private static final Stdio INHERIT =
      new Stdio("inherit", (child, launch, at) -> launch.inherit(at));
  private static final Stdio DISCARD =
      new Stdio("discard", (child, launch, at) -> launch.discard(at));
  private static final Stdio PIPE = new Stdio("pipe", Child::connectPipe);
  private static final Stdio SHARE = new Stdio("share", Child::connectSocket);

  /// How a child gets it, at one of its descriptors.
  @FunctionalInterface
  interface Gift {
    void give(Child child, Launch launch, int at) throws IOException;
  }

  private final String name;
  final Gift gift;

  private Stdio(String name, Gift gift) {
    this.name = name;
    this.gift = gift;
  }

  /// What this process has there itself; as [#discard] for a standard stream that it was started without.
  public static Stdio inherit() {
    return INHERIT;
  }

  /// Nothing to read, and whatever is written is gone.
  public static Stdio discard() {
    return DISCARD;
  }

  /// A pipe to the child at its descriptor 0, from it at 1 and 2; at any other a socket as
  /// [#share] gives. This side's end is [Child#stdin], [Child#stdout], [Child#stderr] or [Child#stream].
  public static Stdio pipe() {
    return PIPE;
  }

  /// A connected local socket, for both directions, over which sockets can be passed too. This side's end,
  /// [Child#stream], is a [dev.couv.net.LocalStream]; a child that is a Couv program opens its own by
  /// [dev.couv.net.LocalStream#open(int)].
  public static Stdio share() {
    return SHARE;
  }

  /// A socket, or another stream of the system. The child gets it as programs expect it, blocking; until
  /// the child has ended, this side must do nothing with it but close it.
  ///
  /// @throws IllegalArgumentException if it is none of the system's, as a TLS stream
  public static Stdio stream(ByteStream stream) {
    Objects.requireNonNull(stream, "stream");
    if (stream instanceof NativeStream system) {
      return new Stdio(
          "stream " + system,
          (child, launch, at) -> {
            launch.give(at, system.descriptor());
            child.lend(system);
          });
    }
    if (stream instanceof OpenFile open) {
      return file(open);
    }
    throw new IllegalArgumentException(
        "a child cannot use " + stream + ": it is no stream of the system");
  }

  /// A file, which stays open here. The child begins where the next read or write of it would here. From
  /// then on both have one place, which each moves: when the child has ended, calls without an
  /// offset go on here where it stopped. If the file was opened to append, every write goes to its end.
  ///
  /// Starting the child throws an `IllegalStateException` if a coroutine is in the middle of using the
  /// file, unless it was opened to append: nobody knows where the child would begin.
  public static Stdio file(OpenFile file) {
    Objects.requireNonNull(file, "file");
    return new Stdio("file " + file, (child, launch, at) -> launch.give(at, file.share()));
  }

  /// A descriptor of this process, which stays open here.
  ///
  /// @throws IllegalArgumentException if it is negative
  public static Stdio fd(int descriptor) {
    if (descriptor < 0) {
      throw new IllegalArgumentException("there is no descriptor " + descriptor);
    }
    return new Stdio(
        "fd " + descriptor, (child, launch, at) -> launch.giveByNumber(at, descriptor));
  }

  @Override
  public String toString() {
    return name;
  }
}
