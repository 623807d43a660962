// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.error.BusyException;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compressed bodies, byte by byte.
@InLoop
class GunzipTest {
  private static final Duration LONG = Duration.ofDays(1);

  /// Comes one byte at a time, and each lets itself be waited for.
  private static final class Slow implements HttpBody {
    private final ByteBuffer bytes;
    private boolean waits;

    Slow(byte... bytes) {
      this.bytes = ByteBuffer.wrap(bytes);
    }

    @Override
    public int read(ByteBuffer into) {
      waits = !waits;
      if (waits) {
        Time.sleep(LONG);
      }
      if (!bytes.hasRemaining()) {
        return -1;
      }
      into.put(bytes.get());
      return 1;
    }

    @Override
    public long length() {
      return -1;
    }

    @Override
    public Headers trailers() {
      return Headers.EMPTY;
    }
  }

  private static byte[] member(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  /// The same with all that a head may have.
  private static byte[] withHead(byte[] member) {
    var head = new ByteArrayOutputStream();
    head.writeBytes(HexFormat.of().parseHex("1f8b081f010203040003" + "0500" + "aabbccdd00"));
    head.writeBytes("name\0comment\0".getBytes(UTF_8));
    var check = new CRC32();
    check.update(head.toByteArray());
    head.write((int) check.getValue());
    head.write((int) check.getValue() >> 8);
    head.write(member, 10, member.length - 10);
    return head.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static String text(byte... compressed) throws Exception {
    return new GunzipBody(HttpBody.of(compressed), 1 << 20).text(1 << 20);
  }

  @Test
  void whoeverLeavesWheneverGoesOn(TestClock clock) throws Exception {
    byte[] all =
        joined(withHead(member("first ".repeat(9))), member(""), member("second"), new byte[7]);
    var body = new GunzipBody(new Slow(all), 1 << 20);
    var text = new StringBuilder();
    int left = 0;
    for (boolean ended = false; !ended; ) {
      ByteBuffer some = ByteBuffer.allocate(5);
      try {
        ended = Time.timeout(Duration.ofSeconds(1), () -> body.read(some)) < 0;
      } catch (TimeoutException early) {
        left++;
      }
      text.append(UTF_8.decode(some.flip()));
    }

    assertEquals("first ".repeat(9) + "second", text.toString());
    assertEquals(all.length + 1, left);
    assertEquals(-1, body.read(ByteBuffer.allocate(1)));
  }

  @Test
  void headsMembersAndPadding() throws Exception {
    String large = "large ".repeat(50_000);
    assertEquals("", text(member("")));
    assertEquals(large, text(member(large)));
    assertEquals("named", text(withHead(member("named"))));
    assertEquals("onetwo" + large, text(joined(member("one"), member("two"), member(large))));
    assertEquals("padded", text(joined(member("padded"), new byte[1000])));
  }

  @Test
  void whatIsCutOrChangedIsAFailure() throws Exception {
    byte[] whole = withHead(member("something"));
    for (int size = 0; size < whole.length; size++) {
      byte[] cut = Arrays.copyOf(whole, size);
      assertThrows(IOException.class, () -> text(cut), () -> "the first " + cut.length);
    }
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= 1;
      assertThrows(IOException.class, () -> text(changed));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1f", "1f8b", "789c", "1f8b07000000000000ff", "1f8b08e0000000000000"})
  void whatIsNotCompressedIsAFailure(String bytes) {
    assertThrows(IOException.class, () -> text(HexFormat.of().parseHex(bytes)));
  }

  @Test
  void aBodyThatWasLeftIsClosed() throws Exception {
    var body = new GunzipBody(HttpBody.of(member("unread ".repeat(100))), 1 << 20);
    assertTrue(body.read(ByteBuffer.allocate(3)) > 0);
    body.end();
    assertThrows(ClosedChannelException.class, () -> body.read(ByteBuffer.allocate(3)));
  }

  /// Gives half of its bytes, and the rest when the gate opens; refuses a second reader meanwhile.
  private static final class Halved implements HttpBody {
    private final ByteBuffer bytes;
    private final Gate gate;
    private boolean begun;
    private boolean reading;

    Halved(Gate gate, byte... bytes) {
      this.gate = gate;
      this.bytes = ByteBuffer.wrap(bytes);
    }

    @Override
    public int read(ByteBuffer into) {
      if (reading) {
        throw new BusyException("somebody else reads it");
      }
      reading = true;
      if (begun) {
        gate.await();
      }
      reading = false;
      int count = Math.min(into.remaining(), begun ? bytes.remaining() : bytes.remaining() / 2);
      begun = true;
      if (count == 0) {
        return -1;
      }
      into.put(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
      return count;
    }

    @Override
    public long length() {
      return -1;
    }

    @Override
    public Headers trailers() {
      return Headers.EMPTY;
    }
  }

  @Test
  void aSecondReaderIsRefusedAndDisturbsNobody() throws Exception {
    byte[] random = new byte[2000];
    new Random(1).nextBytes(random);
    String text = HexFormat.of().formatHex(random);
    Gate gate = new Gate();
    HttpBody body = new GunzipBody(new Halved(gate, member(text)), 1 << 20);
    Coroutine<String> first = Coroutine.spawn(() -> body.text(1 << 20));
    Coroutine.pause();

    assertThrows(BusyException.class, () -> body.read(ByteBuffer.allocate(100)));

    gate.open();
    assertEquals(text, first.await());
  }
}
