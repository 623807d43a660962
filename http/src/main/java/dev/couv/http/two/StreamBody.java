// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import dev.couv.http.Headers;
import dev.couv.http.HttpLimits;
import dev.couv.http.serve.BodyPace;
import dev.couv.http.serve.ComingBody;
import dev.couv.http.serve.Lingering;
import dev.couv.http.serve.Refused;
import dev.couv.sync.Gate;
import dev.couv.time.Time;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The body of a request, as it comes in frames. What has come and was not read is held here; the client may send more only
/// when that is read.
final class StreamBody implements ComingBody {
  /// The client is told when so much was read, or all that is here.
  private static final int TOLD = 1 << 14;

  private final Exchange exchange;
  private final HttpLimits limits;
  private final long length;
  private final BodyPace pace;
  private final ByteQueue here = new ByteQueue();
  private final Gate news = new Gate();

  private State state;
  private long came;
  private long taken;

  /// Read, and the client does not know of it yet.
  private int untold;

  private Headers trailers = Headers.EMPTY;

  /// Why it cannot be read to its end.
  private @Nullable IOException failure;

  /// Where a body is.
  private enum State {
    /// The client waits for a word before it sends it.
    EXPECTED,
    /// It comes.
    COMING,
    /// All of it has come.
    WHOLE,
    /// Its request was answered, or taken back: it is nobody's any more.
    GONE
  }

  /// @param length as it was announced; -1 if it was not
  StreamBody(Exchange exchange, HttpLimits limits, long length, boolean expected) {
    this.exchange = exchange;
    this.limits = limits;
    this.length = length;
    this.pace = new BodyPace(limits, Time.nanos());
    this.state = expected ? State.EXPECTED : State.COMING;
  }

  // ---- what comes

  /// A part of it; `flow` is what that was for flow control.
  void came(ByteBuf bytes, int flow, boolean end) {
    int size = bytes.readableBytes();
    came += size;
    if (failure == null && came > limits.body()) {
      fail(new Refused(413, "a body of more than " + limits.body() + " bytes"));
    }
    boolean wanted = failure == null && state != State.GONE;
    if (wanted) {
      here.add(bytes);
    }
    int done = wanted ? flow - size : flow;
    if (done > 0) {
      exchange.consumed(done);
    }
    if (end) {
      ended();
    }
    news.open();
  }

  /// What was behind it.
  void came(Headers behind) {
    trailers = behind;
    ended();
    news.open();
  }

  private void ended() {
    if (state != State.GONE) {
      state = State.WHOLE;
    }
  }

  /// It will not come to its end, if that is not here already.
  void fail(IOException why) {
    if (failure == null && state != State.WHOLE) {
      failure = why;
      untold += here.size();
      here.clear();
      tell();
    }
    news.open();
  }

  /// The client cannot even send it any more.
  void cut(IOException why) {
    fail(why);
    if (state != State.WHOLE) {
      state = State.GONE;
    }
  }

  // ---- who reads

  @Override
  public long length() {
    return length >= 0 ? length : state == State.WHOLE && taken == 0 ? came : -1;
  }

  @Override
  public Headers trailers() {
    return state == State.WHOLE && here.isEmpty() ? trailers : Headers.EMPTY;
  }

  @Override
  public @Nullable IOException failure() {
    return failure;
  }

  /// What the client is to be told, because the body could not be read to its end; null if nothing is wrong.
  @Nullable Refused refusal() {
    return failure instanceof Refused refused ? refused : null;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (!into.hasRemaining()) {
      return 0;
    }
    while (true) {
      IOException before = failure;
      if (before != null) {
        throw before;
      }
      if (!here.isEmpty()) {
        return take(into);
      }
      switch (state) {
        case WHOLE -> {
          return -1;
        }
        case GONE -> throw new IllegalStateException("the request was answered already");
        case EXPECTED -> invite();
        case COMING -> awaitMore();
      }
    }
  }

  /// Tells a client that waits for a word to send it.
  void invite() {
    if (state == State.EXPECTED) {
      state = State.COMING;
      exchange.sayContinue();
    }
  }

  private int take(ByteBuffer into) {
    int count = here.take(into);
    taken += count;
    untold += count;
    if (here.isEmpty() || untold >= TOLD) {
      tell();
    }
    return count;
  }

  private void tell() {
    if (untold > 0) {
      exchange.consumed(untold);
      untold = 0;
    }
  }

  private void awaitMore() throws IOException {
    news.close();
    long before = Time.nanos();
    try {
      Time.timeout(
          pace.patience(taken),
          () -> {
            news.await();
          });
    } catch (TimeoutException slow) {
      fail(new Refused(408, "the body comes too slowly"));
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    } finally {
      pace.waited(Time.nanos() - before); // who leaves it early has waited as well
    }
  }

  /// The request was answered. Skips what is left; false if that is too much, or the client waits for a word to send it.
  boolean skip() throws IOException {
    if (state == State.COMING && failure == null && length - taken <= limits.skipped()) {
      long last = taken + limits.skipped();
      ByteBuffer sink = ByteBuffer.allocate(1 << 10);
      try {
        while (taken <= last && read(sink.clear()) >= 0) {
          // nobody wants it
        }
      } catch (Refused slowOrTooMuch) {
        return false;
      }
    }
    return state == State.WHOLE;
  }

  /// The request was answered, and nobody wants what is left: whether the client has come to its end all the same, or has
  /// taken it back. It is given time for that, because there are clients that take a reset for a failure of what they have
  /// been answered before.
  boolean linger() {
    fail(new IOException("the request was answered already"));
    long last = came + Lingering.BYTES;
    try {
      Time.timeout(
          Lingering.TIME,
          () -> {
            while (isAwaited() && came < last) {
              news.close();
              news.await();
            }
          });
    } catch (TimeoutException over) {
      return false;
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }
    return !isAwaited();
  }

  private boolean isAwaited() {
    return state == State.EXPECTED || state == State.COMING;
  }

  /// Nobody is to read it any more.
  void gone() {
    here.clear();
    state = State.GONE;
  }
}
