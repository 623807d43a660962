// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.stream.ByteStream;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/// Hostile bytes for both sides of TLS, one attack after the other: every byte of the handshake and of the
/// records is changed, dropped, doubled, or the last, on the wire and inside of what is encrypted.
///
/// Whoever is attacked must end, by the end of the stream or an `IOException`, and do so in little time:
/// what the loop's thread computes for an attack is measured as a whole, and no turn is longer than
/// that. Afterwards the memory and the descriptors must be those from before, and an honest client must be
/// served.
///
/// Time is virtual: who waits for what never comes reaches its time limit at once.
class TlsFuzz {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int HOW = 6;
  private static final int WARMING = 300;

  private final long seed;
  private final long mostNanos;
  private Random random = new Random();
  private final SSLContext server = TlsFiles.context("server");
  private final TlsOptions asClient = TlsPair.options().withHandshakeTimeout(PATIENCE);
  private final TlsOptions asServer = TlsOptions.DEFAULT.withHandshakeTimeout(PATIENCE);
  private final long thread = Thread.currentThread().threadId();

  private int attacks;
  private long longest;
  private String longestAttack = "none";

  /// No attack may cost the loop's thread more than so much.
  TlsFuzz(long seed, Duration most) throws Exception {
    this.seed = seed;
    mostNanos = most.toNanos();
    for (SSLContext context : new SSLContext[] {server, asClient.context()}) {
      context.getServerSessionContext().setSessionCacheSize(16);
      context.getClientSessionContext().setSessionCacheSize(16);
    }
  }

  /// `tools/tls-fuzz`: for so many seconds, with all that is looked at.
  public static void main(String[] arguments) throws Exception {
    long seconds = Long.parseLong(arguments[0]);
    long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
    TlsFuzz fuzz = new TlsFuzz(seed, Duration.ofMillis(50));
    try {
      fuzz.run(seconds);
    } finally {
      System.out.println("tls-fuzz: " + fuzz);
    }
  }

  private void run(long seconds) throws Exception {
    TestClock.afterQuiet(Duration.ofMillis(2))
        .run(
            () -> {
              for (int i = 0; i < WARMING; i++) {
                attack(false);
              }
              honest();
              long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
              String before = kept();
              long memory = memory();
              while (System.nanoTime() < end) {
                attack(true);
                if (attacks % 100 == 0) {
                  honest();
                }
              }
              honest();
              long more = memory() - memory;
              if (more > 8 << 20 || !before.equals(kept())) {
                throw new AssertionError(
                    "kept " + (more >> 10) + " KiB more; " + before + " before, now " + kept());
              }
            });
  }

  /// So many attacks, and an honest client.
  void run(int count) throws Exception {
    TestClock.afterQuiet(Duration.ofMillis(2))
        .run(
            () -> {
              for (int i = 0; i < count; i++) {
                attack(true);
              }
              honest();
            });
  }

  // ---- what is looked at

  private static String kept() {
    var stats = Loop.current().stats();
    String[] descriptors = new File("/proc/self/fd").list();
    return "handles "
        + stats.handles()
        + ", coroutines "
        + stats.coroutines()
        + ", descriptors "
        + (descriptors == null ? 0 : descriptors.length);
  }

  private static long memory() throws Exception {
    return Loop.offload(
        () -> {
          for (int i = 0; i < 3; i++) {
            System.gc();
          }
          return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        });
  }

