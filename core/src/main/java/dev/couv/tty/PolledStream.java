// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.error.BusyException;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.Turns;
import dev.couv.loop.UserBuffers;
import dev.couv.poll.Poll;
import dev.couv.poll.PollEvent;
import dev.couv.poll.Readiness;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.world.DescriptorStreams;
import dev.couv.world.SharedEnd;
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

  /// Who reads may be told of the end of the bytes, and of that of the stream.
  private State state = State.OPEN;

  private boolean reading;

  /// Made when somebody first has to wait.
  private @Nullable PollEvent readable;

  private @Nullable PollEvent writable;

  /// What was put back.
  private @Nullable ByteBuffer left;

  private enum State {
    OPEN,
    ENDED,
    CLOSED
  }

  private PolledStream(EventLoop loop, SharedEnd end, String name) {
    this.loop = loop;
    this.end = end;
    this.name = name;
  }

  /// The descriptor stays the caller's.
  static PolledStream open(EventLoop loop, DescriptorStreams streams, int descriptor, String name)
      throws IOException {
    return new PolledStream(loop, streams.share(loop, descriptor, name), name);
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
    while (state == State.OPEN) {
      int count = takeLeft(into);
      if (count == 0) {
        count = end.read(into);
      }
      if (count > 0) {
        return count;
      }
      if (count < 0) {
        state = State.ENDED;
      } else {
        await(readable(), "read");
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
      if (end.write(from) == 0) {
        await(writable(), "written");
      }
    }
  }

  @Override
  public int tryWrite(ByteBuffer from) throws IOException {
    UserBuffers.checkSources(from);
    checkUsable();
    return turns.isFree() && from.hasRemaining() ? end.write(from) : 0;
  }

  private PollEvent readable() throws IOException {
    PollEvent event = readable;
    if (event == null) {
      event = Poll.open(end.toPoll(false), Readiness.READABLE);
      readable = event;
    }
    return event;
  }

  private PollEvent writable() throws IOException {
    PollEvent event = writable;
    if (event == null) {
      Readiness ready = end.isPolledItself() ? Readiness.WRITABLE : Readiness.READABLE;
      event = Poll.open(end.toPoll(true), ready);
      writable = event;
    }
    return event;
  }

  private void await(PollEvent ready, String done) throws IOException {
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
    return state != State.CLOSED;
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
      state = State.CLOSED;
      left = null;
      try (PollEvent _ = readable;
          PollEvent _ = writable) {
        // Whoever awaits them is told.
      } finally {
        end.close();
      }
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
