// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.fs.OpenFile;
import dev.couv.http.Content;
import dev.couv.http.Headers;
import dev.couv.http.HttpBody;
import dev.couv.http.HttpLimits;
import dev.couv.http.HttpVersion;
import dev.couv.http.Peer;
import dev.couv.http.Request;
import dev.couv.http.Response;
import dev.couv.http.serve.Answers;
import dev.couv.http.serve.BodyPace;
import dev.couv.http.serve.Refused;
import dev.couv.http.serve.RequestWords;
import dev.couv.http.serve.ServerConnection;
import dev.couv.http.serve.Service;
import dev.couv.http.serve.Torn;
import dev.couv.stream.ByteStream;
import dev.couv.stream.ByteWriter;
import dev.couv.time.Time;
import io.netty.handler.codec.http.HttpRequest;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A connection of a server that speaks HTTP/1.1: one request after the other, each answered in the coroutine that read it.
///
/// ## The quick way
///
/// A request that is here as a whole costs one wait, for its bytes. The answer is put together in an array that all
/// connections share, and copied to the writer, which gives it to the kernel at the end of the turn; so the answers to
/// requests that came together leave together. No timer is armed: [#look] sees who is silent.
public final class OneConnection implements ServerConnection {
  /// In place of an upgrade while the server ends.
  private static final Response ENDING = Response.text("the server ends\n").withStatus(503);

  private final ByteStream stream;
  private final Peer peer;
  private final Service service;
  private final HttpLimits limits;
  private final Inflow in;
  private final Outflow out;
  private final ConnectionEnd end;
  private RequestDecoder decoder;
  private final List<Object> parts = new ArrayList<>(2);

  private ConnectionState state = ConnectionState.IDLE;

  /// Requests that have come, and those that were answered, for [#look] to see whether there are new ones.
  private long moves;

  /// When the first byte of the last request was here, by `Time.nanos()`; 0 unless the time of whole requests is limited.
  private long began;

  private long seenMoves = -1;
  private long seenSent = -1;
  private long seenAt;

  /// In the coroutine that is to serve it. The stream stays the caller's, who closes it.
  public OneConnection(ByteStream stream, Peer peer, Service service, Heads heads) {
    this.stream = stream;
    this.peer = peer;
    this.service = service;
    this.limits = service.limits();
    this.in = new Inflow(stream);
    this.out = new Outflow(stream, ByteWriter.of(stream), heads);
    this.end = new ConnectionEnd(stream, in, out);
    this.decoder = new RequestDecoder(limits);
  }

  /// Serves until the connection ends, from either side. What clients do to their connections is no failure of the
  /// server's, and is not told.
  ///
  /// False if the client speaks HTTP/2: then the stream is as if nobody had read it, and another one's to serve.
  public boolean serve() throws Exception {
    service.begin(this);
    try {
      if (limits.streams() > 0 && !peer.secure() && isOfTwo()) {
        in.giveBack();
        return false;
      }
      serveAll();
      return true;
    } catch (IOException gone) {
      stream.close();
      if (state == ConnectionState.TAKEN_OVER) {
        throw gone; // of another protocol, which has its own view of that
      }
      return true;
    } finally {
      state = state.end();
      service.end(this);
    }
  }

  private void serveAll() throws Exception {
    while (state.mayServe()) {
      Request request;
      HttpRequest head = null;
      try {
        head = awaitHead();
        if (head == null) {
          end.finish();
          return;
        }
        state = state.begin();
        moves++;
        request = request(head);
      } catch (Refused refused) {
        refuse(head == null ? null : told(head), refused);
        return;
      }
      if (!serve(request)) {
        return;
      }
      state = state.done();
      moves++;
    }
    end.linger(); // nobody told the client that this was the last: it may have asked for more
  }

  // ---- requests

  /// Waits for the first bytes: whether they are those with which HTTP/2 begins.
  private boolean isOfTwo() throws Exception {
    if (!in.fill() || !Preface.isPossible(in)) {
      return false;
    }
    if (Preface.isWhole(in)) {
      return true;
    }
    state = state.begin();
    try {
      return Time.timeout(limits.headTime(), this::readRestOfPreface);
    } catch (TimeoutException slow) {
      return false; // as slow as a head that does not come
    } finally {
      state = state.done();
    }
  }

  private boolean readRestOfPreface() throws IOException {
    while (in.fill() && Preface.isPossible(in)) {
      if (Preface.isWhole(in)) {
        return true;
      }
    }
    return false;
  }

  /// The head of the next request; null if there is none any more.
  private @Nullable HttpRequest awaitHead() throws Exception {
    if (in.isEmpty()) {
      if (decoder.isLarge()) {
        decoder = new RequestDecoder(limits);
      }
      if (!in.fill()) {
        return null;
      }
    }
    if (limits.whole() != null) {
      began = Time.nanos();
    }
    HttpRequest head = decodeHead();
    return head != null ? head : awaitRestOfHead();
  }

