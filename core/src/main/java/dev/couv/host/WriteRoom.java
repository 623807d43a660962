// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.ObjectOperation;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPoll;
import dev.couv.world.Delivery;
import java.io.IOException;

/// Waits until a descriptor takes bytes.
final class WriteRoom extends ObjectHandle {
  private final PolledEnd end;
  private final Object stream;

  private WriteRoom(EventLoop loop, PolledEnd end, Object stream) {
    super(loop, UvHandle.UV_POLL);
    this.end = end;
    this.stream = stream;
  }

  static WriteRoom open(EventLoop loop, int descriptor, Object stream) throws IOException {
    PolledEnd end = PolledEnd.of(descriptor, true, stream);
    try {
      WriteRoom room = new WriteRoom(loop, end, stream);
      Failures.check(room.open(end::init), "poll", stream);
      return room;
    } catch (Throwable failed) {
      end.close();
      throw failed;
    }
  }

  Delivery await() {
    return new Waiting();
  }

  @Override
  protected int startEvents() {
    return end.start(address());
  }

  @Override
  protected void stopEvents() {
    UvPoll.uv_poll_stop(address());
  }

  @Override
  protected void onPoll(int status, int events) {
    if (awaited() != null) {
      complete(); // who writes then is told if something is wrong
    }
    stopIdle();
  }

  @Override
  protected void closing() {
    end.close(address());
  }

  @Override
  public String toString() {
    return stream.toString();
  }

  /// Brings nothing: its waiter tries again to write.
  private final class Waiting extends ObjectOperation implements Delivery {
    Waiting() {
      super(WriteRoom.this);
    }

    @Override
    protected boolean takeAtHand() {
      return false;
    }

    @Override
    protected void giveBack() {}

    @Override
    public void finish() throws IOException {
      if (isClosed()) {
        throw Failures.closedWhile(stream, "written");
      }
      Failures.check(refusal(), "write", stream);
    }

    @Override
    public String toString() {
      return "write to " + stream;
    }
  }
}