  private long computed() {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread);
  }

  /// Somebody who means well, on a connection of its own.
  private void honest() throws Exception {
    TlsOptions patient = asServer.withHandshakeTimeout(null);
    try (TlsPair pair = TlsPair.open(asClient.withHandshakeTimeout(null), patient)) {
      pair.client().write(bytes("honest"));
      ByteBuffer got = ByteBuffer.allocate(6);
      pair.server().readFully(got);
    }
  }

  // ---- an attack

  /// Whatever is computed for the first time takes longer, and a machine has other things to do: what took
  /// too long is tried again.
  private void attack(boolean measured) throws Exception {
    attacks++;
    for (int tries = 1; ; tries++) {
      long before = computed();
      String what = "attack " + attacks + " on a " + attackOnce();
      long took = computed() - before;
      if (!measured || took <= mostNanos) {
        if (measured && took > longest) {
          longest = took;
          longestAttack = what;
        }
        return;
      }
      if (tries == 5) {
        throw new AssertionError(
            what + ": it took " + took / 1_000_000 + " ms of the loop's thread; seed " + seed);
      }
    }
  }

  /// The attack of that number, which is the same each time.
  private String attackOnce() throws Exception {
    random = new Random(seed + attacks);
    boolean onServer = random.nextBoolean();
    String version = random.nextInt(3) == 0 ? "TLSv1.2" : "TLSv1.3";
    int way = random.nextInt(8);
    String what = (onServer ? "server, " : "client, ") + version;
    Pair pair = LocalStream.pair();
    Coroutine<Throwable> attacked =
        Coroutine.spawn(() -> outcome(pair.second(), onServer, version));
    try (pair) {
      try (LocalStream attacker = pair.first()) {
        what +=
            switch (way) {
              case 0 -> header(attacker);
              case 1, 2 -> insideMessages(attacker, onServer);
              case 3 -> afterwards(attacker, onServer);
              default -> onTheWire(attacker, onServer, version);
            };
      }
      Throwable wrong = Time.timeout(Duration.ofHours(1), () -> attacked.await());
      if (wrong != null) {
        throw new AssertionError(what + ": " + wrong + "; seed " + seed, wrong);
      }
      return what;
    } catch (TimeoutException parked) {
      attacked.cancel();
      throw new AssertionError(what + ": it waits for ever; seed " + seed, parked);
    }
  }

  private Throwable outcome(ByteStream transport, boolean isServer, String version) {
    try {
      attacked(transport, isServer, version);
      return null;
    } catch (Exception | AssertionError wrong) {
      return wrong;
    }
  }

  /// Who is attacked: reads to the end, and says it all again.
  void attacked(ByteStream transport, boolean isServer, String version) throws Exception {
    try (TlsStream stream =
        isServer
            ? Tls.server(transport, server, asServer)
            : Tls.client(transport, "localhost", asClient.withProtocols(version, "TLSv1.3"))) {
      for (ByteBuffer bytes; (bytes = stream.read()) != null; ) {
        stream.write(bytes);
      }
      stream.shutdown();
    } catch (IOException expected) {
      // of whatever kind: that is what a server catches
    }
  }

  /// The first bytes of what may be a record, and nothing else.
  private String header(LocalStream attacker) throws Exception {
    byte[] header = new byte[5 + random.nextInt(20)];
    random.nextBytes(header);
    byte[] types = {20, 21, 22, 23, 24, (byte) 0x80, (byte) 0xff, 0};
    byte[] majors = {3, 3, 3, 2, 1, 4};
    header[0] = types[random.nextInt(types.length)];
    header[1] = majors[random.nextInt(majors.length)];
    if (header[0] < 0) {
      header[1] = (byte) random.nextInt(64);
      header[2] = (byte) (random.nextBoolean() ? 1 : 4);
      header[3] = 3;
      header[4] = (byte) random.nextInt(5);
    } else {
      header[2] = (byte) random.nextInt(5);
      header[3] = (byte) random.nextInt(random.nextBoolean() ? 1 : 80);
    }
    carefully(
        () -> {
          attacker.write(ByteBuffer.wrap(header));
          attacker.read();
        });
    return " by a header";
  }

  /// A byte of a handshake message, all else being as it should.
  private String insideMessages(LocalStream attacker, boolean onServer) throws Exception {
    int at = random.nextInt(onServer ? 250 : 900);
    int how = random.nextInt(HOW);
    int[] said = {0};
    UnaryOperator<byte[]> change =
        message -> {
          int here = at - said[0];
          said[0] += message.length;
          return here >= 0 && here < message.length ? changed(message, here, how) : message;
        };
    carefully(
        () -> {
          RawTls peer =
              onServer ? RawTls.client(attacker, change) : RawTls.server(attacker, change);
          peer.send(RawTls.DATA, new byte[100]);
          attacker.read();
        });
    return " inside of its messages at " + at + " (" + how + ")";
  }

  /// Messages that nobody asked for, well encrypted.
  private String afterwards(LocalStream attacker, boolean onServer) throws Exception {
    int count = 1 + random.nextInt(40);
    carefully(
        () -> {
          RawTls peer =
              onServer
                  ? RawTls.client(attacker)
                  : RawTls.server(attacker, UnaryOperator.identity());
          for (int i = 0; i < count; i++) {
            byte[] content = new byte[random.nextInt(60)];
            random.nextBytes(content);
            int type = 20 + random.nextInt(5);
            if (type == RawTls.HANDSHAKE && content.length > 4) {
              content[0] = (byte) random.nextInt(26);
              content[1] = 0;
              content[2] = 0;
              content[3] = (byte) (content.length - random.nextInt(5));
            }
            peer.send(type, content);
          }
          peer.send(RawTls.HANDSHAKE, RawTls.KEY_UPDATE);
          attacker.read();
        });
    return " by " + count + " records afterwards";
  }

  /// A byte on the wire, of one who means well.
  private String onTheWire(LocalStream attacker, boolean onServer, String version)
      throws Exception {
    int at = random.nextInt(onServer ? 900 : 1800);
    int how = random.nextInt(HOW);
    ByteStream wire = new Wire(attacker, at, how);
    carefully(
        () -> {
          try (TlsStream stream =
              onServer
                  ? Tls.client(wire, "localhost", asClient.withProtocols(version))
                  : Tls.server(wire, server, asServer)) {
            for (int i = 0; i < 3; i++) {
              stream.write(bytes("something to say again, and again"));
              stream.read();
            }
            stream.shutdown();
            stream.read();
          }
        });
    return " on the wire at " + at + " (" + how + ")";
  }

  private interface Steps {
    void run() throws Exception;
  }

  /// What becomes of the attacker does not matter, but it must not wait for ever.
  private static void carefully(Steps steps) throws Exception {
    try {
      Time.timeout(
          PATIENCE,
          () -> {
            steps.run();
            return true;
          });
    } catch (IOException
        | TimeoutException
        | GeneralSecurityException
        | CancellationException
        | ArrayIndexOutOfBoundsException
        | IllegalArgumentException refused) {
      // as it should be; the raw peer is confused by what it caused
    }
  }

  private static byte[] changed(byte[] bytes, int at, int how) {
    byte[] before = Arrays.copyOf(bytes, at);
    byte[] after = Arrays.copyOfRange(bytes, at + 1, bytes.length);
    byte here = bytes[at];
    return switch (how) {
      case 0 -> RawTls.join(before, new byte[] {(byte) (here ^ 1)}, after);
      case 1 -> RawTls.join(before, new byte[] {(byte) (here ^ 0x80)}, after);
      case 2 -> RawTls.join(before, new byte[] {(byte) 0xff}, after);
      case 3 -> RawTls.join(before, after);
      case 4 -> RawTls.join(before, new byte[] {here, here}, after);
      default -> before;
    };
  }

  /// Changes one byte of what goes through.
  private static final class Wire extends Between {
    private final int at;
    private final int how;
    private int gone;

    Wire(ByteStream inner, int at, int how) {
      super(inner);
      this.at = at;
      this.how = how;
    }

    @Override
    public int tryWrite(ByteBuffer from) {
      return 0;
    }

    @Override
    public void write(ByteBuffer... from) throws IOException {
      for (ByteBuffer buffer : from) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        int here = at - gone;
        gone += bytes.length;
        boolean hit = here >= 0 && here < bytes.length;
        super.write(ByteBuffer.wrap(hit ? changed(bytes, here, how) : bytes));
        if (hit && how >= 5) {
          inner.shutdown();
        }
      }
    }
  }

  @Override
  public String toString() {
    return attacks
        + " attacks, seed "
        + seed
        + ", at most "
        + longest / 1000
        + " µs of the loop's thread, by "
        + longestAttack;
  }
}