  private @Nullable HttpRequest decodeHead() throws Refused {
    parts.clear();
    decoder.next(in.array(), in.bytes(), parts);
    return parts.isEmpty() ? null : (HttpRequest) parts.getFirst();
  }

  /// A head that did not come at once has its time.
  private @Nullable HttpRequest awaitRestOfHead() throws Exception {
    state = state.begin();
    Duration whole = limits.whole();
    Duration time =
        whole == null || whole.compareTo(limits.headTime()) > 0 ? limits.headTime() : whole;
    try {
      boolean came = Time.timeout(time, this::readRestOfHead);
      return came ? (HttpRequest) parts.getFirst() : null;
    } catch (TimeoutException slow) {
      throw new Refused(408, "the head did not come within " + time);
    }
  }

  private boolean readRestOfHead() throws IOException {
    while (in.fill()) {
      if (decodeHead() != null) {
        return true;
      }
    }
    return false;
  }

  private Request request(HttpRequest head) throws Refused {
    Headers headers = ((FieldList) head.headers()).headers();
    HttpVersion version = version(head);
    boolean expected =
        version == HttpVersion.HTTP_1_1
            && headers.contains(KnownNames.EXPECT)
            && RequestWords.isAwaiting(headers);
    HttpBody body = parts.size() > 1 ? HttpBody.NONE : body(headers, expected);
    String host = headers.get(KnownNames.HOST);
    String target = Targets.originForm(head.method().name(), head.uri(), host);
    return Request.of(head.method().name(), target, version, headers, body, peer);
  }

  /// A request that nobody handles, for who is told of it.
  private Request told(HttpRequest head) {
    Headers headers = ((FieldList) head.headers()).headers();
    return Request.of(
        head.method().name(), head.uri(), version(head), headers, HttpBody.NONE, peer);
  }

  private static HttpVersion version(HttpRequest head) {
    return head.protocolVersion() == io.netty.handler.codec.http.HttpVersion.HTTP_1_1
        ? HttpVersion.HTTP_1_1
        : HttpVersion.HTTP_1_0;
  }

  private HttpBody body(Headers headers, boolean expected) throws Refused {
    BodyPace pace = new BodyPace(limits, began);
    String length = headers.get(KnownNames.CONTENT_LENGTH);
    if (length == null) {
      String coding = headers.get(KnownNames.TRANSFER_ENCODING);
      if (coding == null) {
        // Netty knows a draft of WebSocket whose requests have eight bytes behind the head, and
        // nobody else does.
        throw new Refused(400, "a body of which nothing is said");
      }
      if (!coding.equalsIgnoreCase("chunked")) {
        boolean list = !coding.startsWith(",") && !coding.endsWith(",");
        throw new Refused(list ? 501 : 400, "no coding but chunked");
      }
      return IncomingBody.chunked(in, out.writer(), limits, pace, decoder, expected);
    }
    // Netty has looked at it. What is counted needs no decoder, which is told to wait for the next
    // head.
    long count = Long.parseLong(length);
    if (count > limits.body()) {
      throw new Refused(413, "a body of more than " + limits.body() + " bytes");
    }
    decoder.reset();
    return IncomingBody.ofLength(in, out.writer(), limits, pace, count, expected);
  }

  // ---- answers

  /// Answers a request: whether another one may follow.
  private boolean serve(Request request) throws Exception {
    long since = service.isLogged() ? Time.nanos() : 0;
    Response response = service.answer(request);
    if (response.toClose().isEmpty()) {
      return answer(request, response, since);
    }
    try {
      return answer(request, response, since);
    } finally {
      service.over(request, response);
    }
  }

  private boolean answer(Request request, Response response, long since) throws Exception {
    IncomingBody body = request.body() instanceof IncomingBody incoming ? incoming : null;
    Refused refusal = body == null ? null : body.refusal();
    if (refusal != null) {
      refuse(request, refusal);
      return false;
    }
    if (body != null && response.content() instanceof Content.Streamed) {
      body.invite(); // who writes the answer may read it, and then it is too late for a word
    }
    boolean stays = isKept(request) && state.mayServe() && (body == null || body.canBeSkipped());
    Response sent = response;
    if (response.content() instanceof Content.Upgraded upgraded) {
      Response refused = upgradeRefusal(request, response, body);
      if (refused == null) {
        takeOver(request, response, upgraded, since);
        return false;
      }
      sent = refused;
      stays = false;
    }
    if (body != null) {
      body.answerBegins();
    }
    stays = send(request, sent, stays, since);
    if (stream.isClosed()) {
      return false;
    }
    if (body != null && stays) {
      stays = skip(request, body);
    } else if (body != null) {
      body.gone();
    }
    if (!stays) {
      end.linger();
    }
    return stays;
  }

  /// What is left of a body. If somebody else is still reading it, nobody can tell where the next request begins.
  private boolean skip(Request request, IncomingBody body) throws IOException {
    try {
      return body.skip();
    } catch (BusyException reading) {
      body.gone();
      service.failed(request, reading);
      return false;
    }
  }

