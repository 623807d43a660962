// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.nio.file.AccessMode;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A file system, by its calls on paths. Modes are POSIX's; an owner or a group of -1 stays as it is.
///
/// What a call opens and nobody takes is closed, and what it makes is unmade where it makes something new or fails. Any
/// thread: what comes to belong to a loop says so.
public interface FileCalls {
  // ---- what is open then

  /// Opens a file. The options are the JDK's, and [AtOnce]: what is to be read or written is said by `READ` and `WRITE`, `APPEND`
  /// comes with `WRITE`, and those that make or cut off a file, too. A file that is made gets that mode, less the
  /// process's mask. Failures to learn about it are failures to open it.
  <T> PathCall<OpenedFile<T>> open(
      Path path, Set<OpenOption> options, int mode, FileFacts<T> facts);

  /// Opens a directory as a place from which others are reached: [FileHandle#place]. Fails for a link to one.
  <T> PathCall<OpenedFile<T>> openPlace(Path path, FileFacts<T> facts);

  /// Makes a file that nobody else has, with six other letters in place of the `XXXXXX` that the path ends with, and opens
  /// it for reading and writing.
  <T> PathCall<OpenedFile<T>> mkstemp(Path template, FileFacts<T> facts);

  /// A file that was opened elsewhere: the descriptor is its own from now on. Nothing is known about it.
  FileHandle adopt(int descriptor, String name);

  /// Opens a directory to list it, by coroutines of that loop; or by calls that block, if there is none. It is told of
  /// entries that came with the opening, which may be none, before the call ends, and on whatever thread. `known` is what
  /// failures call it.
  FileCall<DirHandle> opendir(
      Path path, Object known, @Nullable EventLoop loop, DirHandle.Entries first);

  // ---- what is at a path

  <T> PathCall<T> stat(Path path, FileFacts<T> facts);

  /// Asks about a symbolic link itself.
  <T> PathCall<T> lstat(Path path, FileFacts<T> facts);

  <T> PathCall<T> statfs(Path path, FileSystemFacts<T> facts);

  /// Fails if there is nothing, or this process may not do all of that with it.
  PathCall<@Nullable Void> access(Path path, AccessMode... modes);

  PathCall<Path> readlink(Path path);

  PathCall<Path> realpath(Path path);

  // ---- making and removing

  /// Makes a directory that others may count on at once: it stays, whoever leaves.
  PathCall<@Nullable Void> mkdir(Path path, int mode);

  /// Makes a directory, which is removed again if nobody is told of it.
  PathCall<Path> mkdirOwn(Path path, int mode);

  /// Makes a directory that nobody else has; the template is that of [#mkstemp].
  PathCall<Path> mkdtemp(Path template);

  PathCall<Path> link(Path existing, Path made);

  /// The target is text: it need not be there.
  PathCall<Path> symlink(Path target, Path made);

  PathCall<@Nullable Void> rename(Path from, Path to);

  PathCall<@Nullable Void> unlink(Path path);

  PathCall<@Nullable Void> rmdir(Path path);

  // ---- changing

  PathCall<@Nullable Void> chmod(Path path, int mode);

  PathCall<@Nullable Void> chown(Path path, long uid, long gid);

  /// Gives away a symbolic link itself.
  PathCall<@Nullable Void> lchown(Path path, long uid, long gid);

  /// Sets the times, to the nanosecond, of what is at the path, or of the link itself; null leaves one as it is.
  FileCall<@Nullable Void> touch(
      Path path, boolean ofLink, @Nullable Instant accessed, @Nullable Instant modified);
}
