// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Permissions.checkOwner;
import static dev.couv.fs.Way.AWAITED;
import static dev.couv.fs.Way.NOW;
import static dev.couv.fs.Way.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The file system. Everything comes in two ways: the plain name waits in the calling coroutine, while
/// one of libuv's threads works; the one that ends in `Now` blocks the calling thread, which need not be
/// a coroutine's.
///
/// Failures are the JDK's own where users catch these, `NoSuchFileException` for example, else a
/// `UvException`; either way with call and path.
///
/// Cancelling revokes what no thread has begun. What has begun ends by itself, and what it brings is
/// released: a file that was opened is closed. What it made is unmade before the caller leaves, where it makes something
/// new or fails; what was there perhaps, stays.
public final class Fs {
  private Fs() {}

  /// Opens a file: for reading, unless the options say otherwise. A file that is created gets the
  /// permissions `rw-rw-rw-`, less what the process's mask takes away.
  ///
  /// Cancelled, a descriptor that comes late is closed; what `CREATE_NEW` made is removed, and what `CREATE` made
  /// is not, because it may have been there.
  public static OpenFile open(Path path, OpenOption... options) throws IOException {
    return OpenFile.open(AWAITED, path, OpenOptions.of(options), Permissions.OF_FILE);
  }

  /// Like [#open(Path, OpenOption...)], blocking the thread.
  public static OpenFile openNow(Path path, OpenOption... options) throws IOException {
    return OpenFile.open(NOW, path, OpenOptions.of(options), Permissions.OF_FILE);
  }

  /// Opens a file, as [#open(Path, OpenOption...)] does; one that is created gets those permissions, less what the
  /// process's mask takes away.
  public static OpenFile open(
      Path path, Set<PosixFilePermission> permissions, OpenOption... options) throws IOException {
    return OpenFile.open(AWAITED, path, OpenOptions.of(options), Permissions.bits(permissions));
  }

  /// Like [#open(Path, Set, OpenOption...)], blocking the thread.
  public static OpenFile openNow(
      Path path, Set<PosixFilePermission> permissions, OpenOption... options) throws IOException {
    return OpenFile.open(NOW, path, OpenOptions.of(options), Permissions.bits(permissions));
  }

  /// Opens an ordinary file for reading, and nothing else: of a named pipe, for example, it does not wait for the other end.
  ///
  /// @throws NotRegularFileException if there is something else
  public static OpenFile openRegular(Path path) throws IOException {
    return OpenFile.openRegular(AWAITED, path);
  }

  /// Like [#openRegular(Path)], blocking the thread.
  public static OpenFile openRegularNow(Path path) throws IOException {
    return OpenFile.openRegular(NOW, path);
  }

  /// What the system knows about the file, or about the one that a link leads to.
  public static FileInfo info(Path path) throws IOException {
    return AWAITED.make(files().stat(path, FileInfo::new));
  }

  /// Like [#info(Path)], blocking the thread.
  public static FileInfo infoNow(Path path) throws IOException {
    return NOW.make(files().stat(path, FileInfo::new));
  }

  /// What the system knows about the file, or about the one that a link leads to; null if there is nothing, as
  /// [#exists] means it.
  ///
  /// @throws IOException if that cannot be known: `AccessDeniedException` above all
  public static @Nullable FileInfo infoOrNull(Path path) throws IOException {
    return Asking.info(AWAITED, path);
  }

  /// Like [#infoOrNull(Path)], blocking the thread.
  public static @Nullable FileInfo infoOrNullNow(Path path) throws IOException {
    return Asking.info(NOW, path);
  }

  /// What the system knows about a symbolic link itself, or about what else is at the path.
  public static FileInfo infoOfLink(Path path) throws IOException {
    return AWAITED.make(files().lstat(path, FileInfo::new));
  }

  /// Like [#infoOfLink(Path)], blocking the thread.
  public static FileInfo infoOfLinkNow(Path path) throws IOException {
    return NOW.make(files().lstat(path, FileInfo::new));
  }

  /// What the system knows about the file system that the path is on.
  public static FileSystemInfo fileSystem(Path path) throws IOException {
    return AWAITED.make(files().statfs(path, FileSystemInfo::new));
  }

  /// Like [#fileSystem(Path)], blocking the thread.
  public static FileSystemInfo fileSystemNow(Path path) throws IOException {
    return NOW.make(files().statfs(path, FileSystemInfo::new));
  }

  /// Whether there is something at the path. A link that leads nowhere, or to itself, is not.
  ///
  /// @throws IOException if that cannot be known: `AccessDeniedException` above all
  public static boolean exists(Path path) throws IOException {
    return Asking.exists(AWAITED, path);
  }

