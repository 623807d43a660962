// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterException;
import dev.couv.cluster.ClusterOptions;
import dev.couv.cluster.ClusterState;
import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Promise;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.impl.Headers;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A link by a server of NATS. The client has [threads][NatsThreads]: messages are taken out of it
/// by the [Intake], whatever else they bring goes through [Arrivals] to the loop, and what is sent
/// from there is only queued for them. Whatever blocks in the client is called on yet another
/// thread.
public final class NatsLink implements Link {
  private static final long THREADS_END_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Connection connection;
  private final NatsThreads threads;
  private final ClusterOptions options;
  private final Arrivals arrivals;
  private final Intake intake;
  private final LinkEvents events;
  private final Directory directory = new Directory();
  private final Asking asking = new Asking(this);
  private final Tide tide = new Tide(this);

  /// Kept when nobody can ask for anything any more.
  private final Promise<Boolean> over = Promise.outside(() -> {});

  private ClusterState state = ClusterState.CONNECTED;

  /// Those of the last message that had some, and what the client makes of them: a call sends the
  /// same ones again and again.
  private Map<String, String> lastHeaders = Map.of();

  private @Nullable Headers lastEncoded;

  private NatsLink(
      Connection connection,
      Dial dial,
      ClusterOptions options,
      Arrivals arrivals,
      Intake intake,
      LinkEvents events) {
    this.connection = connection;
    this.threads = dial.threads();
    this.options = options;
    this.arrivals = arrivals;
    this.intake = intake;
    this.events = events;
    intake.add(connection.subscribe(directory.inbox() + ".>"), directory::receive);
  }

  /// Waits for a connection to one of the servers. Cancelling gives it up.
  public static NatsLink open(
      List<String> urls, ClusterOptions options, Loop loop, LinkEvents events) throws Exception {
    Arrivals arrivals = new Arrivals(loop);
    Intake intake = new Intake(loop);
    StateListener states = new StateListener(arrivals, intake);
    Dial dial =
        new Dial(loop, urls, options, states, new NatsErrors(() -> arrivals.add(events::dropped)));
    Connection connection;
    try {
      connection = Loop.offload(dial::connect);
    } catch (Throwable failed) {
      dial.abandon();
      throw failed;
    }
    NatsLink link = new NatsLink(connection, dial, options, arrivals, intake, events);
    states.link = link;
    return link;
  }

  /// What the client tells of its connection, on one of its threads. The first thing it tells of
  /// comes before there is a link.
  private static final class StateListener implements ConnectionListener, NatsPort.Reader {
    private final Arrivals arrivals;
    private final Intake intake;
    private volatile @Nullable NatsLink link;

    private StateListener(Arrivals arrivals, Intake intake) {
      this.arrivals = arrivals;
      this.intake = intake;
    }

    @Override
    public void dealtOut() {
      intake.dealtOut();
    }

    @Override
    @SuppressWarnings("deprecation") // it has no body, and the other calls it
    public void connectionEvent(Connection connection, Events event) {
      NatsLink told = link;
      if (told != null) {
        switch (event) {
          case DISCONNECTED -> arrivals.add(() -> told.become(ClusterState.RECONNECTING));
          case RESUBSCRIBED -> arrivals.add(() -> told.become(ClusterState.CONNECTED));
          case CLOSED -> arrivals.add(() -> told.become(ClusterState.CLOSED));
          default -> {}
        }
      }
    }
  }

  private void become(ClusterState next) {
    boolean ended = state == ClusterState.CLOSED;
    boolean draining = state == ClusterState.DRAINING && next != ClusterState.CLOSED;
    if (ended || draining || state == next) {
      return;
    }
    state = next;
    switch (next) {
      case CONNECTED -> tide.reset();
      case CLOSED -> {
        tide.reset();
        asking.end();
        threads.end();
        over.complete(true);
      }
      case DRAINING -> over.complete(true);
      case RECONNECTING -> {}
    }
    events.changed(next);
  }

  @Override
  public Directory directory() {
    return directory;
  }

  @Override
  public ClusterState state() {
    return state;
  }

  @Override
  public int largest() {
    return (int) Math.min(connection.getMaxPayload(), Integer.MAX_VALUE);
  }

  Promise<Boolean> over() {
    return over;
  }

  Asking asking() {
    return asking;
  }

  ClusterOptions options() {
    return options;
  }

  Connection connection() {
    return connection;
  }

  Arrivals arrivals() {
    return arrivals;
  }

  // ---- messages

