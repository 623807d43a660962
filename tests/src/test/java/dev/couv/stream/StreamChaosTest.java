// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.UvException;
import dev.couv.net.TcpPair;
import dev.couv.time.Time;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Readers and writers are resumed, cancelled and timed out at random moments, in a random order of
/// turns. What arrives is exactly what the positions of the written buffers say.
final class StreamChaosTest {
  private static final byte[] PATTERN = Bytes.pattern(4 << 20);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void nothingIsLostOrRepeatedWhoeverLeavesWhenever(long seed) throws Exception {
    Loop.run(
        LoopOptions.DEFAULT.withShuffle(seed),
        () -> {
          Random random = new Random(seed);
          try (TcpPair pair = TcpPair.open()) {
            ByteArrayOutputStream received = new ByteArrayOutputStream();
            boolean[] ended = {false};
            int written = 0;
            List<Coroutine<?>> readers = new ArrayList<>();
            Set<Coroutine<?>> cancelled = new HashSet<>();
            while (written < PATTERN.length) {
              ByteBuffer[] parts = parts(random, written);
              Coroutine<?> writer = Coroutine.spawn(() -> write(pair.client(), parts, random));
              while (!isEnded(writer)) {
                if (readers.isEmpty() || isEnded(readers.getLast())) {
                  readers.add(Coroutine.spawn(() -> read(pair.server(), received, ended, random)));
                }
                disturb(random, writer, cancelled);
                disturb(random, readers.getLast(), cancelled);
                Time.sleep(Duration.ofNanos(random.nextInt(3)));
              }
              awaitQuietly(writer);
              for (ByteBuffer part : parts) {
                written += part.position();
              }
            }
            Coroutine<?> ending = Coroutine.spawn(() -> pair.client().shutdown());
            awaitQuietly(readers.getLast());
            while (!ended[0]) {
              read(pair.server(), received, ended, random);
            }
            ending.await();

            assertEquals(written, received.size());
            assertArrayEquals(Arrays.copyOf(PATTERN, written), received.toByteArray());
          }
        });
  }

  private static boolean isEnded(Coroutine<?> coroutine) {
    return switch (coroutine.status()) {
      case DONE, FAILED, CANCELLED -> true;
      case CREATED, READY, RUNNING, NORMAL, SUSPENDED -> false;
    };
  }

  private static void awaitQuietly(Coroutine<?> coroutine) throws Exception {
    try {
      coroutine.await();
    } catch (CancellationException disturbed) {
      // It has left at a moment of our choice.
    }
  }

  /// The next bytes of the pattern in one to four buffers, each a view of its own.
  private static ByteBuffer[] parts(Random random, int from) {
    ByteBuffer[] parts = new ByteBuffer[1 + random.nextInt(4)];
    int at = from;
    for (int i = 0; i < parts.length; i++) {
      int length = Math.min(random.nextInt(200_000), PATTERN.length - at);
      ByteBuffer slice = ByteBuffer.wrap(PATTERN).slice(at, length);
      parts[i] = random.nextBoolean() ? slice : ByteBuffer.allocateDirect(length).put(slice).flip();
      at += length;
    }
    return parts;
  }

  private static void write(ByteStream to, ByteBuffer[] parts, Random random) throws Exception {
    try {
      if (random.nextInt(4) == 0) {
        Time.timeout(Duration.ofNanos(random.nextInt(300_000)), () -> to.write(parts));
      } else {
        to.write(parts);
      }
    } catch (Resumed | TimeoutException disturbed) {
      // The positions tell how far it came.
    }
  }

  private static void read(
      ByteStream from, ByteArrayOutputStream received, boolean[] ended, Random random)
      throws Exception {
    try {
      if (random.nextInt(4) == 0) {
        Time.timeout(
            Duration.ofNanos(random.nextInt(300_000)),
            () -> readOnce(from, received, ended, random));
      } else {
        readOnce(from, received, ended, random);
      }
    } catch (Resumed | TimeoutException disturbed) {
      // What it did not get is still there.
    }
  }

  private static void readOnce(
      ByteStream from, ByteArrayOutputStream received, boolean[] ended, Random random)
      throws Exception {
    ByteBuffer got =
        switch (random.nextInt(3)) {
          case 0 -> filled(from, ByteBuffer.allocate(1 + random.nextInt(100_000)));
          case 1 -> filled(from, ByteBuffer.allocateDirect(1 + random.nextInt(300_000)));
          default -> from.read();
        };
    if (got == null) {
      ended[0] = true;
      return;
    }
    byte[] bytes = new byte[got.remaining()];
    got.get(bytes);
    received.write(bytes);
  }

  private static ByteBuffer filled(ByteStream from, ByteBuffer buffer) throws Exception {
    return from.read(buffer) < 0 ? null : buffer.flip();
  }

  private static void disturb(Random random, Coroutine<?> coroutine, Set<Coroutine<?>> cancelled)
      throws Exception {
    Status status = coroutine.status();
    boolean waits = status == Status.SUSPENDED || status == Status.READY;
    if (!waits || cancelled.contains(coroutine)) {
      return;
    }
    switch (random.nextInt(12)) {
      case 0 -> coroutine.resume();
      case 1 -> {
        coroutine.cancel();
        cancelled.add(coroutine);
      }
      default -> {}
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void closeAtAnyMomentEndsEverybody(long seed) throws Exception {
    Random random = new Random(seed);
    for (int round = 0; round < 15; round++) {
      Loop.run(
          LoopOptions.DEFAULT.withShuffle(seed + round),
          () -> {
            try (TcpPair pair = TcpPair.open()) {
              List<Coroutine<Boolean>> everybody = new ArrayList<>();
              for (ByteStream end : List.of(pair.client(), pair.server())) {
                for (int i = 0; i < 3; i++) {
                  everybody.add(
                      Coroutine.spawn(
                          () -> endsAsItMay(() -> end.write(ByteBuffer.allocate(3 << 20)))));
                }
                everybody.add(
                    Coroutine.spawn(
                        () ->
                            endsAsItMay(
                                () -> {
                                  while (end.read() != null) {}
                                })));
              }
              if (random.nextBoolean()) {
                everybody.add(Coroutine.spawn(() -> endsAsItMay(() -> pair.client().shutdown())));
              }
              for (int i = random.nextInt(60); i > 0; i--) {
                Time.sleep(Duration.ofNanos(1));
              }
              boolean both = random.nextBoolean();
              if (both || random.nextBoolean()) {
                pair.client().close();
              }
              if (both || pair.client().isOpen()) {
                pair.server().close();
              }

              for (Coroutine<Boolean> each : everybody) {
                assertTrue(each.await());
              }
            }
          });
    }
  }

  private static boolean endsAsItMay(Action action) throws Exception {
    try {
      action.run();
      return true;
    } catch (ClosedChannelException closed) {
      return true;
    } catch (UvException broken) {
      return List.of("EPIPE", "ECONNRESET", "ENOTCONN").contains(broken.code());
    }
  }
}
