// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.error.BusyException;
import dev.couv.http.WebSocketException;
import dev.couv.http.WebSocketMessage;
import dev.couv.http.WebSocketOptions;
import dev.couv.stream.ByteReader;
import dev.couv.stream.ByteStream;
import dev.couv.sync.Gate;
import dev.couv.time.Time;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A connection that speaks WebSocket, after the handshake.
///
/// ## Who reads
///
/// One coroutine at a time: who receives, or who closes while nobody receives. It answers pings on the way, and sees the
/// other side close. Whoever leaves early has lost nothing: frames that were taken stay in [Incoming].
///
/// ## Who writes
///
/// Anybody, by [Outward]. Frames that nobody waits for (a ping after silence, the word that a server goes away) are left out where
/// the other side takes nothing. Pongs are the business of [Pongs].
public final class Link {
  /// What is still read, after everything was said, so that the connection is not reset under the last word.
  private static final long LINGERING = 1 << 20;

  /// A frame has no more than this before its bytes.
  private static final int FRAME_HEAD = 14;

  private final ByteStream stream;
  private final boolean client;
  private final ByteReader in;
  private final Outward out;
  private final Pongs pongs;
  private final WebSocketOptions options;
  private final FrameDecoder decoder;
  private final @Nullable Deflate deflate;
  private final Incoming incoming;
  private final Scope scope = Coroutine.current().scope();

  private LinkState state = LinkState.OPEN;
  private @Nullable IOException failure;
  private @Nullable Coroutine<?> reader;
  private @Nullable Coroutine<?> closer;

  /// Opens when the reader leaves; made by a closer that finds one.
  private @Nullable Gate left;

  private int closeCode = CloseCodes.NOTHING_SAID;
  private String closeReason = "";

  /// In the coroutine whose scope sees to what is written at the ends of turns. The stream belongs to it from then on.
  public Link(ByteStream stream, boolean client, Extension extension, WebSocketOptions options) {
    this.stream = stream;
    this.client = client;
    this.options = options;
    int longest = Math.min(options.frame(), options.message());
    this.in = ByteReader.of(stream).limit(longest + FRAME_HEAD);
    this.deflate = extension.open(client);
    this.decoder = new FrameDecoder(!client, deflate != null, longest);
    this.out =
        new Outward(
            stream, options.sendTime(), new FrameWriter(client, deflate, this), this::givenUp);
    this.pongs = new Pongs(out, scope);
    this.incoming = new Incoming(deflate, options.message());
  }

  // ---- receiving

  /// The next message; null if the other side has closed.
  public @Nullable WebSocketMessage receive() throws IOException {
    switch (state) {
      case CLOSED -> {
        return null;
      }
      case BROKEN -> throw again();
      case GONE -> throw new ClosedChannelException();
      case OPEN, CLOSING -> {}
    }
    if (reader != null) {
      throw new BusyException(this + ": another coroutine is already receiving");
    }
    if (closer != null) {
      throw new ClosedChannelException();
    }
    return read();
  }

  /// What was thrown before, for whoever asks again.
  private IOException again() {
    IOException before = failure;
    if (before instanceof WebSocketException broken) {
      return new WebSocketException(broken.code(), String.valueOf(broken.getMessage()));
    }
    return new EOFException(before == null ? "broken" : before.getMessage());
  }

  /// Until there is a message, or null when the other side has closed.
  private @Nullable WebSocketMessage read() throws IOException {
    reader = Coroutine.current();
    try {
      while (true) {
        WebSocketMessage message = take(frame());
        if (message != null && state == LinkState.OPEN) {
          return message; // what comes after we have closed is nobody's
        }
        if (state == LinkState.CLOSED) {
          return null;
        }
      }
    } catch (WebSocketException broken) {
      tell(broken.code(), String.valueOf(broken.getMessage()));
      fail(broken);
      throw broken;
    } catch (ClosedChannelException closed) {
      throw state == LinkState.BROKEN ? again() : closed; // broken by who sends
    } catch (IOException gone) {
      closeCode = CloseCodes.ABNORMAL;
      fail(gone);
      throw gone;
    } finally {
      reader = null;
      Gate waited = left;
      if (waited != null) {
        waited.open();
      }
    }
  }

