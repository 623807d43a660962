// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.PathBytes;
import dev.couv.uv.UvFs;
import dev.couv.uv.UvFsRequest;
import dev.couv.world.FileFacts;
import dev.couv.world.OpenedFile;
import java.io.IOException;
import java.nio.file.Path;

/// Opens a file, and asks about it at once: it is open, so that asks nobody but the kernel's memory.
///
/// Closed again if nobody takes it, or nothing can be learnt about it. A file that this made for certain, because it had
/// to be new, is removed then.
final class Opening<T> extends FileRequest<OpenedFile<T>> {
  /// What becomes of a file that nobody takes.
  private enum Kind {
    FOUND,
    MADE,
    /// With a name that nobody else has.
    TEMPORARY
  }

  private final Path path;
  private final Kind kind;
  private final Calls.OnPath made;
  private final FileFacts<T> facts;

  private Opening(String name, Path path, Kind kind, Calls.OnPath made, FileFacts<T> facts) {
    super(name, PathBytes.check(path));
    this.path = path;
    this.kind = kind;
    this.made = made;
    this.facts = facts;
  }

  static <T> Opening<T> of(Path path, int flags, int mode, FileFacts<T> facts) {
    return new Opening<>(
        "open",
        path,
        OpenFlags.makes(flags) ? Kind.MADE : Kind.FOUND,
        (loop, request, address, callback) ->
            UvFs.uv_fs_open(loop, request, address, flags, mode, callback),
        facts);
  }

  static <T> Opening<T> ofTemporary(Path template, FileFacts<T> facts) {
    return new Opening<>("mkstemp", template, Kind.TEMPORARY, UvFs::uv_fs_mkstemp, facts);
  }

  @Override
  int make(long loop, long request, long callback) {
    return Calls.withPath(path, made, loop, request, callback);
  }

  @Override
  OpenedFile<T> read(long request, long result) throws IOException {
    int number = (int) result;
    Path opened =
        kind == Kind.TEMPORARY ? PathBytes.read(UvFsRequest.uv_fs_get_path(request)) : path;
    try {
      return Calls.of(
              "fstat",
              known() == path ? opened : known(),
              Calls.statOf(number),
              (stat, _) -> opened(number, opened, UvFsRequest.uv_fs_get_statbuf(stat)))
          .now();
    } catch (Throwable failed) {
      abandon(number, opened);
      throw failed;
    }
  }

  private OpenedFile<T> opened(int number, Path opened, long stat) {
    Descriptor descriptor = new Descriptor(number, opened.toString(), Stat.isRegular(stat));
    return new OpenedFile<>(new HostFile(descriptor), opened, Stat.read(stat, facts));
  }

  @Override
  boolean makes() {
    return kind != Kind.FOUND;
  }

  @Override
  void release(OpenedFile<T> unused) {
    abandon(unused.file().number(), unused.path());
  }

  private void abandon(int number, Path opened) {
    try {
      switch (kind) {
        case FOUND -> {}
        case MADE -> Calls.unmake(opened, made -> Calls.unlinkSame(made, identity(number, made)));
        case TEMPORARY -> Calls.unmake(opened, made -> Calls.unlink(made).now());
      }
    } finally {
      Descriptor.closeNow(number);
    }
  }

  private static Stat.Identity identity(int number, Path opened) throws IOException {
    return Calls.of("fstat", opened, Calls.statOf(number), Calls.info(Stat.IDENTITY)).now();
  }
}
