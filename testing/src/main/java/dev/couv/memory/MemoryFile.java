// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.Failures;
import dev.couv.world.FileCall;
import dev.couv.world.FileFacts;
import dev.couv.world.FileHandle;
import dev.couv.world.FileSend;
import dev.couv.world.PathEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An open file of a machine in memory.
final class MemoryFile implements FileHandle {
  private final MemoryProcess process;
  private final Node node;
  private final Description file;
  private final Inode inode;
  private final boolean regular;
  private final String name;
  private final List<MemoryCall<?>> calls = new ArrayList<>(1);
  private boolean open = true;

  /// By which its process has it; negative if nobody has asked for it.
  private int number = -1;

  /// `regular` unless it was given to the process, which then knows nothing about it.
  MemoryFile(MemoryProcess process, Description file, boolean regular, Object name) {
    this.process = process;
    this.regular = regular;
    node = process.node();
    this.file = file;
    inode = file.inode;
    this.name = name.toString();
  }

  Inode inode() {
    return inode;
  }

  @Override
  public int number() {
    if (number < 0) {
      number = process.descriptors().lend(new Descriptors.Opened(file));
    }
    return number;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isRegular() {
    return regular;
  }

  // ---- its users

  /// A call begins. False if it is closed.
  boolean begun(MemoryCall<?> call) {
    if (open) {
      calls.add(call);
    }
    return open;
  }

  void ended(MemoryCall<?> call) {
    calls.remove(call);
  }

  private <T extends @Nullable Object> MemoryCall<T> call(String call, MemoryCall.Work<T> work) {
    return new MemoryCall<>(process, call, name, this, work);
  }

  // ---- its bytes

  @Override
  public FileCall<Integer> read(ByteBuffer into, long offset, Consumer<ByteBuffer> unclaimed) {
    return new MemoryCall<>(process, "read", name, this, () -> take(into.remaining(), offset)) {
      private int got;

      @Override
      Integer handed(Integer count) {
        got = count;
        if (count > 0) {
          into.put(into.position(), taken, 0, count);
          into.position(into.position() + count);
        }
        return got;
      }

      @Override
      void unmake(Integer count) {
        if (offset == SHARED_PLACE && count > 0) {
          unclaimed.accept(ByteBuffer.wrap(taken, 0, count));
        }
      }
    };
  }

  /// What the last read brought.
  private byte[] taken = new byte[0];

  private int take(int most, long offset) throws IOException {
    if (!file.reads) {
      throw new Errno("EBADF");
    }
    if (inode.isDirectory()) {
      throw new Errno("EISDIR");
    }
    if (file.isNowhere) {
      return -1;
    }
    taken = new byte[Math.min(most, PIECE)];
    long from = offset == SHARED_PLACE ? file.place : offset;
    int count = inode.read(from, taken);
    if (offset == SHARED_PLACE && count > 0) {
      file.place += count;
    }
    inode.accessed = node.disk().now();
    return count;
  }

  @Override
  public FileCall<Integer> write(ByteBuffer[] from, long offset) {
    return call(
        "write",
        () -> {
          checkWritable();
          int length = 0;
          for (ByteBuffer buffer : from) {
            length = Math.min(PIECE, length + buffer.remaining());
          }
          byte[] bytes = new byte[length];
          int filled = 0;
          for (ByteBuffer buffer : from) {
            int part = Math.min(buffer.remaining(), length - filled);
            buffer.get(buffer.position(), bytes, filled, part);
            filled += part;
          }
          put(bytes, offset);
          int left = length;
          for (ByteBuffer buffer : from) {
            int part = Math.min(buffer.remaining(), left);
            buffer.position(buffer.position() + part);
            left -= part;
          }
          return length;
        });
  }

  private void checkWritable() throws Errno {
    if (!file.writes) {
      throw new Errno("EBADF");
    }
  }

  private void put(byte[] bytes, long offset) throws Errno {
    if (file.isNowhere) {
      return;
    }
    long at = file.appends ? inode.size() : offset == SHARED_PLACE ? file.place : offset;
    node.disk().write(inode, at, bytes);
    if (offset == SHARED_PLACE) {
      file.place = at + bytes.length;
    }
    changed(PathEvent.MODIFIED);
  }

  private void changed(PathEvent event) {
    node.tree().changed(file.at, event);
  }

  @Override
  public FileCall<Long> copyTo(FileHandle target, long offset, long length) {
    MemoryFile to = (MemoryFile) target;
    return call(
        "sendfile",
        () -> {
          byte[] bytes = new byte[(int) Math.min(length, PIECE)];
          int count = inode.read(offset, bytes);
          if (count <= 0) {
            return 0L;
          }
          to.checkWritable();
          to.put(Arrays.copyOf(bytes, count), SHARED_PLACE);
          return (long) count;
        });
  }

  @Override
  public FileCall<@Nullable Void> shareWith(FileHandle target) {
    return call(
        "copy",
        () -> {
          throw new Errno("ENOTSUP");
        });
  }

  @Override
  public FileCall<@Nullable DataRange> data(long from) {
    return call("lseek", () -> from >= inode.size() ? null : new DataRange(from, Long.MAX_VALUE));
  }

  @Override
  public long place() throws IOException {
    checkOpen();
    return file.place;
  }

  @Override
  public void place(long offset) throws IOException {
    checkOpen();
    file.place = offset;
  }

  private void checkOpen() throws IOException {
    if (!open) {
      throw Failures.closed(this);
    }
  }

  @Override
  public boolean isSendable() {
    return false;
  }

  @Override
  public FileSend send(int socket, Object receiver, long offset, long length) {
    throw new AssertionError("no file in memory is sent by the system");
  }

  // ---- about the file

  @Override
  public <T> FileCall<T> stat(FileFacts<T> facts) {
    return call("fstat", () -> MemoryFiles.facts(inode, facts));
  }

  @Override
  public FileCall<@Nullable Void> truncate(long size) {
    return call(
        "ftruncate",
        () -> {
          if (!file.writes) {
            throw new Errno("EINVAL");
          }
          node.disk().resize(inode, size);
          changed(PathEvent.MODIFIED);
          return null;
        });
  }

  @Override
  public FileCall<@Nullable Void> sync(boolean onlyBytes) {
    return call(
        onlyBytes ? "fdatasync" : "fsync",
        () -> {
          node.disk().sync(inode);
          return null;
        });
  }

  @Override
  public FileCall<@Nullable Void> chmod(int mode) {
    return call(
        "fchmod",
        () -> {
          MemoryFiles.chmod(node, inode, mode);
          changed(PathEvent.ATTRIBUTES);
          return null;
        });
  }

  @Override
  public FileCall<@Nullable Void> chown(long uid, long gid) {
    return call(
        "fchown",
        () -> {
          MemoryFiles.chown(node, inode, uid, gid);
          changed(PathEvent.ATTRIBUTES);
          return null;
        });
  }

  @Override
  public void touch(@Nullable Instant accessed, @Nullable Instant modified) throws IOException {
    checkOpen();
    MemoryFiles.touch(node, inode, accessed, modified);
    changed(PathEvent.ATTRIBUTES);
  }

  @Override
  public @Nullable Path path() {
    return null;
  }

  // ---- the end

  @Override
  public void close() {
    if (open) {
      open = false;
      if (number >= 0) {
        process.descriptors().giveBack(number);
      }
      List.copyOf(calls).forEach(MemoryCall::fileCloses);
    }
  }

  @Override
  public void closeWritten() {
    close();
  }

  @Override
  public void collected() {
    // There is nothing to give back.
  }

  @Override
  public String toString() {
    return name;
  }
}