  /// The other side takes nothing: the connection is closed because of that.
  private void givenUp(IOException why) {
    if (state == LinkState.OPEN || state == LinkState.CLOSING) {
      closeCode = CloseCodes.ABNORMAL;
      fail(why);
    }
  }

  private void fail(IOException reason) {
    failure = reason;
    state = state.broken();
  }

  private WebSocketFrame frame() throws IOException {
    while (true) {
      int here = in.buffered();
      if (here > 0) {
        ByteBuf bytes = Unpooled.wrappedBuffer(in.peekBuffered());
        WebSocketFrame frame;
        try {
          frame = decoder.next(bytes);
        } finally {
          in.skip(here - (long) bytes.readableBytes());
        }
        if (frame != null) {
          return frame;
        }
      }
      if (!awaitMore()) {
        throw new EOFException(stream + " has ended without a word");
      }
    }
  }

  /// Waits for more bytes than there are. After silence the other side is asked, and given up after more of it.
  private boolean awaitMore() throws IOException {
    int wanted = in.buffered() + 1;
    Duration idle = options.idle();
    if (idle == null) {
      return in.request(wanted);
    }
    for (int silent = 0; ; silent++) {
      try {
        return Time.timeout(idle, () -> in.request(wanted));
      } catch (TimeoutException over) {
        if (silent > 0) {
          throw new SocketTimeoutException(stream + " has been silent for twice " + idle);
        }
        tryWrite(FrameWriter.PING, new byte[0]);
      } catch (IOException | RuntimeException failed) {
        throw failed;
      } catch (Exception impossible) {
        throw new AssertionError(impossible);
      }
    }
  }

  /// What that frame completes.
  private @Nullable WebSocketMessage take(WebSocketFrame frame) throws IOException {
    switch (frame) {
      case PingWebSocketFrame ping -> {
        pongs.answer(Incoming.bytes(ping.content()));
      }
      case PongWebSocketFrame _ -> {} // it came: that is all we wanted to know
      case CloseWebSocketFrame close -> closed(close);
      default -> {
        return incoming.add(frame);
      }
    }
    return null;
  }

  private void closed(CloseWebSocketFrame frame) throws WebSocketException {
    byte[] payload = Incoming.bytes(frame.content());
    int code = CloseCodes.NOTHING_SAID;
    String reason = "";
    if (payload.length >= 2) {
      code = ((payload[0] & 0xff) << 8) | (payload[1] & 0xff);
      reason = new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
      if (!CloseCodes.canBeSent(code)) {
        throw new WebSocketException(CloseCodes.PROTOCOL_ERROR, "closed by the code " + code);
      }
    }
    closeCode = code;
    closeReason = reason;
    if (state == LinkState.OPEN) {
      tell(code == CloseCodes.NOTHING_SAID ? CloseCodes.NORMAL : code, "");
    }
    state = state.closed();
  }

  // ---- sending

  /// A message of text, or of bytes.
  public void send(boolean text, byte[] message) throws IOException {
    write(text ? FrameWriter.TEXT : FrameWriter.BINARY, message);
  }

  /// Asks the other side whether it is there.
  public void ping(byte[] payload) throws IOException {
    write(FrameWriter.PING, payload);
  }

  private void write(int kind, byte[] payload) throws IOException {
    checkOpen();
    out.write(new FrameWriter.Frame(kind, payload));
  }

  private void checkOpen() throws IOException {
    if (state != LinkState.OPEN) {
      throw state == LinkState.BROKEN ? again() : new ClosedChannelException();
    }
  }

  /// Waits until the kernel has all that was sent.
  public void flush() throws IOException {
    checkOpen();
    out.flush();
  }