  /// Like [#exists(Path)], blocking the thread.
  public static boolean existsNow(Path path) throws IOException {
    return Asking.exists(NOW, path);
  }

  /// Whether this process may do all of that with the file. False if it may not.
  ///
  /// @throws NoSuchFileException if there is no file
  public static boolean access(Path path, AccessMode... modes) throws IOException {
    return Asking.access(AWAITED, path, modes);
  }

  /// Like [#access(Path, AccessMode...)], blocking the thread.
  public static boolean accessNow(Path path, AccessMode... modes) throws IOException {
    return Asking.access(NOW, path, modes);
  }

  /// The entries of a directory, read as they are asked for. To be closed.
  public static Listing list(Path path) throws IOException {
    return Listing.open(path, AWAITED);
  }

  /// Like [#list(Path)], blocking the thread.
  public static Listing listNow(Path path) throws IOException {
    return Listing.open(path, NOW);
  }

  /// Makes a directory.
  ///
  /// @throws FileAlreadyExistsException if there is something at the path
  public static void makeDir(Path path) throws IOException {
    AWAITED.make(files().mkdirOwn(path, Permissions.OF_DIRECTORY));
  }

  /// Like [#makeDir(Path)], blocking the thread.
  public static void makeDirNow(Path path) throws IOException {
    NOW.make(files().mkdirOwn(path, Permissions.OF_DIRECTORY));
  }

  /// Makes a directory with those permissions, less what the process's mask takes away.
  public static void makeDir(Path path, Set<PosixFilePermission> permissions) throws IOException {
    AWAITED.make(files().mkdirOwn(path, Permissions.bits(permissions)));
  }

  /// Like [#makeDir(Path, Set)], blocking the thread.
  public static void makeDirNow(Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    NOW.make(files().mkdirOwn(path, Permissions.bits(permissions)));
  }

  /// Makes a directory, and those above it that are missing. One that is there already is fine.
  public static void makeDirs(Path path) throws IOException {
    MissingDirs.make(AWAITED, path);
  }

  /// Like [#makeDirs(Path)], blocking the thread.
  public static void makeDirsNow(Path path) throws IOException {
    MissingDirs.make(NOW, path);
  }

  /// Makes a directory that nobody else has, in the system's place for such; only its owner may use it.
  public static Path makeTempDir(String prefix) throws IOException {
    return AWAITED.make(files().mkdtemp(Temporaries.template(prefix)));
  }

  /// Like [#makeTempDir(String)], blocking the thread.
  public static Path makeTempDirNow(String prefix) throws IOException {
    return NOW.make(files().mkdtemp(Temporaries.template(prefix)));
  }

  /// Makes a directory that nobody else has, in that one; only its owner may use it.
  public static Path makeTempDir(Path parent, String prefix) throws IOException {
    return AWAITED.make(files().mkdtemp(Temporaries.template(parent, prefix)));
  }

  /// Like [#makeTempDir(Path, String)], blocking the thread.
  public static Path makeTempDirNow(Path parent, String prefix) throws IOException {
    return NOW.make(files().mkdtemp(Temporaries.template(parent, prefix)));
  }

  /// Makes a file that nobody else has, in the system's place for such; only its owner may use it.
  ///
  /// Cancelled, a file that comes late is removed.
  public static Path makeTempFile(String prefix) throws IOException {
    return Temporaries.make(AWAITED, Temporaries.template(prefix));
  }

  /// Like [#makeTempFile(String)], blocking the thread.
  public static Path makeTempFileNow(String prefix) throws IOException {
    return Temporaries.make(NOW, Temporaries.template(prefix));
  }

  /// Makes a file that nobody else has, in that directory; only its owner may use it.
  public static Path makeTempFile(Path parent, String prefix) throws IOException {
    return Temporaries.make(AWAITED, Temporaries.template(parent, prefix));
  }

  /// Like [#makeTempFile(Path, String)], blocking the thread.
  public static Path makeTempFileNow(Path parent, String prefix) throws IOException {
    return Temporaries.make(NOW, Temporaries.template(parent, prefix));
  }

  /// Makes a file that nobody else has, as [#makeTempFile(String)] does, and opens it, for reading and writing. Its path
  /// is [OpenFile#path].
  public static OpenFile openTempFile(String prefix) throws IOException {
    return Temporaries.open(AWAITED, Temporaries.template(prefix));
  }

  /// Like [#openTempFile(String)], blocking the thread.
  public static OpenFile openTempFileNow(String prefix) throws IOException {
    return Temporaries.open(NOW, Temporaries.template(prefix));
  }

