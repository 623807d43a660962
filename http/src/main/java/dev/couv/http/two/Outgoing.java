// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import dev.couv.http.ContentWriter;
import dev.couv.http.Headers;
import dev.couv.http.serve.BodyState;
import dev.couv.http.serve.ClientGone;
import dev.couv.sync.Gate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The body of an answer while it is written. What is written in a turn is held and becomes one frame at its end; while that
/// waits for the client's leave (flow control), the next is held. Who writes more waits.
final class Outgoing implements ContentWriter {
  /// So much is held, and as much on its way.
  private static final int ROOM = 1 << 15;

  private static final Set<String> NOT_BEHIND =
      Set.of("content-length", "transfer-encoding", "host", "connection");

  private final Http2FrameStream stream;
  private final FrameChannel channel;
  private final Sender sender;
  private final ByteQueue held = new ByteQueue();
  private final Gate news = new Gate();

  /// The frame that is on its way; null if there is none. It is Netty's, and read no further than its index.
  private @Nullable ByteBuf frame;

  private long sent;
  private State state = State.OPEN;

  /// How far who writes has come.
  private BodyState body = BodyState.OPEN;

  private Headers trailers = Headers.EMPTY;
  private @Nullable IOException failure;

  private enum State {
    /// More may be written.
    OPEN,
    /// The same, and the sender knows that there is something.
    ORDERED,
    /// Nothing more is written: what is held is the last.
    ENDING,
    /// All of it is on its way, or gone.
    ENDED
  }

  Outgoing(Http2FrameStream stream, FrameChannel channel, Sender sender) {
    this.stream = stream;
    this.channel = channel;
    this.sender = sender;
  }

  /// How many bytes the client's flow control has let go.
  long sent() {
    return sent;
  }

  /// A number that changes while the client takes something.
  long progress() {
    ByteBuf here = frame;
    return sent + (here == null ? 0 : here.readerIndex());
  }

  /// Whether there is something that the client does not take.
  boolean isStalled() {
    return frame != null;
  }

  /// The client does not take it any more.
  void fail(IOException why) {
    if (failure == null) {
      failure = why;
      held.clear();
      news.open();
    }
  }

  // ---- who writes

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    checkOpen();
    body = body.begin();
    try {
      while (bytes.hasRemaining()) {
        awaitUntil(() -> held.size() < ROOM);
        held.add(bytes, Math.min(bytes.remaining(), ROOM - held.size()));
        order();
      }
      body = body.done();
    } finally {
      body = body.leave();
    }
  }

  @Override
  public void flush() throws IOException {
    checkOpen();
    awaitUntil(() -> held.isEmpty() && frame == null);
    try {
      sender.awaitSent();
    } catch (IOException gone) {
      throw new ClientGone(gone);
    }
  }

  @Override
  public void trailer(String name, String value) {
    if (NOT_BEHIND.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(name + " cannot be behind a body");
    }
    trailers = trailers.plus(name, value);
  }

  /// All of it was written. Waits until the client's flow control has let all of it go.
  void end() throws IOException {
    check();
    body = body.end();
    state = State.ENDING;
    sender.order(this::push);
    awaitUntil(() -> state == State.ENDED && frame == null);
  }

  private void checkOpen() throws IOException {
    check();
    body.check();
  }

  private void check() throws IOException {
    IOException why = failure;
    if (why != null) {
      throw new ClientGone(why);
    }
  }

  private interface Condition {
    boolean holds();
  }

  private void awaitUntil(Condition condition) throws IOException {
    check();
    while (!condition.holds()) {
      news.close();
      news.await();
      check();
    }
  }

  // ---- in the sender's coroutine

  private void order() {
    if (state == State.OPEN && frame == null) {
      state = State.ORDERED;
      sender.order(this::push);
    }
  }

  /// Makes a frame of what is held, unless one is on its way.
  private void push() {
    if (state == State.ORDERED) {
      state = State.OPEN;
    }
    if (frame != null || failure != null || state == State.ENDED) {
      return;
    }
    boolean ending = state == State.ENDING;
    boolean last = ending && trailers.isEmpty();
    if (!held.isEmpty() || last) {
      ByteBuf bytes = Unpooled.wrappedBuffer(held.takeAll());
      int size = bytes.readableBytes();
      frame = bytes;
      if (last) {
        state = State.ENDED;
      }
      news.open();
      channel.say(
          new DefaultHttp2DataFrame(bytes, last).stream(stream), cause -> pushed(size, cause));
    } else if (ending) {
      state = State.ENDED;
      news.open();
      channel.say(
          new DefaultHttp2HeadersFrame(AnswerHeads.trailers(trailers), true).stream(stream));
    }
  }

  private void pushed(int size, @Nullable Throwable cause) {
    frame = null;
    if (cause != null) {
      fail(new IOException("the stream has ended: " + cause.getMessage(), cause));
      return;
    }
    sent += size;
    switch (state) {
      case OPEN -> {
        if (!held.isEmpty()) {
          order();
        }
      }
      case ENDING -> sender.order(this::push);
      case ORDERED, ENDED -> {}
    }
    news.open();
  }
}
