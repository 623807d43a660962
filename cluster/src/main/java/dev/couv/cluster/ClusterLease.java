// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Bucket;
import dev.couv.cluster.link.BucketPlan;
import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.sync.Promise;
import dev.couv.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A name that one process of the cluster holds at a time, until it closes it, or cannot be heard
/// for as long as the lease lasts. It is renewed by itself, three times in that time.
///
/// The holder counts from when it asked, the servers from when they heard: so the holder thinks it
/// is lost before another can have it. What it has begun by then is not undone: where that matters,
/// [#token] goes with it, and who is asked refuses a smaller one than it has seen.
public final class ClusterLease implements AutoCloseable {
  private static final int RENEWALS = 3;

  /// Whoever waits looks so often whether it is free, however long it lasts.
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final Peer peer;
  private final Claim claim;
  private final String name;
  private final Duration lasts;
  private final long token;
  private final Promise<Boolean> lost = Promise.outside(() -> {});
  private long renewedAt;
  private boolean closed;
  private final Part part = new GivenBack();
  private @Nullable Coroutine<?> renewal;

  private ClusterLease(Peer peer, Claim claim, String name, Duration lasts, long since) {
    this.peer = peer;
    this.claim = claim;
    this.name = name;
    this.lasts = lasts;
    this.token = claim.revision();
    this.renewedAt = since;
  }

  /// Waits until it is held.
  static ClusterLease open(Peer peer, String name, Duration lasts) throws Exception {
    Subjects.check("lease", name);
    if (lasts.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("a lease lasts a second at least, not " + lasts);
    }
    // A bucket of its own: all keys of one last equally long, and by it who says another time is
    // found, who would hold it beside the others.
    String place = peer.subjects().stored("lease", name);
    Bucket bucket = peer.link().bucket(new BucketPlan(place, lasts, peer.options().replicas()));
    Claim claim = new Claim(bucket, name, peer.link().directory().word());
    Duration pause = lasts.dividedBy(2 * RENEWALS);
    long heard = System.nanoTime();
    while (true) {
      peer.link(); // as long as the cluster is open
      long since = System.nanoTime();
      try {
        if (isMade(claim)) {
          ClusterLease lease = new ClusterLease(peer, claim, name, lasts, since);
          peer.add(lease.part);
          lease.renewal = peer.loop().spawn(lease::renew).named("lease " + name);
          return lease;
        }
        heard = System.nanoTime();
      } catch (UnknownOutcomeException silence) {
        // It waits for others anyway, so it does for a server: for as long as an answer may take.
        if (System.nanoTime() - heard > peer.options().answerTimeout().toNanos()) {
          throw silence;
        }
      }
      Time.sleep(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    }
  }

  /// Not cancelled in between, or it would be held by nobody who knows.
  private static boolean isMade(Claim claim) throws Exception {
    boolean[] made = new boolean[1];
    Coroutine.protect(
        () -> {
          made[0] = claim.make();
        });
    return made[0];
  }

  private void renew() {
    while (!closed) {
      Time.sleep(lasts.dividedBy(RENEWALS));
      long since = System.nanoTime();
      try {
        if (claim.make()) {
          renewedAt = since;
        } else {
          lose();
        }
      } catch (Exception notHeard) {
        Peer.LOG.log(Level.DEBUG, this + " was not renewed", notHeard);
      }
      if (!isHeld()) {
        lose();
      }
    }
  }

  private void lose() {
    closed = true;
    peer.remove(part);
    lost.complete(true);
  }

  /// Whether this process holds it.
  public boolean isHeld() {
    return !closed && !peer.isClosed() && System.nanoTime() - renewedAt < lasts.toNanos();
  }

  /// Waits until it is not held any more: lost, or closed.
  public void awaitLoss() throws Exception {
    peer.checkHere();
    while (isHeld()) {
      long left = lasts.toNanos() - (System.nanoTime() - renewedAt);
      // Whichever comes first: it may have been renewed meanwhile.
      Await.<Object>any(lost, Time.after(Duration.ofNanos(Math.max(left, 1))));
    }
  }

  /// A number that is larger than that of every holder before.
  public long token() {
    return token;
  }

  /// What all processes call it.
  public String name() {
    return name;
  }

  /// Gives it back: another can have it at once. Waits for the server; if there is none, the lease
  /// ends by itself. Does nothing the second time.
  @Override
  public void close() {
    peer.checkHere();
    if (renewal != null) {
      renewal.cancel("the lease was closed");
      renewal = null;
    }
    if (!closed) {
      lose();
      try {
        Coroutine.protect(claim::drop);
      } catch (Exception notHeard) {
        Peer.LOG.log(Level.DEBUG, this + " was not given back", notHeard);
      }
    }
  }

  /// Whether it was closed, or lost.
  public boolean isClosed() {
    return !isHeld();
  }

  @Override
  public String toString() {
    return "lease \"" + name + '"';
  }

  /// Its end with the cluster.
  private final class GivenBack implements Part {
    @Override
    public void lost(@Nullable Throwable reason) {
      lose();
      if (renewal != null) {
        renewal.cancel("the cluster is lost");
      }
    }

    @Override
    public void finish() {
      close();
    }
  }
}
