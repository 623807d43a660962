// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import dev.couv.fs.OpenFile;
import dev.couv.http.Content;
import dev.couv.http.Headers;
import dev.couv.http.HttpBody;
import dev.couv.http.HttpVersion;
import dev.couv.http.Peer;
import dev.couv.http.Request;
import dev.couv.http.Response;
import dev.couv.http.serve.Answers;
import dev.couv.http.serve.ClientGone;
import dev.couv.http.serve.Refused;
import dev.couv.http.serve.Service;
import dev.couv.http.serve.Torn;
import dev.couv.time.Time;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/// A request and its answer, on a stream of their own. Its coroutine runs the handler, and writes the answer; what comes is
/// told by the one that reads the connection.
///
/// A client that takes its request back does what one does that closes its connection: reading the body and writing the
/// answer fail, and nothing else happens to the handler.
final class Exchange {
  private static final int FILE_PIECE = 1 << 15;

  private final Http2FrameStream stream;
  private final FrameChannel channel;
  private final Sender sender;
  private final Service service;
  private final Peer peer;
  private final AnswerHeads heads;
  private final Outgoing out;

  /// Null of a request without one.
  private @Nullable StreamBody body;

  private State state = State.ASKED;
  private long seenProgress = -1;
  private long seenAt;

  private enum State {
    /// Nothing was said yet.
    ASKED,
    /// The answer has begun.
    ANSWERING,
    /// The client has all of the answer, or will have.
    ANSWERED,
    /// One of both sides has taken it back.
    RESET
  }

  Exchange(
      Http2FrameStream stream,
      FrameChannel channel,
      Sender sender,
      Service service,
      Peer peer,
      AnswerHeads heads) {
    this.stream = stream;
    this.channel = channel;
    this.sender = sender;
    this.service = service;
    this.peer = peer;
    this.heads = heads;
    this.out = new Outgoing(stream, channel, sender);
  }

  // ---- what comes, told by who reads

  /// The head, which nothing may be missing of. What it says of the body is believed: Netty counts.
  Request request(RequestHead head, boolean end) throws Refused {
    HttpBody incoming = HttpBody.NONE;
    if (!end) {
      if (head.length() > service.limits().body()) {
        throw new Refused(413, "a body of more than " + service.limits().body() + " bytes");
      }
      StreamBody coming = new StreamBody(this, service.limits(), head.length(), head.expected());
      body = coming;
      incoming = coming;
    }
    return Request.of(
        head.method(), head.target(), HttpVersion.HTTP_2, head.headers(), incoming, peer);
  }

  /// What is refused may have a body all the same.
  void ignoreBody() {
    body = new StreamBody(this, service.limits(), -1, false);
  }

  void dataCame(ByteBuf bytes, int flow, boolean end) {
    StreamBody coming = body;
    if (coming != null) {
      coming.came(bytes, flow, end);
    } else {
      consumed(flow);
    }
  }

  void trailersCame(Headers trailers) {
    StreamBody coming = body;
    if (coming != null) {
      coming.came(trailers);
    }
  }

  /// The client has taken it back.
  void resetCame(IOException why) {
    state = State.RESET;
    gone(why);
  }

  /// Nothing more comes or goes.
  void gone(IOException why) {
    endOfInput(why);
    out.fail(why);
  }

  /// Nothing more comes.
  void endOfInput(IOException why) {
    StreamBody coming = body;
    if (coming != null) {
      EOFException early = new EOFException(why.getMessage());
      early.initCause(why);
      coming.cut(early);
    }
  }

  /// So many bytes were taken: the client may send as many more.
  void consumed(int bytes) {
    sender.order(() -> channel.say(new DefaultHttp2WindowUpdateFrame(bytes).stream(stream)));
  }

  /// Takes it back.
  void reset(Http2Error why) {
    if (state != State.RESET) {
      state = State.RESET;
      sender.order(() -> channel.say(new DefaultHttp2ResetFrame(why).stream(stream)));
    }
  }

  /// Whoever takes nothing of its answer is not waited for any longer.
  void look(long nanos) {
    long progress = out.progress();
    if (progress != seenProgress || !out.isStalled()) {
      seenProgress = progress;
      seenAt = nanos;
    } else if (nanos - seenAt >= service.limits().sendTime().toNanos()) {
      reset(Http2Error.CANCEL);
      gone(new IOException("the client takes nothing"));
    }
  }

  // ---- in its own coroutine

  /// Answers a request, whatever becomes of that. Only who is cancelled leaves this otherwise.
  void serve(Request request) {
    long since = service.isLogged() ? Time.nanos() : 0;
    Response given;
    try {
      given = service.answer(request);
    } catch (Cancelled | Resumed leaving) {
      reset(Http2Error.CANCEL);
      throw leaving;
    }
    try {
      answer(request, given, since);
    } finally {
      service.over(request, given);
    }
  }

