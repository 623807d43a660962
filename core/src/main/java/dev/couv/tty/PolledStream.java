// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.coro.Event;
import dev.couv.error.BusyException;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.Scratch;
import dev.couv.loop.Turns;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A socket, or a pipe that cannot be opened anew, whose mode must not change because others share it. It is
/// asked whether it is ready, and then for no more than it gives or takes without waiting.
///
/// Nothing is in the hands of the system between two calls, so leaving a call loses nothing.
final class PolledStream implements ByteStream {
  private final EventLoop loop;
  private final SharedEnd end;
  private final String name;
  private final Turns turns = new Turns(this);

  private boolean reading;
  private boolean ended;

  /// What was put back.
  private @Nullable ByteBuffer left;

  private PolledStream(EventLoop loop, SharedEnd end, String name) {
    this.loop = loop;
    this.end = end;
    this.name = name;
  }

  static PolledStream open(EventLoop loop, int descriptor, String name) throws IOException {
    return new PolledStream(loop, SharedEnd.open(descriptor, name), name);
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    checkUsable();
    if (reading) {
      throw new BusyException(this + ": another coroutine is already reading it");
    }
    reading = true;
    try {
      Suspension.pass("read");
      checkStillOpen("read");
      return into.hasRemaining() ? readSome(into) : 0;
    } finally {
      reading = false;
    }
  }

  private int readSome(ByteBuffer into) throws IOException {
    while (!ended) {
      int count = takeLeft(into);
      if (count > 0) {
        return count;
      }
      Scratch scratch = loop.scratch();
      int room = Math.min(into.remaining(), Scratch.BUFFER_SIZE);
      count = (int) end.receive(scratch.bufferAddress(), room);
      if (count > 0) {
        into.put(into.position(), scratch.buffer(), 0, count).position(into.position() + count);
        return count;
      }
      if (count == 0) {
        ended = true;
      } else if (count == UvErrors.UV_EAGAIN) {
        await(end.readable(), "read");
      } else {
        throw Failures.of(count, "read", name);
      }
    }
    int count = takeLeft(into);
    return count > 0 ? count : -1;
  }

  private int takeLeft(ByteBuffer into) {
    ByteBuffer bytes = left;
    if (bytes == null) {
      return 0;
    }
    int count = Math.min(bytes.remaining(), into.remaining());
    into.put(bytes.slice(bytes.position(), count));
    bytes.position(bytes.position() + count);
    if (!bytes.hasRemaining()) {
      left = null;
    }
    return count;
  }

  @Override
  public void unread(ByteBuffer bytes) throws IOException {
    checkUsable();
    if (bytes.hasRemaining()) {
      ByteBuffer behind = left;
      int more = behind == null ? 0 : behind.remaining();
      ByteBuffer all = ByteBuffer.allocate(bytes.remaining() + more).put(bytes);
      left = (behind == null ? all : all.put(behind)).flip();
    }
  }

  @Override
  public void write(ByteBuffer... from) throws IOException {
    UserBuffers.checkSources(from);
    checkUsable();
    Operation turn = turns.take("write to");
    if (turn != null) {
      Suspension.await(turn);
    }
    try {
      Suspension.pass("write");
      for (ByteBuffer buffer : from) {
        writeAll(buffer);
      }
    } finally {
      turns.pass();
    }
  }

  private void writeAll(ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      checkStillOpen("written");
      if (writeSome(from) == 0) {
        await(end.writable(), "written");
      }
    }
  }

  @Override
  public int tryWrite(ByteBuffer from) throws IOException {
    UserBuffers.checkSources(from);
    checkUsable();
    return turns.isFree() && from.hasRemaining() ? writeSome(from) : 0;
  }

  private int writeSome(ByteBuffer from) throws IOException {
    Scratch scratch = loop.scratch();
    int length = Math.min(from.remaining(), Scratch.BUFFER_SIZE);
    scratch.buffer().put(0, from, from.position(), length);
    int count = (int) end.send(scratch.bufferAddress(), length);
    if (count == UvErrors.UV_EAGAIN) {
      return 0;
    }
    if (count < 0) {
      throw Failures.of(count, "write", name);
    }
    from.position(from.position() + count);
    return count;
  }

  private void await(Event<?> ready, String done) throws IOException {
    try {
      ready.await();
    } catch (ClosedException closed) {
      throw Failures.closedWhile(this, done);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Nothing is queued. The end would be one for everybody who shares it: it comes with the process.
  @Override
  public void shutdown() throws IOException {
    checkUsable();
    close();
  }

  @Override
  public boolean isOpen() {
    return end.isOpen();
  }

  @Override
  public long pending() throws IOException {
    checkUsable();
    return 0;
  }

  @Override
  public void close() {
    if (isOpen()) {
      loop.checkThread(this);
      left = null;
      end.close();
    }
  }

  private void checkUsable() throws IOException {
    loop.checkThread(this);
    if (!isOpen()) {
      throw Failures.closed(this);
    }
  }

  private void checkStillOpen(String done) throws IOException {
    if (!isOpen()) {
      throw Failures.closedWhile(this, done);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
