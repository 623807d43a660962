// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.net.Udp;
import dev.couv.stream.ByteStream;
import dev.couv.sync.Chan;
import dev.couv.sync.Mutex;
import dev.couv.sync.Promise;
import dev.couv.time.Time;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/// Calls one function of the runtime at every depth of a stack near its end, from the bottom up, in many
/// coroutines, and tells in a line what there was afterwards: for [StackEdgeTest].
final class StackEdgeProgram {
  private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);

  /// At every depth near the bottom it is called, and further up at some of them: a thread that leaves its
  /// carrier needs the more stack the deeper it is.
  private static final int BOTTOM = 400;

  private static final int TOP = 8000;
  private static final int STEP = 97;

  /// Each round begins a little deeper than the one before, so that all remainders are met.
  private static final int ROUNDS = 5;

  private static int height = TOP;
  private static int overflows;
  private static int returns;

  private StackEdgeProgram() {}

  public static void main(String[] args) throws Exception {
    for (String name : args) {
      overflows = 0;
      returns = 0;
      Loop.run(() -> sweep(name));
    }
    System.out.println("ended");
  }

  private static void sweep(String name) throws Exception {
    TcpListener listener = Tcp.listen(ANY);
    Coroutine<?> server = Coroutine.spawn(() -> serve(listener));
    Action call = calls(listener).get(name);
    for (int i = 0; i < 3; i++) {
      call.run(); // what is loaded and linked by the first call is not the matter here
    }
    LoopStats before = settled();
    int descriptors = descriptors();
    for (int round = 0; round < ROUNDS; round++) {
      height = 0;
      int padding = round;
      Coroutine<?> diver = Coroutine.spawn(() -> pad(padding, call));
      within(name + " hangs", diver::await);
    }
    height = TOP;
    for (int i = 0; i < 20; i++) {
      within(name + " does not work any more", call);
    }
    LoopStats after = settled();
    System.out.printf(
        "%s: overflows %b, returns %b, coroutines %+d, handles %+d, closing %d, requests %d, timers"
            + " %+d, descriptors %+d%n",
        name,
        overflows > 0,
        returns > 0,
        after.coroutines() - before.coroutines(),
        after.handles() - before.handles(),
        after.closingHandles(),
        after.requests(),
        after.timers() - before.timers(),
        descriptors() - descriptors);
    listener.close();
    within("the server does not end", server::await);
  }

  @SuppressWarnings("try") // a scope may be interrupted when it is closed
  private static Map<String, Action> calls(TcpListener listener) {
    Map<String, Action> calls = new LinkedHashMap<>();
    Chan<String> full = Chan.create(1_000_000);
    Chan<String> meeting = Chan.create(0);
    Mutex mutex = new Mutex();
    Duration moment = Duration.ofNanos(1000);
    calls.put("sleep", () -> Time.sleep(moment));
    calls.put("pause", Coroutine::pause);
    calls.put("spawn", () -> Coroutine.spawn(() -> Time.sleep(moment)).await());
    calls.put(
        "timeout",
        () -> {
          try {
            Time.timeout(moment, () -> Time.sleep(Duration.ofDays(1)));
          } catch (TimeoutException expected) {
            // it is what was asked for
          }
        });
    calls.put(
        "scope",
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(() -> Time.sleep(moment));
          }
        });
    calls.put(
        "resume",
        () -> {
          Coroutine<?> generator =
              Coroutine.create(
                  () -> {
                    Coroutine.yield(1);
                    return 2;
                  });
          try {
            generator.resume();
            generator.resume();
          } finally {
            generator.cancel();
          }
        });
    calls.put("udp", () -> Udp.bind(ANY).close());
    calls.put("listen", () -> Tcp.listen(ANY).close());
    calls.put(
        "connect",
        () -> {
          try (TcpStream stream = Tcp.connect(listener.local())) {
            stream.write(ByteBuffer.wrap(new byte[] {1}));
            stream.readFully(ByteBuffer.allocate(1));
          }
        });
    calls.put(
        "chan",
        () -> {
          full.send("x");
          full.receive();
        });
    calls.put(
        "turns",
        () -> {
          for (int i = 0; i < 40; i++) { // more than may be ready before the others have a turn
            full.send("x");
            full.receive();
          }
        });
    calls.put(
        "meet",
        () -> {
          Coroutine<?> sender = Coroutine.spawn(() -> meeting.send("x"));
          try {
            meeting.receive();
          } finally {
            sender.cancel();
          }
        });
    calls.put(
        "promise",
        () -> {
          Promise<String> promise = new Promise<>();
          Coroutine.spawn(() -> promise.complete("x"));
          promise.await();
        });
    calls.put(
        "mutex",
        () -> {
          try (var _ = mutex.hold()) {
            Coroutine.pause();
          }
        });
    return calls;
  }

  private static void serve(TcpListener listener) throws IOException {
    for (TcpStream peer : listener) {
      Coroutine.spawn(
          () -> {
            try (peer) {
              ByteStream.copy(peer, peer);
            } catch (IOException gone) {
              // it had no stack to say goodbye
            }
          });
    }
  }

  private static void pad(int frames, Action call) throws Exception {
    if (frames > 0) {
      pad(frames - 1, call);
    } else {
      dive(call);
    }
  }

  /// To the bottom, and on the way up a call at each depth.
  private static void dive(Action call) throws Exception {
    try {
      dive(call);
    } catch (StackOverflowError bottom) {
      overflows++;
    }
    height++;
    if (height < BOTTOM || (height < TOP && height % STEP == 0)) {
      try {
        call.run();
        returns++;
      } catch (StackOverflowError refused) {
        overflows++;
      }
    }
  }

  private static void within(String complaint, Action action) throws Exception {
    try {
      Time.timeout(Duration.ofSeconds(100), action);
    } catch (TimeoutException hangs) {
      System.out.println(complaint + "\n" + Loop.current().dump());
      System.exit(1);
    }
  }

  /// When what was given up has been closed and collected.
  private static LoopStats settled() throws Exception {
    LoopStats stats = Loop.current().stats();
    for (int i = 0; i < 1000 && (stats.closingHandles() > 0 || stats.coroutines() > 2); i++) {
      System.gc();
      Time.sleep(Duration.ofMillis(10));
      stats = Loop.current().stats();
    }
    return stats;
  }

  private static int descriptors() {
    String[] open = new File("/proc/self/fd").list();
    return open == null ? 0 : open.length;
  }
}
