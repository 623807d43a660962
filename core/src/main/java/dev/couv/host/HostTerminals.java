// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.DescriptorFlags;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTty;
import dev.couv.world.SharedEnd;
import dev.couv.world.Terminals;
import java.io.IOException;

/// The standard streams of this process, and the terminals behind them.
final class HostTerminals implements Terminals {
  @Override
  public Kind kind(int descriptor, String name) throws IOException {
    if (DescriptorFlags.isMissing(descriptor)) {
      throw Failures.of(UvErrors.code("EBADF"), "open", name);
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

  @Override
  public SharedEnd share(EventLoop loop, int descriptor, String name) throws IOException {
    return new PosixSharedEnd(loop, duplicate(descriptor, name), name);
  }

  @Override
  public void mode(int descriptor, Mode mode, Object stream) throws IOException {
    TerminalDevice.set(descriptor, stream, mode);
  }

  @Override
  public Mode mode(int descriptor) throws IOException {
    return TerminalDevice.mode(descriptor);
  }

  @Override
  public void discardInput(int descriptor) {
    TerminalDevice.discardInput(descriptor);
  }

  @Override
  public void left(Object stream) {
    TerminalDevice.left(stream);
  }
}