  @Override
  public void send(Packet packet) throws ClusterException {
    try {
      connection.publish(packet.subject(), packet.reply(), headers(packet), packet.data());
    } catch (IllegalStateException refused) {
      throw new ClusterException(
          "cannot send to " + packet.subject() + ": " + refused.getMessage(), refused);
    } catch (IllegalArgumentException tooLarge) {
      throw new ClusterException(
          "the server refuses a message to " + packet.subject() + ": " + tooLarge.getMessage(),
          tooLarge);
    }
  }

  @Override
  public void publish(Packet packet) throws Exception {
    tide.await(packet.data().length);
    send(packet);
  }

  private @Nullable Headers headers(Packet packet) {
    Map<String, String> wanted = packet.headers();
    if (wanted.isEmpty()) {
      return null;
    }
    if (wanted != lastHeaders) {
      Headers made = new Headers();
      wanted.forEach((name, value) -> made.put(name, value));
      lastHeaders = wanted;
      lastEncoded = new Headers(made, true);
    }
    return lastEncoded;
  }

  static Packet packet(Message message) {
    int status = message.isStatusMessage() ? message.getStatus().getCode() : 0;
    return new Packet(
        message.getSubject(), message.getReplyTo(), headers(message), message.getData(), status);
  }

  private static Map<String, String> headers(Message message) {
    Headers headers = message.getHeaders();
    if (headers == null || headers.isEmpty()) {
      return Map.of();
    }
    if (headers.size() == 1) {
      String name = headers.keySet().iterator().next();
      return Map.of(name, first(headers.get(name)));
    }
    Map<String, String> read = new HashMap<>();
    headers.forEach((name, values) -> read.put(name, first(values)));
    return read;
  }

  private static String first(@Nullable List<String> values) {
    return values == null || values.isEmpty() ? "" : values.getFirst();
  }

  @Override
  public Hearing hear(String subject, @Nullable String group, Consumer<Packet> receiver)
      throws ClusterException {
    try {
      Subscription subscription =
          group == null ? connection.subscribe(subject) : connection.subscribe(subject, group);
      return new Heard(subscription, intake.add(subscription, receiver));
    } catch (IllegalStateException refused) {
      throw new ClusterException(
          "cannot listen to " + subject + ": " + refused.getMessage(), refused);
    }
  }

  private final class Heard implements Hearing {
    private final Subscription subscription;
    private final Intake.Ear ear;

    private Heard(Subscription subscription, Intake.Ear ear) {
      this.subscription = subscription;
      this.ear = ear;
    }

    @Override
    public void end() {
      intake.remove(ear);
      try {
        if (subscription.isActive() && state != ClusterState.CLOSED) {
          subscription.unsubscribe();
        }
      } catch (IllegalStateException over) {
        NatsErrors.LOG.log(Level.DEBUG, "ended with the connection", over);
      }
    }

    @Override
    public void drain(Duration patience) throws Exception {
      if (subscription.isActive() && state != ClusterState.CLOSED) {
        // It waits for the server before it returns a future.
        Await.stage(Loop.offload(() -> subscription.drain(patience)));
      }
      intake.remove(ear);
    }
  }

  @Override
  public void flush() throws Exception {
    asking.echo();
  }

  @Override
  public void run(Runnable task) {
    arrivals.add(task);
  }

  // ---- what is kept

  @Override
  public Stock stock(StockPlan plan, Stock.Taker taker) throws Exception {
    return NatsStock.open(this, plan, taker);
  }

  @Override
  public Bucket bucket(BucketPlan plan) throws Exception {
    return NatsBucket.open(this, plan);
  }

  @Override
  public Vault vault(String name, int replicas) throws Exception {
    return NatsVault.open(this, name, replicas);
  }

  // ---- the end

  @Override
  public void close(Duration grace) throws Exception {
    boolean drains = state == ClusterState.CONNECTED;
    if (state != ClusterState.CLOSED) {
      become(ClusterState.DRAINING);
    }
    if (!Coroutine.protect(() -> Loop.offload(() -> end(drains, grace)))) {
      NatsErrors.LOG.log(Level.WARNING, "threads of a connection that is closed are left");
    }
    become(ClusterState.CLOSED);
    arrivals.close();
    intake.close();
  }

  /// Blocks until neither a thread nor a socket is left.
  private boolean end(boolean drains, Duration grace) throws Exception {
    try {
      if (drains) {
        connection.drain(grace).get(grace.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (Exception notDrained) {
      NatsErrors.LOG.log(Level.DEBUG, "closed without draining", notDrained);
    } finally {
      connection.close();
      threads.end();
    }
    return threads.awaitEnd(THREADS_END_NANOS);
  }
}