  /// Whether that may follow what was sent before. Closing is the last.
  boolean maySend(FrameWriter.Frame frame) {
    if (state != LinkState.OPEN) {
      return false;
    }
    if (frame.kind() == FrameWriter.CLOSE) {
      state = state.closing();
    }
    return true;
  }

  /// A frame that is left out where the other side takes nothing: false then.
  private boolean tryWrite(int kind, byte[] payload) {
    try {
      return state == LinkState.OPEN && out.tryWrite(new FrameWriter.Frame(kind, payload));
    } catch (IOException gone) {
      return false; // who reads sees it, too
    }
  }

  // ---- closing

  /// Says that and waits for the other side to say it, too, for no longer than the options say; closes the connection.
  public void close(int code, String reason) {
    if (state == LinkState.GONE || closer != null) {
      return;
    }
    closer = Coroutine.current();
    byte[] payload = payload(code, reason);
    try {
      Time.timeout(options.closeTime(), () -> shakeHands(payload));
    } catch (TimeoutException | IOException over) {
      // it had its time, or has gone
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    } finally {
      end();
    }
  }

  private void shakeHands(byte[] payload) throws IOException {
    if (state == LinkState.OPEN) {
      out.writeLast(new FrameWriter.Frame(FrameWriter.CLOSE, payload));
    }
    if (state == LinkState.BROKEN && !(failure instanceof WebSocketException)) {
      return; // nobody is there
    }
    out.flushLast();
    while (state == LinkState.CLOSING) {
      if (reader == null) {
        read();
      } else {
        Gate waited = new Gate();
        left = waited;
        waited.await();
      }
    }
    // When both have said it, the server is to close the connection first (RFC 6455, 7.1.1).
    if (state == LinkState.GONE || (state == LinkState.CLOSED && !client)) {
      return;
    }
    stream.shutdown();
    ByteBuffer sink = ByteBuffer.allocate(1 << 10);
    long taken = 0;
    for (int count; taken < LINGERING && (count = in.read(sink.clear())) >= 0; ) {
      taken += count;
    }
  }

  /// Says that we go, and does not wait. Whoever receives sees the end when the other side has answered.
  public void goAway() {
    if (state != LinkState.OPEN) {
      return;
    }
    boolean told = false;
    try {
      told = tryWrite(FrameWriter.CLOSE, payload(CloseCodes.GOING_AWAY, ""));
    } catch (IllegalStateException outside) {
      // the loop itself ends, and closes what is left: nothing can be written any more
    }
    if (!told) {
      end();
    }
  }

  /// Tells why we close, if the other side takes it.
  private void tell(int code, String reason) {
    boolean told = tryWrite(FrameWriter.CLOSE, payload(code, reason));
    if (!told) {
      state = state.closing();
    }
  }

  /// The connection is closed, whoever waits.
  public void end() {
    if (state != LinkState.GONE) {
      state = state.gone();
      stream.close();
      if (deflate != null) {
        deflate.end();
      }
    }
  }

  /// A control frame has no more than 125 bytes: what is longer is cut, between two characters.
  private static byte[] payload(int code, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, 123);
    while (length < text.length && length > 0 && (text[length] & 0xc0) == 0x80) {
      length--;
    }
    return ByteBuffer.allocate(2 + length).putShort((short) code).put(text, 0, length).array();
  }

  // ---- asking

  /// Whether the caller is of its loop.
  public boolean isHere() {
    return scope.isHere();
  }

  /// Whether messages can be sent.
  public boolean isOpen() {
    return state == LinkState.OPEN;
  }

  /// Whether this side has closed it.
  public boolean isClosed() {
    return state == LinkState.GONE || closer != null;
  }

  /// Whether the other side has gone, or is told to go, so that a failure to send is no news.
  public boolean isEnding() {
    return state != LinkState.OPEN;
  }

  /// What the other side said when it closed.
  public int closeCode() {
    return closeCode;
  }

  /// What the other side said when it closed.
  public String closeReason() {
    return closeReason;
  }

  @Override
  public String toString() {
    return "web socket over " + stream;
  }
}
