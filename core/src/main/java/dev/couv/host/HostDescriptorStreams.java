// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvFs;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTty;
import dev.couv.world.DescriptorStreams;
import dev.couv.world.StreamHandle;
import dev.couv.world.TerminalHandle;
import java.io.IOException;

/// Pipes and terminals, by libuv.
final class HostDescriptorStreams implements DescriptorStreams {
  @Override
  public Kind kind(int descriptor, String name) throws IOException {
    if (DescriptorFlags.isMissing(descriptor)) {
      throw Failures.named("EBADF", "open", name);
    }
    return switch (UvTty.uv_guess_handle(descriptor)) {
      case UvHandle.UV_TTY -> Kind.TERMINAL;
      case UvHandle.UV_NAMED_PIPE, UvHandle.UV_TCP, UvHandle.UV_UDP -> Kind.PIPE;
      default -> Kind.FILE;
    };
  }

  @Override
  public int duplicate(int descriptor, String name) throws IOException {
    return Failures.check(Posix.dup(descriptor), "open", name);
  }

  /// A pipe is opened anew, so that not to block is a matter of this stream alone: unless it was made by another user, its
  /// other end is gone, or the system cannot do that at all.
  @Override
  public StreamHandle pipe(EventLoop loop, int descriptor, String name) throws IOException {
    int anew = reopen(descriptor);
    return anew < 0
        ? SharedStream.open(loop, duplicate(descriptor, name), name)
        : HostLocal.adopt(loop, anew, name, name);
  }

  /// Without waiting for the other end. A descriptor, or a negative number.
  private static int reopen(int descriptor) {
    try {
      int flags = DescriptorFlags.of(descriptor).accessMode() | PosixBytes.O_NONBLOCK;
      return Answers.given(
          LinuxProcess.path(descriptor),
          path -> Descriptor.atOnce(request -> UvFs.uv_fs_open(0, request, path, flags, 0, 0)));
    } catch (IOException unknown) {
      return -1;
    }
  }

  @Override
  public TerminalHandle terminal(EventLoop loop, int descriptor, String name) throws IOException {
    return HostTerminal.open(loop, descriptor, name);
  }
}
