// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.LocalLink;
import dev.couv.cluster.link.NatsLink;
import dev.couv.coro.Action;
import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.coro.LoopBound;
import dev.couv.coro.Scope;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// This process as one of several that have channels, queues, topics, keys, objects, calls and
/// pools in common. They need not be on one machine: NATS is between them.
///
/// ```java
/// try (var cluster = Cluster.connect("nats://localhost:4222")) {
///   var jobs = cluster.chan("jobs", Codec.json(JobOrder.class));
///   jobs.send(new JobOrder("paint", 3));
/// }
/// ```
///
/// [#local] is the same without a server, within one process.
///
/// It belongs to the loop that connected it, and so does everything it gives out. Names are words
/// of letters, digits, underscores and hyphens. It is closed when the loop ends, at the latest.
public final class Cluster implements LoopBound, AutoCloseable {
  private final Peer peer;
  private boolean closing;

  private Cluster(Peer peer) {
    this.peer = peer;
  }

  // ---- connecting

  /// Connects to one of the servers, with the defaults; see [#connect(ClusterOptions, String...)].
  public static Cluster connect(String... urls) throws Exception {
    return connect(ClusterOptions.DEFAULT, urls);
  }

  /// Connects to one of the servers, in any order; when that is lost, to another. A URL is
  /// `nats://host:port`, or `tls://…`.
  ///
  /// @throws ClusterException if none of them is there, or lets this process in
  public static Cluster connect(ClusterOptions options, String... urls) throws Exception {
    Objects.requireNonNull(options, "options");
    if (urls.length == 0) {
      throw new IllegalArgumentException("there is no server to connect to");
    }
    for (String url : urls) {
      Objects.requireNonNull(url, "url");
    }
    List<String> servers = List.of(urls);
    Peer peer = new Peer(options);
    peer.linked(NatsLink.open(servers, options, peer.loop(), peer));
    return owned(new Cluster(peer));
  }

  /// The cluster of all in this process that say the same: no server, and nothing is kept when the
  /// last of them has closed it.
  public static Cluster local() {
    return local("");
  }

  /// Like [#local()], with those in this process that say the same name.
  public static Cluster local(String name) {
    return local(name, ClusterOptions.DEFAULT);
  }