  private void answer(Request request, Response given, long since) {
    try {
      Response response = given;
      StreamBody coming = body;
      Refused refusal = coming == null ? null : coming.refusal();
      if (refusal != null) {
        response = Answers.of(refusal);
      } else if (response.content() instanceof Content.Upgraded) {
        service.failed(
            request,
            new IllegalStateException("a stream of HTTP/2 cannot be upgraded: " + request));
        response = Service.INTERNAL;
      }
      send(request, response, since);
      finish();
    } catch (Torn torn) {
      service.failed(request, torn.failure());
      reset(Http2Error.INTERNAL_ERROR);
    } catch (IOException gone) {
      reset(Http2Error.CANCEL);
    } catch (Cancelled | Resumed leaving) {
      reset(Http2Error.CANCEL);
      throw leaving;
    } catch (RuntimeException | Error broken) {
      service.failed(request, broken);
      reset(Http2Error.INTERNAL_ERROR);
    }
  }

  /// Answers what is not to be handled; without a body if only the head was asked for.
  void refuse(Refused refused, boolean headOnly) {
    try {
      long since = service.isLogged() ? Time.nanos() : 0;
      Response response = Answers.of(refused);
      try {
        sayHead(response, headOnly);
        if (!headOnly) {
          sendBytes(((Content.Bytes) response.content()).bytes());
        }
      } finally {
        service.served(null, peer, refused.status(), out.sent(), since);
      }
      StreamBody coming = body;
      if (coming != null && !coming.linger()) {
        reset(Http2Error.NO_ERROR);
      }
    } catch (IOException gone) {
      reset(Http2Error.CANCEL);
    } catch (Cancelled | Resumed leaving) {
      reset(Http2Error.CANCEL);
      throw leaving;
    }
  }

  /// The answer is on its way. What is left of the body is skipped, or the client told not to send it.
  private void finish() throws IOException {
    if (state == State.ANSWERING) {
      state = State.ANSWERED;
    }
    StreamBody coming = body;
    if (coming != null) {
      boolean whole = coming.skip() || coming.linger();
      coming.gone();
      if (!whole) {
        reset(Http2Error.NO_ERROR);
      }
    }
  }

  private void send(Request request, Response response, long since) throws IOException {
    try {
      if (response.content() instanceof Content.FileRange range
          && Answers.sendsBody(request, response)) {
        openAndSend(request, response, range);
      } else {
        sendOther(request, response);
      }
    } finally {
      if (service.isLogged()) {
        service.served(request, peer, response.status(), out.sent(), since);
      }
    }
  }

  private void sendOther(Request request, Response response) throws IOException {
    if (!Answers.sendsBody(request, response)) {
      sayHead(response, true);
      return;
    }
    switch (response.content()) {
      case Content.None _ -> sayHead(response, true);
      case Content.Bytes content -> {
        sayHead(response, content.bytes().length == 0);
        if (content.bytes().length > 0) {
          sendBytes(content.bytes());
        }
      }
      case Content.Streamed content -> sendStream(response, content);
      case Content.OpenRange content -> sendFile(response, content);
      case Content.FileRange _, Content.Upgraded _ -> throw new AssertionError("not here");
    }
  }

  private void sendBytes(byte[] bytes) throws IOException {
    out.write(ByteBuffer.wrap(bytes));
    out.end();
  }

  private void sendStream(Response response, Content.Streamed content) throws IOException {
    StreamBody coming = body;
    if (coming != null) {
      coming.invite(); // who writes the answer may read it, and then it is too late for a word
    }
    sayHead(response, false);
    Answers.write(content, out);
    out.end();
  }

  private void openAndSend(Request request, Response response, Content.FileRange range)
      throws IOException {
    OpenFile opened;
    try {
      opened = service.open(range.path());
    } catch (NoSuchFileException gone) {
      sendOther(request, Answers.GONE);
      return;
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (IOException | RuntimeException unreadable) { // also of a file system of another kind
      service.failed(request, unreadable);
      sendOther(request, Service.INTERNAL);
      return;
    }
    try (opened) {
      sendFile(
          response, new Content.OpenRange(range.type(), opened, range.offset(), range.length()));
    }
  }

  private void sendFile(Response response, Content.OpenRange range) throws IOException {
    sayHead(response, range.length() == 0);
    if (range.length() > 0) {
      sendPieces(range);
    }
  }

  private void sendPieces(Content.OpenRange range) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(FILE_PIECE, range.length()));
    for (long sent = 0; sent < range.length(); sent += piece.limit()) {
      piece.clear().limit((int) Math.min(piece.capacity(), range.length() - sent));
      int count;
      try {
        count = range.file().read(piece, range.offset() + sent);
      } catch (IOException unreadable) {
        throw new Torn(unreadable);
      }
      if (count <= 0) {
        throw new Torn(new EOFException(range.file() + " has become shorter"));
      }
      out.write(piece.flip());
    }
    out.end();
  }

  // ---- frames

  private void sayHead(Response response, boolean last) throws ClientGone {
    if (state == State.RESET) {
      throw new ClientGone(new IOException("the stream was reset"));
    }
    state = State.ANSWERING;
    say(heads.of(response), last);
  }

  /// The client waits for a word before it sends a body.
  void sayContinue() {
    if (state == State.ASKED) {
      say(new DefaultHttp2Headers(false).status("100"), false);
    }
  }

  private void say(Http2Headers fields, boolean last) {
    sender.order(() -> channel.say(new DefaultHttp2HeadersFrame(fields, last).stream(stream)));
  }
}
