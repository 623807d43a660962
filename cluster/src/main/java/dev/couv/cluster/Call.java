// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Link;
import dev.couv.cluster.link.Packet;
import dev.couv.sync.Promise;
import dev.couv.time.Time;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A function that some process of the cluster [serves][Cluster#serve], as a value: any number of
/// coroutines can call it.
///
/// ```java
/// var square = cluster.call("square", Codec.json(Integer.class), Codec.json(Integer.class));
/// int nine = square.run(3);
/// ```
public final class Call<I, O> {
  static final String TIMEOUT = "Couv-Timeout";
  static final String FAILURE = "Couv-Failure";

  private final Peer peer;
  private final String name;
  private final String subject;
  private final Coding<I> input;
  private final Coding<O> output;
  private final Duration timeout;

  /// The limit of time, for the other side.
  private final Map<String, String> headers;

  Call(Peer peer, String name, Coding<I> input, Coding<O> output, Duration timeout) {
    this.peer = peer;
    this.name = name;
    this.subject = peer.subjects().of("call", name);
    this.input = input;
    this.output = output;
    this.timeout = timeout;
    this.headers = Map.of(TIMEOUT, Long.toString(timeout.toMillis()));
  }

  /// This call, with another limit of time.
  public Call<I, O> withTimeout(Duration newTimeout) {
    if (!Objects.requireNonNull(newTimeout, "timeout").isPositive()) {
      throw new IllegalArgumentException("the timeout must be positive: " + newTimeout);
    }
    return new Call<>(peer, name, input, output, newTimeout);
  }

  /// Calls it, and waits for the answer. The limit of time travels with it; whatever ends the wait
  /// before, a cancellation or a `Time.timeout` around it, cancels the work at the other side.
  ///
  /// @throws NoServerException if nobody serves it: nothing was done
  /// @throws RemoteFailureException if it failed at the other side
  /// @throws CodecException if the input cannot be encoded, or the answer not be decoded
  /// @throws TimeoutException if there was no answer in time: it may have been done
  public O run(I value) throws Exception {
    byte[] bytes = input.encode(value);
    Link link = peer.link();
    Answer answer = new Answer();
    String word = link.directory().word();
    String address = link.directory().enter(word, answer);
    Packet answered = null;
    try {
      Packet question = Packet.of(subject, address, headers, bytes);
      answered =
          Time.timeout(
              timeout,
              () -> {
                link.publish(question); // may wait, too
                return answer.promise.await();
              });
    } catch (TimeoutException late) {
      throw told(late);
    } finally {
      link.directory().leaveWord(word);
      if (answered == null) {
        answer.promise.cancel();
        giveUp(link, address);
      }
    }
    return result(answered);
  }

  private TimeoutException told(TimeoutException late) {
    TimeoutException told =
        new TimeoutException(
            "no answer to " + this + " within " + timeout + ": it may have been done");
    told.initCause(late);
    return told;
  }

  /// What is awaited.
  private static final class Answer implements Asked {
    private final Promise<Packet> promise = Promise.outside(() -> {});

    @Override
    public void accept(Packet packet) {
      promise.complete(packet);
    }

    @Override
    public void lost(@Nullable Throwable reason) {
      promise.fail(Asked.over(reason));
    }
  }

  private O result(Packet answer) throws ClusterException {
    if (answer.status() == Packet.NOBODY) {
      throw new NoServerException("nobody serves \"" + name + '"');
    }
    if (answer.headers().containsKey(FAILURE)) {
      throw Thrown.decode("call \"" + name + '"', answer.data());
    }
    return output.decode(answer.data());
  }

  /// Whoever works on it is told. All who serve it hear that; whether one of them began with it is
  /// not known here.
  private void giveUp(Link link, String address) {
    try {
      byte[] which = address.getBytes(StandardCharsets.US_ASCII);
      link.send(Packet.of(peer.subjects().of("cancel", name), null, which));
    } catch (ClusterException notTold) {
      Peer.LOG.log(Level.DEBUG, this + " was not cancelled at the other side", notTold);
    }
  }

  @Override
  public String toString() {
    return "call \"" + name + '"';
  }
}