  /// Whether the client leaves the connection open.
  private static boolean isKept(Request request) {
    Headers headers = request.headers();
    return !headers.contains(KnownNames.CONNECTION, "close")
        && (request.version() == HttpVersion.HTTP_1_1
            || headers.contains(KnownNames.CONNECTION, "keep-alive"));
  }

  private boolean send(Request request, Response response, boolean stays, long since)
      throws Exception {
    if (response.content() instanceof Content.FileRange range
        && Answers.sendsBody(request, response)) {
      return sendFile(request, response, range, stays, since);
    }
    return sendReady(request, response, stays, since);
  }

  private boolean sendFile(
      Request request, Response response, Content.FileRange range, boolean stays, long since)
      throws IOException {
    OpenFile opened;
    try {
      opened = service.open(range.path());
    } catch (NoSuchFileException gone) {
      return sendReady(request, Answers.GONE, stays, since);
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (IOException | RuntimeException unreadable) { // also of a file system of another kind
      service.failed(request, unreadable);
      return sendReady(request, Service.INTERNAL, stays, since);
    }
    try (opened) {
      Content content = new Content.OpenRange(range.type(), opened, range.offset(), range.length());
      return sendReady(request, response.withContent(content), stays, since);
    }
  }

  private boolean sendReady(Request request, Response response, boolean stays, long since)
      throws IOException {
    long before = out.bodyBytes();
    try {
      return out.send(request, response, stays);
    } catch (Torn torn) {
      service.failed(request, torn.failure());
      end.tear();
      return false;
    } catch (Cancelled | Resumed leaving) {
      if (out.hasBegun()) {
        end.tear();
      }
      throw leaving;
    } finally {
      if (service.isLogged()) {
        service.served(request, peer, response.status(), out.bodyBytes() - before, since);
      }
    }
  }

  /// What is answered instead of an upgrade that would be misunderstood, or come to nothing; null if it would not: the client has asked for
  /// it, nothing of its request is left, which the other protocol would take for its own, and the server does not end.
  private @Nullable Response upgradeRefusal(
      Request request, Response response, @Nullable IncomingBody body) {
    String protocol = String.valueOf(response.headers().get("upgrade"));
    Headers asked = request.headers();
    boolean wanted =
        request.version() == HttpVersion.HTTP_1_1
            && asked.contains(KnownNames.CONNECTION, "upgrade")
            && asked.contains("upgrade", protocol);
    if (!wanted) {
      return Response.text("this speaks " + protocol + "\n")
          .withStatus(426)
          .withHeader("Upgrade", protocol);
    }
    if (body != null && !body.hasEnded()) {
      service.failed(
          request, new IllegalStateException("an upgrade before the body was read: " + request));
      return Service.INTERNAL;
    }
    return state.mayServe() ? null : ENDING;
  }

  private void takeOver(Request request, Response response, Content.Upgraded upgraded, long since)
      throws Exception {
    out.upgrade(response);
    in.giveBack();
    service.served(request, peer, response.status(), 0, since);
    state = state.takenOver();
    upgraded.takeover().take(stream);
  }

  /// Answers what is not to be handled, and closes the connection.
  private void refuse(@Nullable Request request, Refused refused) throws Exception {
    state = state.begin();
    long since = service.isLogged() ? Time.nanos() : 0;
    long before = out.bodyBytes();
    out.refuse(Answers.of(refused));
    service.served(request, peer, refused.status(), out.bodyBytes() - before, since);
    end.linger();
  }

  // ---- looking

  @Override
  public void drain() {
    if (state == ConnectionState.IDLE && !out.isStalled()) {
      stream.close();
    } else if (state == ConnectionState.IDLE) {
      service.beside(this::closeWhenSent); // the last answers are not with the kernel yet
    }
    state = state.drain();
  }

  /// Unless a request came before the server ended, and was not seen: then that is the last, and its answer ends the connection.
  private void closeWhenSent() {
    long before = moves;
    try {
      out.flush();
    } catch (IOException gone) {
      // nobody is there any more
    } finally {
      if (moves == before) {
        stream.close();
      }
    }
  }

  @Override
  public void look(long nanos) {
    long sent = out.progress();
    boolean waits = state != ConnectionState.IDLE && !out.isStalled(); // there is nothing to take
    if (waits || moves != seenMoves || sent != seenSent) {
      seenMoves = moves;
      seenSent = sent;
      seenAt = nanos;
      return;
    }
    long silent = nanos - seenAt;
    boolean over =
        switch (state) {
          case IDLE -> silent >= limits.idle().toNanos();
          case BUSY, LAST -> silent >= limits.sendTime().toNanos();
          case TAKEN_OVER, ENDED -> false;
        };
    if (over) {
      end.giveUp();
    }
  }

  @Override
  public String toString() {
    return "HTTP/1.1 over " + stream;
  }
}
