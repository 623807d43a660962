// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.coro.Awaitable;
import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Somebody who hears a topic, or watches keys. So many values wait for it as the cluster's options
/// say; if more come, it is shown out: it gets those that wait, and then a `ClosedException` whose
/// cause is a [SlowReceiverException].
///
/// A topic keeps nothing, so a receiver whose server was lost has missed what was published
/// meanwhile. [#gaps] tells; a watch of keys has none, because it goes on where it was.
public final class TopicReceiver<T> implements Iterable<T>, AutoCloseable {
  private final Peer peer;
  private final String subject;
  private final Chan<T> values;
  private final Part part = new Told();
  private final boolean keeps;
  private @Nullable Runnable end;

  /// How many values have come.
  private long accepted;

  /// Gaps that everything before was received of, and how many values had come before the others.
  private int gaps;

  private final Deque<Long> aheadOfGaps = new ArrayDeque<>();

  /// @param keeps whether what is published while there is no server comes later
  TopicReceiver(Peer peer, String subject, boolean keeps) {
    this.peer = peer;
    this.keeps = keeps;
    this.subject = subject;
    this.values = Chan.create(ChanOptions.of(peer.options().buffer()).withShared(true));
    peer.add(part);
  }

  /// What ends the telling.
  void endBy(Runnable newEnd) {
    end = newEnd;
  }

  void accept(T value) {
    if (values.isClosed()) {
      return;
    }
    accepted++;
    if (!values.trySend(value)) {
      values.close(
          new SlowReceiverException(
              "a receiver of "
                  + subject
                  + " was shown out: "
                  + peer.options().buffer()
                  + " values waited for it"));
      stop();
    }
  }

  /// Waits for the next value.
  ///
  /// @throws ClosedException if it is closed; its cause says why, if it was shown out or the
  ///   cluster is lost
  public T receive() {
    return values.receive();
  }

  /// Receiving as one of several things to wait for: it takes a value only if it wins. Can be used
  /// again.
  public Awaitable<T> receiving() {
    return values.receiving();
  }

  /// Receives until it is closed; if it was shown out, that is thrown at the end.
  @Override
  public Iterator<T> iterator() {
    return values.iterator();
  }

  /// How many values wait for it.
  public int waiting() {
    return values.stats().values();
  }

  /// How often values may have been missed before the place where the receiver is now: each time
  /// that the server was lost and another found, or that values came faster than the loop took
  /// them. It grows when what had come before was received. Whoever compares it before and after a
  /// value knows whether something may be missing between the two.
  public int gaps() {
    long received = accepted - waiting();
    while (!aheadOfGaps.isEmpty() && aheadOfGaps.getFirst() <= received) {
      aheadOfGaps.removeFirst();
      gaps++;
    }
    return gaps;
  }

  /// Of many gaps without a value between them one is enough.
  private void gap() {
    if (!keeps && (aheadOfGaps.isEmpty() || aheadOfGaps.getLast() < accepted)) {
      aheadOfGaps.addLast(accepted);
    }
  }

  /// Hears no more. What waits can still be received. Does nothing the second time.
  @Override
  public void close() {
    peer.checkHere();
    values.close();
    stop();
  }

  private void stop() {
    Runnable ending = end;
    end = null;
    peer.remove(part);
    if (ending != null && !peer.isClosed()) {
      ending.run();
    }
  }

  /// Whether it was closed, or shown out.
  public boolean isClosed() {
    return values.isClosed();
  }

  @Override
  public String toString() {
    return "a receiver of " + subject;
  }

  /// The receiver, for the peer.
  private final class Told implements Part {
    @Override
    public void reconnected() {
      gap();
    }

    @Override
    public void dropped() {
      gap();
    }

    @Override
    public void lost(@Nullable Throwable reason) {
      if (reason == null) {
        values.close();
      } else {
        values.close(reason);
      }
    }
  }
}