  /// Removes a file or a symbolic link.
  ///
  /// @throws IOException with `EISDIR` or `EPERM` if it is a directory
  public static void remove(Path path) throws IOException {
    AWAITED.make(files().unlink(path));
  }

  /// Like [#remove(Path)], blocking the thread.
  public static void removeNow(Path path) throws IOException {
    NOW.make(files().unlink(path));
  }

  /// Removes an empty directory.
  ///
  /// @throws DirectoryNotEmptyException if it is not empty
  public static void removeDir(Path path) throws IOException {
    AWAITED.make(files().rmdir(path));
  }

  /// Like [#removeDir(Path)], blocking the thread.
  public static void removeDirNow(Path path) throws IOException {
    NOW.make(files().rmdir(path));
  }

  /// Removes a file, or a directory with everything in it. Symbolic links are removed, not followed.
  ///
  /// Cancelled, it stops between two files.
  ///
  /// @throws IOException with `EINVAL`, before anything is removed, if the path ends in `.` or `..`, or is the root or
  ///     empty, as `rm` refuses them
  public static void removeTree(Path path) throws IOException {
    new TreeRemoval(AWAITED).remove(path);
  }

  /// Like [#removeTree(Path)], blocking the thread.
  public static void removeTreeNow(Path path) throws IOException {
    new TreeRemoval(NOW).remove(path);
  }

  /// Gives a file or directory another path, on the same file system. A file that is there is replaced.
  public static void move(Path from, Path to) throws IOException {
    AWAITED.make(files().rename(from, to));
  }

  /// Like [#move(Path, Path)], blocking the thread.
  public static void moveNow(Path from, Path to) throws IOException {
    NOW.make(files().rename(from, to));
  }

  /// Copies a file, over what is there, as the system's `cp` does it: a file that is made gets the permissions of
  /// the other, less what the process's mask takes away, and one that is there keeps its own. Holes stay
  /// holes. Where the file system can, they share their blocks.
  ///
  /// @throws IOException with `EISDIR` if it is a directory
  public static void copy(Path from, Path to) throws IOException {
    copy(from, to, CopyOptions.DEFAULT);
  }

  /// Like [#copy(Path, Path)], blocking the thread.
  public static void copyNow(Path from, Path to) throws IOException {
    copyNow(from, to, CopyOptions.DEFAULT);
  }

  /// Copies a file as the options say. Cancelled, it stops after the piece that is on its way, and an
  /// unfinished copy is removed, as it is when copying fails.
  public static void copy(Path from, Path to, CopyOptions options) throws IOException {
    new FileCopy(AWAITED, from, to, options).run();
  }

  /// Like [#copy(Path, Path, CopyOptions)], blocking the thread.
  public static void copyNow(Path from, Path to, CopyOptions options) throws IOException {
    new FileCopy(NOW, from, to, options).run();
  }

  /// Gives a file one more name.
  public static void link(Path existing, Path made) throws IOException {
    AWAITED.make(files().link(existing, made));
  }

  /// Like [#link(Path, Path)], blocking the thread.
  public static void linkNow(Path existing, Path made) throws IOException {
    NOW.make(files().link(existing, made));
  }

  /// Makes a symbolic link that leads to the target, which need not be there.
  public static void symlink(Path target, Path made) throws IOException {
    AWAITED.make(files().symlink(target, made));
  }

  /// Like [#symlink(Path, Path)], blocking the thread.
  public static void symlinkNow(Path target, Path made) throws IOException {
    NOW.make(files().symlink(target, made));
  }

  /// Where a symbolic link leads, as it is written in it.
  public static Path readLink(Path path) throws IOException {
    return AWAITED.make(files().readlink(path));
  }

  /// Like [#readLink(Path)], blocking the thread.
  public static Path readLinkNow(Path path) throws IOException {
    return NOW.make(files().readlink(path));
  }

  /// The absolute path without links and dots.
  public static Path realPath(Path path) throws IOException {
    return AWAITED.make(files().realpath(path));
  }

  /// Like [#realPath(Path)], blocking the thread.
  public static Path realPathNow(Path path) throws IOException {
    return NOW.make(files().realpath(path));
  }

  /// Sets the permissions.
  public static void chmod(Path path, Set<PosixFilePermission> permissions) throws IOException {
    chmod(path, Permissions.bits(permissions));
  }

  /// Like [#chmod(Path, Set)], blocking the thread.
  public static void chmodNow(Path path, Set<PosixFilePermission> permissions) throws IOException {
    chmodNow(path, Permissions.bits(permissions));
  }

