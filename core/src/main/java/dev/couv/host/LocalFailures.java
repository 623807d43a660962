// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.uv.UvErrors;
import dev.couv.world.LocalName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The failures of calls on local sockets, which are files to some of them and sockets to others.
final class LocalFailures {
  private static final int UV_ENOENT = UvErrors.code("ENOENT");
  private static final int UV_EACCES = UvErrors.code("EACCES");

  private LocalFailures() {}

  static IOException ofConnect(int code, LocalName to) {
    return code == UV_ENOENT || code == UV_EACCES
        ? Failures.ofFile(code, "connect", to.toString())
        : Failures.ofSocket(code, "connect", to.toString());
  }

  /// libuv says `EACCES` when there is no such folder.
  static IOException ofBind(int code, LocalName name) {
    Path folder = name.isAbstract() ? null : name.path().toAbsolutePath().getParent();
    return code == UV_EACCES && folder != null && !Files.exists(folder)
        ? Failures.ofFile(UV_ENOENT, "bind", name.toString())
        : Failures.ofSocket(code, "bind", name.toString());
  }
}