  /// Like [#local(String)], with options, of which those about servers do not matter.
  public static Cluster local(String name, ClusterOptions options) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(options, "options");
    Peer peer = new Peer(options);
    peer.linked(LocalLink.open(name, peer.loop(), peer));
    return owned(new Cluster(peer));
  }

  /// By the loop's own scope: whoever forgets it leaves no threads behind.
  private static Cluster owned(Cluster cluster) {
    Scope scope = Coroutine.current().scope();
    for (Scope parent; (parent = scope.parent()) != null; ) {
      scope = parent;
    }
    scope.own(cluster);
    return cluster;
  }

  // ---- what there is

  /// The channel of that name.
  public <T> ClusterChan<T> chan(String name, Codec<T> codec) throws Exception {
    return ClusterChan.open(peer, "chan", name, codec);
  }

  /// The queue of that name, with the default options. It is made if it is not there.
  public <T> WorkQueue<T> queue(String name, Codec<T> codec) throws Exception {
    return queue(name, codec, QueueOptions.DEFAULT);
  }

  /// The queue of that name. It is made if it is not there.
  public <T> WorkQueue<T> queue(String name, Codec<T> codec, QueueOptions options)
      throws Exception {
    return WorkQueue.open(peer, "queue", name, codec, options);
  }

  /// The topic of that name.
  public <T> ClusterTopic<T> topic(String name, Codec<T> codec) {
    peer.link();
    return new ClusterTopic<>(peer, name, codec);
  }

  /// The keys of that name. They are made if they are not there.
  public <V> Keys<V> keys(String name, Codec<V> codec) throws Exception {
    return Keys.open(peer, name, codec);
  }

  /// The store of objects of that name. It is made if it is not there.
  public Blobs objects(String name) throws Exception {
    return Blobs.open(peer, name);
  }

  /// Waits until this process holds the lease of that name, which lasts so long beyond its last
  /// renewal. All who want it say the same time: another is refused with an
  /// `IllegalArgumentException`.
  public ClusterLease lease(String name, Duration lasts) throws Exception {
    return ClusterLease.open(peer, name, lasts);
  }

  /// Runs the body as the only one of the cluster that does under that name: waits for the lease,
  /// runs it, and gives the lease back. If the lease is lost meanwhile, the body is cancelled, and
  /// it begins anew.
  public void lead(String name, Duration lasts, Action body) throws Exception {
    Objects.requireNonNull(body, "body");
    boolean done = false;
    while (!done) {
      try (ClusterLease lease = lease(name, lasts)) {
        done =
            Await.<Boolean>race(
                () -> {
                  body.run();
                  return true;
                },
                () -> {
                  lease.awaitLoss();
                  return false;
                });
      }
    }
  }

  // ---- calls and pools

  /// The function of that name, to be called.
  public <I, O> Call<I, O> call(String name, Codec<I> input, Codec<O> output) {
    peer.link();
    return new Call<>(
        peer,
        name,
        peer.coding(input, "call", name),
        peer.coding(output, "call", name),
        peer.options().answerTimeout());
  }

  /// Serves the function of that name, until what is returned is closed. Of all that do one gets
  /// each call.
  public <I, O> Served serve(
      String name, Codec<I> input, Codec<O> output, CallHandler<I, O> handler) throws Exception {
    Objects.requireNonNull(handler, "handler");
    return Served.open(
        peer, name, peer.coding(input, "call", name), peer.coding(output, "call", name), handler);
  }

  /// The pool of that name, to give tasks to, with the default options.
  public <I, O> WorkerPool<I, O> pool(String name, Codec<I> input, Codec<O> output)
      throws Exception {
    return pool(name, input, output, PoolOptions.DEFAULT);
  }

  /// The pool of that name, to give tasks to.
  public <I, O> WorkerPool<I, O> pool(
      String name, Codec<I> input, Codec<O> output, PoolOptions options) throws Exception {
    Objects.requireNonNull(options, "options");
    return WorkerPool.open(peer, name, input, output, options);
  }

  /// Works for the pool of that name, on so many tasks at a time, until what is returned is closed.
  public <I, O> Working work(
      String name, Codec<I> input, Codec<O> output, int concurrency, CallHandler<I, O> handler)
      throws Exception {
    Objects.requireNonNull(handler, "handler");
    return Working.open(peer, name, input, output, concurrency, handler);
  }

  // ---- how it is

  /// How it is connected.
  public ClusterState state() {
    return peer.isClosed() ? ClusterState.CLOSED : peer.knownLink().state();
  }

  /// Tells of every change of the state. Closed with the cluster.
  public Event<ClusterState> states() {
    return peer.states();
  }

  /// Waits until the server has everything that was published before.
  public void flush() throws Exception {
    peer.link().flush();
  }

  /// How many messages came for nobody: answers to what was never asked, or was answered before.
  public long dropped() {
    return peer.knownLink().directory().dropped();
  }

  @Override
  public boolean isHere() {
    return peer.states().isHere();
  }

  // ---- the end

  /// Brings to its end what is under way, for as long as the grace of its options: calls that are
  /// being answered, tasks that are being worked on, what was published. Then everybody who waits
  /// gets a `ClosedException`, and neither a thread nor a socket is left. Waits; a cancelled
  /// coroutine can call it. Does nothing the second time.
  @Override
  public void close() {
    if (closing) {
      return;
    }
    peer.checkHere();
    closing = true;
    try {
      Coroutine.protect(this::end);
    } catch (Exception early) {
      Peer.LOG.log(Level.WARNING, "the cluster was closed early", early);
    }
  }

  private void end() throws Exception {
    if (!peer.isClosed()) {
      peer.finish();
      peer.end(null);
      Coroutine
          .pause(); // who has just been told gives up at the other side, while that can be said
    }
    peer.knownLink().close(peer.options().grace());
  }

  /// Whether it was closed, or lost for good.
  public boolean isClosed() {
    return closing || peer.isClosed();
  }

  @Override
  public String toString() {
    return "a cluster that is " + state();
  }
}