  /// Sets the permissions as C's number: `0644`. The bits above the nine are set-user, set-group and sticky.
  public static void chmod(Path path, int mode) throws IOException {
    AWAITED.make(files().chmod(path, Permissions.check(mode)));
  }

  /// Like [#chmod(Path, int)], blocking the thread.
  public static void chmodNow(Path path, int mode) throws IOException {
    NOW.make(files().chmod(path, Permissions.check(mode)));
  }

  /// Sets owner and group; -1 leaves one as it is.
  public static void chown(Path path, long uid, long gid) throws IOException {
    AWAITED.make(files().chown(path, checkOwner(uid), checkOwner(gid)));
  }

  /// Like [#chown(Path, long, long)], blocking the thread.
  public static void chownNow(Path path, long uid, long gid) throws IOException {
    NOW.make(files().chown(path, checkOwner(uid), checkOwner(gid)));
  }

  /// Sets owner and group of a symbolic link itself; -1 leaves one as it is.
  public static void chownOfLink(Path path, long uid, long gid) throws IOException {
    AWAITED.make(files().lchown(path, checkOwner(uid), checkOwner(gid)));
  }

  /// Like [#chownOfLink(Path, long, long)], blocking the thread.
  public static void chownOfLinkNow(Path path, long uid, long gid) throws IOException {
    NOW.make(files().lchown(path, checkOwner(uid), checkOwner(gid)));
  }

  /// Sets the times of a file, to the nanosecond; null leaves one as it is.
  public static void touch(Path path, @Nullable Instant accessed, @Nullable Instant modified)
      throws IOException {
    AWAITED.make(files().touch(path, false, accessed, modified));
  }

  /// Like [#touch(Path, Instant, Instant)], blocking the thread.
  public static void touchNow(Path path, @Nullable Instant accessed, @Nullable Instant modified)
      throws IOException {
    NOW.make(files().touch(path, false, accessed, modified));
  }

  /// Sets the times of a symbolic link itself, to the nanosecond; null leaves one as it is.
  public static void touchLink(Path path, @Nullable Instant accessed, @Nullable Instant modified)
      throws IOException {
    AWAITED.make(files().touch(path, true, accessed, modified));
  }

  /// Like [#touchLink(Path, Instant, Instant)], blocking the thread.
  public static void touchLinkNow(Path path, @Nullable Instant accessed, @Nullable Instant modified)
      throws IOException {
    NOW.make(files().touch(path, true, accessed, modified));
  }

  /// All bytes of a file, also where its size is not known before.
  public static byte[] readBytes(Path path) throws IOException {
    return WholeFile.read(AWAITED, path);
  }

  /// Like [#readBytes(Path)], blocking the thread.
  public static byte[] readBytesNow(Path path) throws IOException {
    return WholeFile.read(NOW, path);
  }

  /// All text of a file, in UTF-8.
  ///
  /// @throws CharacterCodingException if it is no such text
  public static String readString(Path path) throws IOException {
    return WholeFile.readText(AWAITED, path);
  }

  /// Like [#readString(Path)], blocking the thread.
  public static String readStringNow(Path path) throws IOException {
    return WholeFile.readText(NOW, path);
  }

  /// Makes those the bytes of a file, or as the options say.
  public static void writeBytes(Path path, byte[] bytes, OpenOption... options) throws IOException {
    WholeFile.write(AWAITED, path, ByteBuffer.wrap(bytes), options);
  }

  /// Like [#writeBytes(Path, byte[], OpenOption...)], blocking the thread.
  public static void writeBytesNow(Path path, byte[] bytes, OpenOption... options)
      throws IOException {
    WholeFile.write(NOW, path, ByteBuffer.wrap(bytes), options);
  }

  /// Makes that the text of a file, in UTF-8, or as the options say.
  public static void writeString(Path path, CharSequence text, OpenOption... options)
      throws IOException {
    WholeFile.write(AWAITED, path, StandardCharsets.UTF_8.encode(CharBuffer.wrap(text)), options);
  }

  /// Like [#writeString(Path, CharSequence, OpenOption...)], blocking the thread.
  public static void writeStringNow(Path path, CharSequence text, OpenOption... options)
      throws IOException {
    WholeFile.write(NOW, path, StandardCharsets.UTF_8.encode(CharBuffer.wrap(text)), options);
  }

  /// The lines of a file, in UTF-8, read as they are asked for. To be closed, unless a loop over them comes to
  /// its end.
  public static FileLines lines(Path path) throws IOException {
    return FileLines.open(AWAITED, path);
  }

  /// Like [#lines(Path)], blocking the thread.
  public static FileLines linesNow(Path path) throws IOException {
    return FileLines.open(NOW, path);
  }
}
