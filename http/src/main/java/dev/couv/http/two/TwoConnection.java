// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.coro.ScopePolicy;
import dev.couv.http.HttpLimits;
import dev.couv.http.Peer;
import dev.couv.http.Request;
import dev.couv.http.serve.Lingering;
import dev.couv.http.serve.Refused;
import dev.couv.http.serve.ServerConnection;
import dev.couv.http.serve.Service;
import dev.couv.stream.ByteStream;
import dev.couv.sync.Gate;
import dev.couv.time.Time;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A connection of a server that speaks HTTP/2: one coroutine reads it, one writes it, and one answers each request.
///
/// ## Who holds what
///
/// Of bodies that come no more is held than 64 KiB for each stream that may be open; of each answer what [Outgoing] holds. A client that lets
/// the server talk and does not listen is not read. As many coroutines answer as requests may be open at once, also when
/// the client has taken those back that they answer: more are refused until one has ended.
public final class TwoConnection implements ServerConnection {
  /// Frames that are answered and ask for nothing, between two looks: pings, settings. Others cost no more than their bytes.
  private static final int IDLE_TALK = 1000;

  private final ByteStream stream;
  private final Peer peer;
  private final Service service;
  private final HttpLimits limits;
  private final AnswerHeads heads;
  private final FrameChannel channel;
  private final StreamOrder order = new StreamOrder();
  private final Sender sender;
  private final Map<Integer, Exchange> exchanges = new HashMap<>();

  private final Gate inputEnd = new Gate();

  private @Nullable Scope scope;
  private TwoState state = TwoState.OPEN;
  private Input input = Input.BEGINNING;

  private long requests;
  private int idleTalk;

  private long seenRequests = -1;
  private long seenTaken = -1;
  private long requestsSeenAt;
  private long takenSeenAt;

  /// Bytes that came after all was said.
  private long ignored;

  private enum Input {
    /// The client has not said yet how it speaks.
    BEGINNING,
    FLOWING
  }

  /// In the coroutine that is to serve it. The stream stays the caller's, who closes it.
  public TwoConnection(ByteStream stream, Peer peer, Service service, AnswerHeads heads) {
    this.stream = stream;
    this.peer = peer;
    this.service = service;
    this.limits = service.limits();
    this.heads = heads;
    this.channel = FrameChannel.open(limits, new FrameListener(this));
    this.sender = new Sender(stream, channel);
  }

  /// Serves until the connection ends, from either side. What clients do to their connections is no failure of the
  /// server's, and is not told.
  @SuppressWarnings("try") // closing a scope throws whatever failed in it
  public void serve() throws Exception {
    service.begin(this);
    try (Scope all = Scope.open(ScopePolicy.SUPERVISE)) {
      scope = all;
      Coroutine<Void> sending = all.spawn(this::send);
      sending.named("sender of " + this);
      sender.wake();
      try {
        readAll();
        endOfInput();
        sending.await();
      } catch (IOException gone) {
        // nobody is there any more
      } finally {
        end();
        sending.cancel();
      }
    } finally {
      service.end(this);
    }
  }

  private void end() {
    state = state.end();
    stream.close();
    sender.end();
    goneAll(new EOFException("the connection has ended"));
  }

  private void goneAll(IOException why) {
    List.copyOf(exchanges.values()).forEach(exchange -> exchange.gone(why));
  }

  // ---- reading

  /// Until the client has ended its side.
  private void readAll() throws IOException {
    while (true) {
      sender.awaitRoom();
      ByteBuffer bytes = stream.read();
      if (bytes == null) {
        return;
      }
      if (state.listens()) {
        if (order.accepts(bytes)) {
          channel.feed(bytes);
        } else {
          sender.order(() -> channel.say(new DefaultHttp2GoAwayFrame(Http2Error.PROTOCOL_ERROR)));
          breakOff("a stream out of order");
        }
        if (!channel.isOpen()) {
          breakOff("not HTTP/2");
        }
        sender.wake();
      } else {
        ignored += bytes.remaining();
        if (ignored > Lingering.BYTES) {
          throw new IOException("too much behind the end");
        }
      }
    }
  }

  /// Answers that are on their way may still reach the client.
  private void endOfInput() {
    inputEnd.open();
    state = state.drain();
    IOException ended = new EOFException("the client has ended the connection");
    List.copyOf(exchanges.values()).forEach(exchange -> exchange.endOfInput(ended));
    sender.wake();
  }

  /// Nothing that comes can be understood, or is worth it.
  private void breakOff(String why) {
    state = state.breakOff();
    goneAll(new IOException("the connection was broken off: " + why));
    sender.wake();
  }

  // ---- what came, told by the listener

  void headCame(Http2FrameStream from, Http2Headers fields, boolean end) {
    Exchange known = exchanges.get(from.id());
    try {
      if (known != null) {
        known.trailersCame(RequestHead.trailers(fields, limits));
      } else if (channel.isBehindFarewell(from.id()) || exchanges.size() >= limits.streams()) {
        reset(from, Http2Error.REFUSED_STREAM);
      } else {
        begin(from, fields, end);
      }
    } catch (Malformed malformed) {
      malformed(from, Http2Error.PROTOCOL_ERROR);
    }
  }

