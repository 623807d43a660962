// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvFile;
import dev.couv.world.FileCall;
import dev.couv.world.FileFacts;
import dev.couv.world.FileHandle;
import dev.couv.world.FileSend;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// An open file of the system's: libuv's calls on it as requests, and those that libuv does not have.
final class HostFile implements FileHandle {
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private static final boolean HAS_OPEN_FILES = new File(OPEN_FILES.toString()).isDirectory();

  private final Descriptor descriptor;

  HostFile(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  @Override
  public int number() {
    return descriptor.number;
  }

  @Override
  public boolean isOpen() {
    return descriptor.isOpen();
  }

  @Override
  public boolean isRegular() {
    return descriptor.isRegular();
  }

  // ---- its bytes

  @Override
  public FileCall<Integer> read(ByteBuffer into, long offset, Consumer<ByteBuffer> unclaimed) {
    return Transfer.read(descriptor, offset, unclaimed, into);
  }

  @Override
  public byte @Nullable [] contentAtHand(int size) {
    if (!isRegular() || !descriptor.use()) {
      return null;
    }
    try {
      return CachedBytes.all(number(), size);
    } finally {
      descriptor.release();
    }
  }

  @Override
  public FileCall<Integer> write(ByteBuffer[] from, long offset) {
    return Transfer.write(descriptor, offset, from);
  }

  /// Not by libuv's copy of whole files (`uv__fs_copyfile` of 1.44.2), which copies all in one go: nobody can stop it
  /// then; it never ends if the file gets shorter meanwhile, because it goes on until as many bytes are copied as
  /// there were; it takes a file that does not tell its size, as in `/proc`, for empty; it fills holes; it sets the
  /// permissions, special bits included, whoever owns the copy; and what it fails to copy it removes, be that a device.
  @Override
  public FileCall<Long> copyTo(FileHandle target, long offset, long length) {
    Descriptor to = descriptorOf(target);
    return Calls.onFiles(
        "sendfile",
        descriptor + " -> " + to,
        (l, r, cb) -> UvFile.uv_fs_sendfile(l, r, to.number, descriptor.number, offset, length, cb),
        (request, result) -> result,
        descriptor,
        to);
  }

  @Override
  public FileCall<@Nullable Void> shareWith(FileHandle target) {
    Descriptor to = descriptorOf(target);
    return BlockingCall.of(
        "copy",
        descriptor,
        descriptor,
        to,
        () -> {
          int code =
              PosixDescriptor.FICLONE == 0
                  ? UvErrors.code("ENOTSUP")
                  : PosixDescriptor.ioctl(to.number, PosixDescriptor.FICLONE, number());
          if (code < 0) {
            throw Failures.ofFiles(code, "copy", descriptor.toString(), to.toString());
          }
          return null;
        });
  }

  private static Descriptor descriptorOf(FileHandle file) {
    return ((HostFile) file).descriptor;
  }

  @Override
  public FileCall<@Nullable DataRange> data(long from) {
    return BlockingCall.of("lseek", descriptor, descriptor, null, () -> dataBehind(from));
  }

  private @Nullable DataRange dataBehind(long from) {
    long data = PosixDescriptor.lseek(number(), from, PosixDescriptor.SEEK_DATA);
    long hole = data < 0 ? data : PosixDescriptor.lseek(number(), data, PosixDescriptor.SEEK_HOLE);
    if (hole == UvErrors.code("ENXIO")) {
      return null;
    }
    return hole < 0 ? new DataRange(from, Long.MAX_VALUE) : new DataRange(data, hole);
  }

  @Override
  public long place() throws IOException {
    return seek(0, PosixDescriptor.SEEK_CUR);
  }

  @Override
  public void place(long offset) throws IOException {
    seek(offset, PosixDescriptor.SEEK_SET);
  }

  private long seek(long offset, int whence) throws IOException {
    return atOnce("lseek", () -> PosixDescriptor.lseek(number(), offset, whence));
  }

  private long atOnce(String call, LongSupplier made) throws IOException {
    if (!descriptor.use()) {
      throw Failures.closed(this);
    }
    try {
      long answer = made.getAsLong();
      Failures.checkFile(answer, call, this);
      return answer;
    } finally {
      descriptor.release();
    }
  }

  // ---- on its way to a socket

  /// A call that may last for ever must not have the socket.
  @Override
  public boolean isSendable() {
    return PosixBytes.HAS_SENDFILE && isRegular();
  }

  @Override
  public boolean isAtHand(long offset, long length) {
    if (!isRegular() || !descriptor.use()) {
      return false;
    }
    try {
      return CachedBytes.has(number(), offset, length);
    } finally {
      descriptor.release();
    }
  }

  @Override
  public FileSend send(int socket, Object receiver, long offset, long length) {
    return new SendfileCall(descriptor, socket, receiver, offset, length);
  }

  // ---- about the file

  @Override
  public <T> FileCall<T> stat(FileFacts<T> facts) {
    return Calls.fstat(descriptor, facts);
  }

  @Override
  public FileCall<@Nullable Void> truncate(long size) {
    return onFile("ftruncate", (l, r, cb) -> UvFile.uv_fs_ftruncate(l, r, number(), size, cb));
  }

  @Override
  public FileCall<@Nullable Void> sync(boolean onlyBytes) {
    return onlyBytes
        ? onFile("fdatasync", (l, r, cb) -> UvFile.uv_fs_fdatasync(l, r, number(), cb))
        : onFile("fsync", (l, r, cb) -> UvFile.uv_fs_fsync(l, r, number(), cb));
  }

  @Override
  public FileCall<@Nullable Void> chmod(int mode) {
    return onFile("fchmod", (l, r, cb) -> UvFile.uv_fs_fchmod(l, r, number(), mode, cb));
  }

  @Override
  public FileCall<@Nullable Void> chown(long uid, long gid) {
    return onFile(
        "fchown", (l, r, cb) -> UvFile.uv_fs_fchown(l, r, number(), (int) uid, (int) gid, cb));
  }

  private FileCall<@Nullable Void> onFile(String call, Calls.Made made) {
    return Calls.onFiles(call, descriptor, made, Calls.NOTHING, descriptor, null);
  }

  @Override
  public void touch(@Nullable Instant accessed, @Nullable Instant modified) throws IOException {
    atOnce("touch", () -> Touch.with(accessed, modified, times -> Posix.futimens(number(), times)));
  }

  @Override
  public @Nullable Path path() {
    return HAS_OPEN_FILES ? OPEN_FILES.resolve(Integer.toString(number())) : null;
  }

  // ---- the end

  @Override
  public void close() {
    descriptor.close();
  }

  @Override
  public void closeWritten() throws IOException {
    Failures.checkFile(descriptor.close(), "close", this);
  }

  @Override
  public void collected() {
    descriptor.closeUnlessUsed();
  }

  @Override
  public String toString() {
    return descriptor.toString();
  }
}
