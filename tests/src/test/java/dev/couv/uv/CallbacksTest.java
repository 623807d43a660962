// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("jvm")
final class CallbacksTest {
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
  void exceptionInATableDoesNotEndTheVm() throws Exception {
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

  @Test
  void callbackWithoutATableDoesNotEndTheVm() throws Exception {
    ChildJvm.Result result = new ChildJvm(WithoutATable.class).run();

    assertThat(result.lines()).containsExactly("run 0");
    assertThat(result.status()).isZero();
  }

  @Test
  void secondTableIsRefused() throws Exception {
    ChildJvm.Result result = new ChildJvm(TwoTables.class).run();

    assertThat(result.lines())
        .containsExactly("java.lang.AssertionError: a callback table is already installed");
    assertThat(result.status()).isZero();
  }

  @Test
  void everyCallbackOfTheTableHasAStubOfItsOwn() throws Exception {
    Set<String> callbacks = new HashSet<>();
    Set<Long> addresses = new HashSet<>();
    for (Field field : Callbacks.class.getFields()) {
      callbacks.add(field.getName().toLowerCase(Locale.ROOT));
      addresses.add(field.getLong(null));
    }

    Set<String> methods = new HashSet<>();
    for (var method : Callbacks.class.getDeclaredMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) methods.add(method.getName());
    }
    methods.remove("escaped");
    assertThat(callbacks).isEqualTo(methods);
    assertThat(addresses).hasSameSizeAs(callbacks).doesNotContain(0L);
  }

  /// A loop and a timer, which is closed by the third of its callbacks. All of them throw.
  static final class Throwing extends SilentTable {
    private int timerCalls;

    private Throwing() {}

    public static void main(String[] arguments) {
      Callbacks.install(new Throwing());
      long loop = loopWithATimer(1);
      System.out.println("run " + UvLoop.uv_run(loop, UvLoop.UV_RUN_DEFAULT));
      System.out.println("close " + UvLoop.uv_loop_close(loop));
    }

    @Override
    public void timer_cb(long timer) {
      if (++timerCalls == 3) UvHandle.uv_close(timer, Callbacks.CLOSE_CB);
      throw new IllegalStateException("timer_cb");
    }

    @Override
    public void close_cb(long handle) {
      throw new IllegalStateException("close_cb");
    }

    @Override
    public void escaped(Throwable thrown) {
      System.out.println("escaped " + thrown);
      throw new IllegalStateException("from escaped too");
    }
  }

  /// A timer that fires when nobody has said where callbacks go.
  static final class WithoutATable {
    private WithoutATable() {}

    public static void main(String[] arguments) {
      long loop = loopWithATimer(0);
      System.out.println("run " + UvLoop.uv_run(loop, UvLoop.UV_RUN_DEFAULT));
    }
  }

  /// Installs one table twice, and then another.
  static final class TwoTables {
    private TwoTables() {}

    public static void main(String[] arguments) {
      Callbacks first = new SilentTable();
      Callbacks.install(first);
      Callbacks.install(first);
      try {
        Callbacks.install(new SilentTable());
      } catch (AssertionError e) {
        System.out.println(e);
      }
    }
  }

  private static long loopWithATimer(long repeat) {
    long loop = Memory.malloc(UvLoop.uv_loop_size());
    long timer = Memory.malloc(UvHandle.uv_handle_size(UvHandle.UV_TIMER));
    UvLoop.uv_loop_init(loop);
    UvTimer.uv_timer_init(loop, timer);
    UvTimer.uv_timer_start(timer, Callbacks.TIMER_CB, 0, repeat);
    return loop;
  }
}
