// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.stream.ByteStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/// The first writes of a process, while another thread has the lock of every function that is bound: whoever had to link one now would be parked,
/// with the bytes of others where his were.
final class LinkedInAdvanceProgram {
  private LinkedInAdvanceProgram() {}

  @SuppressWarnings("SystemOut")
  public static void main(String... args) throws Exception {
    List.of(PosixBytes.class, UvHandle.class, UvStream.class).forEach(LinkedInAdvanceProgram::bind);
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    Thread.ofPlatform().daemon().start(() -> hold(Binder.names().iterator(), held, free));
    held.await();
    Loop.run(
        () -> {
          try (Pair one = LocalStream.pair();
              Pair other = LocalStream.pair()) {
            Coroutine<Void> first = Coroutine.spawn(() -> one.first().write(bytes("for one")));
            Coroutine<Void> second = Coroutine.spawn(() -> other.first().write(bytes("for other")));
            Coroutine.pause();
            Coroutine.pause();
            free.countDown();
            first.await();
            second.await();
            System.out.println(text(one.second()));
            System.out.println(text(other.second()));
          }
        });
  }

  private static void bind(Class<?> calls) {
    try {
      Class.forName(calls.getName());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static void hold(Iterator<String> names, CountDownLatch held, CountDownLatch free) {
    if (names.hasNext()) {
      synchronized (Objects.requireNonNull(Binder.find(names.next()))) {
        hold(names, held, free);
      }
    } else {
      held.countDown();
      try {
        free.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII));
  }

  private static String text(ByteStream stream) throws Exception {
    return US_ASCII.decode(Objects.requireNonNull(stream.read())).toString();
  }
}
