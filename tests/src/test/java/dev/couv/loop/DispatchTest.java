// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.Memory;
import dev.couv.uv.OtherCalls;
import dev.couv.uv.UvHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Callbacks that do not belong: bugs of ours, which must come out and not end the process.
final class DispatchTest {
  @RegisterExtension final TestLoop test = new TestLoop();

  private Ticking handle;
  private long key;

  @BeforeEach
  void startTicking() {
    handle = new Ticking(test.loop());
    key = Memory.getLong(handle.address());
  }

  @AfterEach
  void stopTicking() {
    Memory.putLong(handle.address(), key);
    handle.close();
    test.turnUntilQuiet();
  }

  @Test
  void aCallbackThatItsOwnerDoesNotExpectComesOutOfThePoll() {
    handle.expected = false;

    AssertionError thrown = assertThrows(AssertionError.class, test::turn);

    assertEquals("unexpected event callback for ticking", thrown.getMessage());
  }

  @Test
  void aCallbackForMemoryThatNobodyOwnsComesOutOfThePoll() {
    TcpHandle other = TcpPair.open(test.loop(), "other");
    long otherKey = Memory.getLong(other.address());
    other.close();
    handle.expected = true;
    test.turnUntilQuiet();
    Memory.putLong(handle.address(), otherKey);

    AssertionError thrown = assertThrows(AssertionError.class, test::turn);

    assertTrue(thrown.getMessage().startsWith("a callback for memory that nobody owns"));
  }

  @Test
  void aCallbackForALoopThatIsClosedComesOutOfThePolls() {
    EventLoop closed = TestLoop.open();
    long closedKey = Memory.getLong(TcpPair.open(closed, "closed").address());
    TestLoop.close(closed);
    Memory.putLong(handle.address(), closedKey);

    AssertionError thrown = assertThrows(AssertionError.class, test::turn);

    assertEquals("a callback for a loop that is closed", thrown.getMessage());
  }

  /// Fires in each turn.
  private static final class Ticking extends ObjectHandle {
    private boolean expected = true;

    Ticking(EventLoop loop) {
      super(loop, UvHandle.UV_IDLE);
      assertEquals(0, open(OtherCalls::uv_idle_init));
      OtherCalls.uv_idle_start(address(), Callbacks.TIMER_CB);
    }

    @Override
    protected void onEvent() {
      if (!expected) {
        super.onEvent();
      }
    }

    @Override
    protected int startEvents() {
      return 0;
    }

    @Override
    protected void stopEvents() {}

    @Override
    protected void closing() {}

    @Override
    public String toString() {
      return "ticking";
    }
  }
}