  private void begin(Http2FrameStream from, Http2Headers fields, boolean end) throws Malformed {
    requests++;
    Exchange exchange = new Exchange(from, channel, sender, service, peer, heads);
    try {
      Request request = exchange.request(RequestHead.of(fields, limits), end);
      run(from, exchange, () -> exchange.serve(request));
    } catch (Refused refused) {
      if (!end) {
        exchange.ignoreBody();
      }
      boolean headOnly = fields.method() != null && "HEAD".contentEquals(fields.method());
      run(from, exchange, () -> exchange.refuse(refused, headOnly));
    }
  }

  private void run(Http2FrameStream from, Exchange exchange, Runnable answering) {
    Scope all = scope;
    if (all == null) {
      throw new AssertionError("nobody reads before it is served");
    }
    exchanges.put(from.id(), exchange);
    Coroutine<Void> running = all.spawn(() -> answering.run());
    running.onEnd((_, _) -> ended(from.id()));
  }

  private void ended(int id) {
    exchanges.remove(id);
    if (exchanges.isEmpty() && state != TwoState.ENDED) {
      sender.wake();
    }
  }

  void dataCame(Http2FrameStream from, ByteBuf bytes, int flow, boolean end) {
    Exchange known = exchanges.get(from.id());
    if (known != null) {
      known.dataCame(bytes, flow, end);
    } else {
      sender.order(() -> channel.say(new DefaultHttp2WindowUpdateFrame(flow).stream(from)));
    }
  }

  void resetCame(Http2FrameStream from, long code) {
    Exchange known = exchanges.get(from.id());
    if (known != null) {
      known.resetCame(
          new IOException("the client has reset the stream: " + Http2Error.valueOf(code)));
    }
  }

  void settingsCame() {
    if (input == Input.BEGINNING) {
      input = Input.FLOWING;
    } else {
      idleTalk();
    }
    channel.limitHeaderTable();
  }

  /// A frame that asks for nothing, and costs something.
  void idleTalk() {
    if (++idleTalk == IDLE_TALK) {
      sender.order(() -> channel.say(new DefaultHttp2GoAwayFrame(Http2Error.ENHANCE_YOUR_CALM)));
      breakOff("it says nothing, and much of that");
    }
  }

  /// What came on that stream cannot be: it ends, and the connection goes on.
  void malformed(Http2FrameStream from, Http2Error error) {
    Exchange known = exchanges.get(from.id());
    if (known != null) {
      known.reset(error);
      known.gone(new IOException("a malformed frame"));
    } else {
      reset(from, error);
    }
  }

  /// Something has failed that is not of one stream. Netty tells what it knows to tell.
  void broken(Throwable cause) {
    breakOff(String.valueOf(cause.getMessage()));
  }

  private void reset(Http2FrameStream which, Http2Error error) {
    sender.order(() -> channel.say(new DefaultHttp2ResetFrame(error).stream(which)));
  }

  // ---- sending

  /// Until all has been said, or nobody takes it.
  private void send() {
    try {
      while (!(state == TwoState.OVER && sender.isIdle())) {
        sender.sendSome();
        if (exchanges.isEmpty() && sender.isIdle()) {
          state = state.allAnswered();
        }
      }
      Duration patience = limits.sendTime();
      Time.timeout(
          patience.compareTo(Lingering.TIME) < 0 ? Lingering.TIME : patience, this::finish);
    } catch (IOException | TimeoutException gone) {
      // who reads sees it, too
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    } finally {
      sender.end();
      stream.close();
    }
  }

  /// Has the client see it, and end its side. A connection that is closed while bytes come in is reset, and what the kernel
  /// still has of the answers is lost: so a client that says something, because it reads, has more time.
  private void finish() throws Exception {
    stream.shutdown();
    long before;
    do {
      before = ignored;
    } while (!hasEndedSoon() && ignored > before);
  }

  private boolean hasEndedSoon() throws Exception {
    try {
      return Time.timeout(
          Lingering.TIME,
          () -> {
            inputEnd.await();
            return true;
          });
    } catch (TimeoutException over) {
      return false;
    }
  }

  // ---- looking

  @Override
  public void drain() {
    if (state == TwoState.OPEN) {
      state = state.drain();
      sender.order(() -> channel.say(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR)));
    }
  }

  @Override
  public void look(long nanos) {
    idleTalk = 0;
    if (requests != seenRequests || !exchanges.isEmpty()) {
      seenRequests = requests;
      requestsSeenAt = nanos;
    }
    long taken = sender.taken();
    if (taken != seenTaken || !sender.isStalled()) {
      seenTaken = taken;
      takenSeenAt = nanos;
    }
    long silent = nanos - requestsSeenAt;
    if (nanos - takenSeenAt >= limits.sendTime().toNanos()
        || (input == Input.BEGINNING && silent >= limits.headTime().toNanos())) {
      stream.close();
    } else if (silent >= limits.idle().toNanos()) {
      drain();
    }
    List.copyOf(exchanges.values()).forEach(exchange -> exchange.look(nanos));
  }

  @Override
  public String toString() {
    return "HTTP/2 over " + stream;
  }
}
