// SPDX-License-Identifier: Apache-2.0
package dev.couv.fuzz;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.net.LocalStream;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.pool.LoopPool;
import dev.couv.process.Child;
import dev.couv.process.Command;
import dev.couv.process.Stdio;
import dev.couv.stream.ByteStream;
import dev.couv.sync.Chan;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/// Moves bytes in every way there is, for long, and looks at each of them: over TCP, local sockets and the
/// pipes of children, through files and through channels between loops; with short-lived connections, odd
/// sizes, and reads and writes that are left by a timeout and begun again. `Soak SECONDS`.
@SuppressWarnings("try") // closing a scope throws whatever failed in it
public final class Soak {
  private static final Duration PATIENCE = Duration.ofMillis(2);

  /// How much more may be resident at the end than when everything has run for a while.
  private static final long MOST_GROWTH = 64 << 10;

  private static final AtomicLong BYTES = new AtomicLong();
  private static final AtomicLong CONNECTIONS = new AtomicLong();
  private static final AtomicLong LEFT = new AtomicLong();

  private static volatile boolean over;

  private Soak() {}

  public static void main(String[] args) throws Exception {
    long seconds = Long.parseLong(args[0]);
    Thread.ofPlatform().daemon().start(() -> watch(seconds));
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            for (int i = 0; i < 4; i++) {
              int seed = i;
              scope.spawn(() -> repeat(seed, Soak::tcp));
              scope.spawn(() -> repeat(seed, Soak::local));
            }
            scope.spawn(() -> repeat(5, Soak::child));
            scope.spawn(() -> repeat(6, Soak::file));
            scope.spawn(() -> channels());
          }
        });
    System.out.printf(
        "%d MB, %d connections, %d awaits left and begun again: every byte was right%n",
        BYTES.get() / 1_000_000, CONNECTIONS.get(), LEFT.get());
    System.exit(0);
  }

  private static void watch(long seconds) {
    try {
      Resident resident = new Resident();
      long warm = 0;
      for (long part = 1; part <= 8; part++) {
        Thread.sleep(seconds * 1000 / 8);
        resident.note(seconds * part / 8 + " s, " + BYTES.get() / 1_000_000 + " MB");
        warm = part == 3 ? Resident.kibibytes() : warm;
      }
      if (Resident.kibibytes() - warm > MOST_GROWTH) {
        System.out.println(
            "resident memory has grown by more than " + (MOST_GROWTH >> 10) + " MiB");
        System.exit(1);
      }
      over = true;
      Thread.sleep(60_000);
      System.out.println("it does not end");
      System.exit(1);
    } catch (InterruptedException | IOException broken) {
      throw new AssertionError(broken);
    }
  }

  private interface Round {
    void run(Random random) throws Exception;
  }

  private static void repeat(long seed, Round round) throws Exception {
    Random random = new Random(seed);
    while (!over) {
      round.run(random);
    }
  }

  // ---- the ways

  private static void tcp(Random random) throws Exception {
    try (TcpListener listener =
            Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ByteStream near = Tcp.connect(listener.local());
        ByteStream far = listener.accept()) {
      CONNECTIONS.incrementAndGet();
      bothWays(random, near, far);
    }
  }

  private static void local(Random random) throws Exception {
    var pair = LocalStream.pair();
    try (ByteStream near = pair.first();
        ByteStream far = pair.second()) {
      CONNECTIONS.incrementAndGet();
      bothWays(random, near, far);
    }
  }

  private static void child(Random random) throws Exception {
    try (Child cat = Command.of("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start()) {
      long length = 1L + random.nextInt(1 << 20);
      long seed = random.nextLong();
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                send(cat.stdin(), seed, length, new Random(seed));
                cat.stdin().close();
              });
      receive(cat.stdout(), seed, length, new Random(~seed));
      writer.await();
      var _ = cat.await();
    }
  }

  private static void file(Random random) throws Exception {
    Path path = Fs.makeTempFile("couv-soak");
    try (OpenFile file = Fs.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long seed = random.nextLong();
      int length = 1 + random.nextInt(1 << 18);
      ByteBuffer written = ByteBuffer.allocate(length);
      fill(written, seed, 0);
      file.write(written, 0);
      ByteBuffer read = ByteBuffer.allocateDirect(length);
      while (read.hasRemaining() && file.read(read, read.position()) >= 0) {}
      check(read.flip(), seed, 0);
    } finally {
      Fs.remove(path);
    }
  }

  /// Values from loop to loop, each with its number.
  private static void channels() throws Exception {
    try (LoopPool pool = LoopPool.open(2)) {
      Chan<Long> chan = Chan.create(4);
      var sum =
          pool.submit(
              () -> {
                long expected = 0;
                for (Long value : chan) {
                  if (value != expected++) {
                    throw new AssertionError("value " + value + " instead of " + (expected - 1));
                  }
                }
                return expected;
              });
      long sent = 0;
      while (!over) {
        chan.send(sent++);
        if (sent % 64 == 0) {
          Time.sleep(Duration.ofMillis(1));
        }
      }
      chan.close();
      if (sum.await() != sent) {
        throw new AssertionError(sum.await() + " values of " + sent);
      }
    }
  }

  // ---- bytes

  private static void bothWays(Random random, ByteStream near, ByteStream far) throws Exception {
    long length = 1L + random.nextInt(1 << 20);
    long there = random.nextLong();
    long back = random.nextLong();
    try (Scope scope = Scope.open()) {
      scope.spawn(() -> send(near, there, length, new Random(there)));
      scope.spawn(() -> send(far, back, length, new Random(back)));
      scope.spawn(() -> receive(near, back, length, new Random(~back)));
      scope.spawn(() -> receive(far, there, length, new Random(~there)));
    }
  }

  private static void send(ByteStream to, long seed, long length, Random random) throws Exception {
    for (long at = 0; at < length; ) {
      ByteBuffer piece = piece(random, length - at);
      fill(piece, seed, at);
      at += piece.remaining();
      to.write(piece);
      if (random.nextInt(8) == 0) {
        Coroutine.pause();
      }
    }
  }

  private static void receive(ByteStream from, long seed, long length, Random random)
      throws Exception {
    for (long at = 0; at < length; ) {
      ByteBuffer piece = piece(random, length - at);
      int got;
      try {
        got =
            random.nextInt(16) == 0
                ? Time.timeout(PATIENCE, () -> from.read(piece))
                : from.read(piece);
      } catch (TimeoutException left) {
        LEFT.incrementAndGet();
        got = 0;
        piece.clear().limit(0);
      }
      if (got < 0) {
        throw new AssertionError("ended after " + at + " of " + length);
      }
      check(piece.flip(), seed, at);
      at += got;
      BYTES.addAndGet(got);
    }
  }

  private static ByteBuffer piece(Random random, long most) {
    int size = (int) Math.min(most, 1 + random.nextInt(random.nextBoolean() ? 64 : 65_536));
    return random.nextInt(4) == 0 ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
  }

  private static void fill(ByteBuffer piece, long seed, long at) {
    for (int i = 0; i < piece.limit(); i++) {
      piece.put(i, of(seed, at + i));
    }
  }

  private static void check(ByteBuffer piece, long seed, long at) {
    for (int i = 0; i < piece.limit(); i++) {
      if (piece.get(i) != of(seed, at + i)) {
        throw new AssertionError("the byte at " + (at + i) + " is wrong");
      }
    }
  }

  private static byte of(long seed, long at) {
    long mixed = (seed + at) * 0x9E3779B97F4A7C15L;
    return (byte) (mixed >>> 56);
  }
}
