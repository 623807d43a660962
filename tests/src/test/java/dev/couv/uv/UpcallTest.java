// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("jvm")
final class UpcallTest {
  @Test
  void everyCallbackArrivesWithItsArguments() throws Exception {
    ChildJvm.Result result = new ChildJvm(EveryCallback.class).run();

    assertThat(result.lines())
        .containsExactlyInAnyOrder(
            "server at 127.0.0.1.true",
            "getnameinfo_cb reverse 0 127.0.0.1 0",
            "udp_send_cb send 0",
            "udp_recv_cb datagrams 5 from 127.0.0.1.true 0",
            "close_cb datagrams",
            "child runs true",
            "poll_cb poll 0 2",
            "exit_cb child 1 0",
            "close_cb poll",
            "close_cb child",
            "alive 1",
            "timer_cb timer",
            "timer_cb idle",
            "idle is active 0",
            "async_cb async",
            "signal_cb signal 28",
            "random_cb random 0 true 16 true",
            "fs_cb stat 0 true",
            "getaddrinfo_cb lookup 0",
            "found true 1 4660 28 0",
            "connection_cb server 0",
            "peer at 127.0.0.1.true",
            "connect_cb connect 0",
            "readable 1 writable 1 queued 0",
            "tried 4",
            "write_cb write 0",
            "shutdown_cb shutdown 0",
            "alloc_cb peer 65536",
            "read_cb peer 'one two' EOF",
            "close_cb timer",
            "close_cb idle",
            "close_cb async",
            "close_cb signal",
            "close_cb server",
            "close_cb client",
            "close_cb peer",
            "run 0",
            "alive 0",
            "close 0");
    assertThat(result.status()).isZero();
  }

  @Test
  void anExceptionOfACallbackDoesNotEndTheVm() throws Exception {
    ChildJvm.Result result = new ChildJvm(Throwing.class).run();

    assertThat(result.lines())
        .containsExactly(
            "escaped java.lang.IllegalStateException: timer_cb",
            "escaped java.lang.IllegalStateException: timer_cb",
            "escaped java.lang.IllegalStateException: timer_cb",
            "escaped java.lang.IllegalStateException: close_cb",
            "run 0",
            "close 0");
    assertThat(result.status()).isZero();
  }

  /// A loop and a timer, which is closed by the third of its callbacks. All of them throw.
  static final class Throwing {
    private static final long CLOSE_CB =
        Upcall.to((_, _, _, _, _) -> fail("close_cb"), Throwing::escaped);
    private static int timerCalls;

    private Throwing() {}

    public static void main(String[] arguments) {
      long loop = Memory.malloc(UvLoop.uv_loop_size());
      long timer = Memory.malloc(UvHandle.uv_handle_size(UvHandle.UV_TIMER));
      UvLoop.uv_loop_init(loop);
      UvTimer.uv_timer_init(loop, timer);
      long fired = Upcall.to((handle, _, _, _, _) -> fire(handle), Throwing::escaped);
      UvTimer.uv_timer_start(timer, fired, 0, 1);
      System.out.println("run " + UvLoop.uv_run(loop, UvLoop.UV_RUN_DEFAULT));
      System.out.println("close " + UvLoop.uv_loop_close(loop));
    }

    private static void fire(long timer) {
      if (++timerCalls == 3) UvHandle.uv_close(timer, CLOSE_CB);
      fail("timer_cb");
    }

    private static void fail(String where) {
      throw new IllegalStateException(where);
    }

    private static void escaped(Throwable thrown) {
      System.out.println("escaped " + thrown);
      throw new IllegalStateException("from escaped too");
    }
  }
}
