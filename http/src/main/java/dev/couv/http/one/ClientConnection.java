// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.http.Content;
import dev.couv.http.Headers;
import dev.couv.http.HttpBody;
import dev.couv.stream.ByteStream;
import dev.couv.sync.Gate;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A connection of a client, one exchange after the other.
///
/// A body that is small goes with its head. Any other has a coroutine of its own, so that a server that answers before it
/// has read all of it is heard; what the coroutine has not sent when the answer is over is not sent, and the connection of
/// no more use.
public final class ClientConnection {
  /// A body of no more than this is put into the writer with its head, and nobody waits.
  private static final int SMALL = 1 << 15;

  /// How long a server that was asked may say nothing before it is sent the body.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ByteStream stream;
  private final ClientLink link;
  private int exchanges;

  private @Nullable RequestSender sender;
  private @Nullable Coroutine<Void> sending;
  private @Nullable Throwable sendFailure;

  /// In the coroutine that makes the first request. The stream belongs to it from then on.
  public ClientConnection(ByteStream stream, int head, int headers) {
    this.stream = stream;
    this.link = new ClientLink(stream, head, headers);
  }

  /// Whether it has carried an exchange before this one: then the server may have closed it meanwhile.
  public boolean isReused() {
    return exchanges > 1;
  }

  /// Whether something of the answer has come.
  public boolean hasBegun() {
    return link.hasBegun();
  }

  /// Sends a request and waits for the head of its answer.
  ///
  /// @param headTime how long that may take after the request, or after the server took the last of it
  /// @param expecting whether the server is asked before the body is sent
  public ResponseHead exchange(
      String method,
      String target,
      Headers headers,
      Content content,
      boolean expecting,
      Duration headTime,
      Deadline deadline)
      throws IOException {
    exchanges++;
    link.begin();
    sendFailure = null;
    sending = null;
    sender = null;
    link.writeHead(method, target, headers);
    Gate wanted = new Gate(!expecting);
    if (content instanceof Content.Bytes bytes && bytes.bytes().length <= SMALL && !expecting) {
      link.writer().write(bytes.bytes());
    } else if (!(content instanceof Content.None)) {
      RequestSender body = new RequestSender(link);
      sender = body;
      sending = Coroutine.spawn(() -> send(body, content, wanted));
      sending.named("body of a request over " + stream);
    }
    ResponseHead answer = awaitHead(method, wanted, headTime, deadline);
    if (answer.status() == 101) {
      throw new ProtocolException("another protocol, which nobody asked for");
    }
    return answer;
  }

  /// In its own coroutine. Never fails: what happens is told by [#awaitHead].
  private void send(RequestSender body, Content content, Gate wanted) {
    try {
      if (!wanted.isOpen()) {
        try {
          Time.timeout(PATIENCE, () -> awaitWord(wanted));
        } catch (TimeoutException silent) {
          // a server that does not know the question
        }
      }
      body.send(content);
    } catch (IOException failed) {
      sendFailure = failed;
      if (!body.isRefused(failed)) {
        stream.close(); // nobody would ever answer
      }
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Exception | Error failed) {
      sendFailure = failed;
      stream.close();
    }
  }

  private static void awaitWord(Gate wanted) {
    wanted.await();
  }

  private ResponseHead awaitHead(String method, Gate wanted, Duration headTime, Deadline deadline)
      throws IOException {
    while (true) {
      long before = progress();
      try {
        return deadline.limit(
            headTime, "the head of the answer", () -> link.awaitHead(method, wanted::open));
      } catch (SocketTimeoutException slow) {
        boolean stillSends = sending != null && !isSent() && progress() != before;
        if (!stillSends) {
          throw slow;
        }
      } catch (IOException failed) {
        Throwable reason = sendFailure;
        if (reason instanceof IOException first) {
          if (first != failed) { // what the stream is told once it may tell both
            first.addSuppressed(failed);
          }
          throw first;
        }
        if (reason instanceof Error broken) {
          broken.addSuppressed(failed);
          throw broken;
        }
        if (reason != null) {
          throw new IOException("the body of the request could not be made", reason);
        }
        throw failed;
      }
    }
  }

  private long progress() {
    RequestSender body = sender;
    return body == null ? 0 : body.progress();
  }

  private boolean isSent() {
    Coroutine<Void> body = sending;
    return body == null || (body.status() == Status.DONE && sendFailure == null);
  }

  /// The body of the answer whose head has come. The consumer is told once whether the connection can be used again.
  public HttpBody body(
      ResponseHead answer, Duration idle, Deadline deadline, Consumer<Boolean> onEnd) {
    if (!answer.hasBody()) {
      onEnd.accept(isReusable(answer, true));
      return HttpBody.NONE;
    }
    return new ClientBody(
        link, answer, idle, deadline, whole -> onEnd.accept(isReusable(answer, whole)));
  }

  /// Nobody reads the rest of that body.
  public static void leave(HttpBody body) {
    if (body instanceof ClientBody coming) {
      coming.leave();
    }
  }

  /// Bytes behind an answer that nobody has asked for are no answer: who takes them for one is deceived.
  private boolean isReusable(ResponseHead answer, boolean whole) {
    return whole
        && answer.isKept()
        && isSent()
        && link.writer().pending() == 0
        && link.in().isEmpty()
        && stream.isOpen();
  }

  /// Waits, while nobody uses it, until the server says or ends something, for that long at most: then it is of no more
  /// use, and closed. Only who is cancelled leaves it open.
  public void awaitEnd(Duration keep) {
    try {
      Time.timeout(keep, () -> link.in().fill());
    } catch (Exception over) {
      // however it ends
    }
    stream.close();
  }

  /// Whether it can be used.
  public boolean isOpen() {
    return stream.isOpen();
  }

  /// Closes it, and sends nothing more.
  public void close() {
    stream.close();
    Coroutine<Void> body = sending;
    if (body != null) {
      body.cancel();
    }
  }

  @Override
  public String toString() {
    return "HTTP/1.1 to " + stream;
  }
}
