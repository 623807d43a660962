// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Stock;
import dev.couv.cluster.link.StockPlan;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Scope;
import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A queue that keeps its values until somebody has dealt with them. A value whose receiver dies,
/// or says nothing of it for too long, goes to another; one that was delivered too often, or is
/// none, is a [dead letter][#dead].
///
/// So a value is dealt with at least once, and twice if a receiver dies, or loses its server,
/// between dealing with it and saying so.
///
/// No more values are fetched than receivers wait for, and [QueueOptions#prefetch] of them ahead.
@SuppressWarnings("try") // a scope waits, and throws what failed
public final class WorkQueue<T> implements Iterable<Job<T>>, AutoCloseable {
  private static final String DUE = "Couv-Due";
  private static final String DEAD = "dead";
  static final String REASON = "Couv-Reason";
  private static final int LONGEST_REASON = 300;

  /// In milliseconds and nanoseconds, and counted from now, it is still a number.
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

  private static final Duration PULL = Duration.ofSeconds(5);
  private static final Stock.Taker NOBODY =
      new Stock.Taker() {
        @Override
        public void arrived(Stock.Supply supply) {}

        @Override
        public void unserved(int count) {}
      };

  private final Peer peer;
  private final String name;
  private final String kind;
  private final QueueOptions options;
  private final Codec<T> codec;
  private final Coding<T> coding;
  private final Chan<Job<T>> meeting;
  private final Part part = new Pulled();

  /// Fetched, and nobody's yet.
  private final Deque<Job<T>> ready = new ArrayDeque<>();

  /// Those that [#work] works on.
  private final Set<Job<T>> running = new LinkedHashSet<>();

  private int pulled;
  private long saidAt = System.nanoTime();
  private boolean closed;
  private @Nullable Stock stock;
  private @Nullable Stock dead;

  private WorkQueue(Peer peer, String kind, String name, Codec<T> codec, QueueOptions options) {
    this.peer = peer;
    this.kind = kind;
    this.name = name;
    this.codec = codec;
    this.options = Objects.requireNonNull(options, "options");
    this.coding = peer.coding(codec, kind, name);
    Runnable fetch = () -> peer.knownLink().run(this::fetch);
    this.meeting = Chan.create(ChanOptions.of(0).withShared(true).withOnWait(fetch));
  }

  static <T> WorkQueue<T> open(
      Peer peer, String kind, String name, Codec<T> codec, QueueOptions options) throws Exception {
    WorkQueue<T> queue = new WorkQueue<>(peer, kind, name, codec, options);
    queue.stock = peer.link().stock(queue.plan(kind), queue.new Takes());
    peer.add(queue.part);
    return queue;
  }

  private StockPlan plan(String which) {
    Subjects subjects = peer.subjects();
    return new StockPlan(
        subjects.stored(which, name),
        subjects.of(which, name),
        options.patience(),
        peer.options().replicas());
  }

  Stock stock() {
    peer.link();
    if (stock == null) {
      throw new AssertionError("used before it was opened");
    }
    return stock;
  }

  // ---- putting

  /// Waits until the queue keeps the value.
  ///
  /// @throws CodecException if the value cannot be encoded
  /// @throws UnknownOutcomeException if the queue does not answer: it may keep it
  public void put(T value) throws Exception {
    put(value, UUID.randomUUID().toString(), Map.of());
  }

  /// Puts a value that is to be delivered after a while. Waits until the queue keeps it.
  public void put(T value, Duration delay) throws Exception {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("the delay is negative: " + delay);
    }
    long due = System.currentTimeMillis() + bounded(delay).toMillis();
    put(value, UUID.randomUUID().toString(), Map.of(DUE, Long.toString(due)));
  }

  /// A hundred years are as good as more.
  static Duration bounded(Duration delay) {
    return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
  }

  /// Puts a value with a name of its own: another of the same name that comes within two minutes is
  /// not kept again. Waits until the queue keeps it.
  public void put(T value, String id) throws Exception {
    if (id.isEmpty() || id.chars().anyMatch(each -> each < '!' || each > '~')) {
      throw new IllegalArgumentException(
          "an id has printable letters and no spaces: \"" + id + '"');
    }
    put(value, id, Map.of());
  }

  private void put(T value, String id, Map<String, String> headers) throws Exception {
    checkOpen();
    stock().put(id, headers, coding.encode(value));
  }

  // ---- receiving

  /// Waits for the next value, which is this receiver's until it says what became of it.
  public Job<T> receive() {
    checkOpen();
    return meeting.receive();
  }

  /// Receiving as one of several things to wait for: it takes a value only if it wins. Can be used
  /// again.
  public Awaitable<Job<T>> receiving() {
    checkOpen();
    return meeting.receiving();
  }

  /// Receives until the queue is closed.
  @Override
  public Iterator<Job<T>> iterator() {
    return meeting.iterator();
  }

  /// Works on values, so many at a time, until it is cancelled or the queue is closed. What the
  /// handler returns from is done with; the queue is told, and nobody waits for its answer, so a
  /// value comes again if that is lost with the connection. What the handler throws on goes to
  /// another after a rest, or is a dead letter when that was the last time. While it works, the
  /// queue is told so.
  public void work(int concurrency, JobHandler<? super T> handler) throws Exception {
    Objects.requireNonNull(handler, "handler");
    if (concurrency < 1) {
      throw new IllegalArgumentException("concurrency must be positive: " + concurrency);
    }
    checkOpen();
    try (Scope workers = Scope.open()) {
      for (int i = 0; i < concurrency; i++) {
        workers.spawn(() -> workOnEach(handler));
      }
    }
  }

  private void workOnEach(JobHandler<? super T> handler) throws Exception {
    for (Job<T> job : this) {
      running.add(job);
      peer.wake();
      try {
        handler.handle(job.value());
        job.done();
      } catch (Exception failed) {
        failed(job, failed);
      } catch (Throwable leaving) {
        giveBack(job, Duration.ZERO);
        throw leaving;
      } finally {
        running.remove(job);
      }
    }
  }

  private void failed(Job<T> job, Exception failure) throws Exception {
    if (job.isEnded() || closed) {
      Peer.LOG.log(Level.WARNING, job.toString(), failure);
    } else if (job.attempt() >= options.deliveries() && !isDead()) {
      job.bury(String.valueOf(failure));
    } else {
      Peer.LOG.log(Level.WARNING, "attempt " + job.attempt() + " at " + job, failure);
      giveBack(job, options.retryDelay());
    }
  }

  private void giveBack(Job<T> job, Duration delay) {
    if (!job.isEnded()) {
      postpone(job.supply(), delay);
    }
  }

  private void postpone(Stock.Supply supply, Duration delay) {
    try {
      if (stock != null && !peer.isClosed()) {
        stock.giveBack(supply, delay);
      }
    } catch (ClusterException notTold) {
      Peer.LOG.log(Level.DEBUG, "a value is delivered again later", notTold);
    }
  }

  // ---- fetching

  private void fetch() {
    if (closed || stock == null) {
      return;
    }
    for (Job<T> next; (next = ready.peek()) != null && meeting.trySend(next); ) {
      ready.remove();
    }
    int waiting = meeting.stats().receivers();
    int missing = waiting + options.prefetch() - ready.size() - pulled;
    if (missing > options.prefetch() / 2 || waiting > pulled + ready.size()) {
      try {
        stock.pull(missing, PULL);
        pulled += missing;
      } catch (ClusterException notAsked) {
        Peer.LOG.log(Level.DEBUG, this + " is asked later", notAsked);
      }
    }
    if (waiting > 0) {
      peer.wake();
    }
  }

  private void arrived(Stock.Supply supply) {
    pulled--;
    long early = early(supply);
    boolean wasLate = supply.headers().containsKey(DUE);
    int attempt = Math.max(supply.deliveries() - (wasLate ? 1 : 0), 1);
    if (early > 0) {
      postpone(supply, Duration.ofMillis(early));
    } else if (attempt > options.deliveries() && !isDead()) {
      buryLater(supply, "delivered " + options.deliveries() + " times, and never done with");
    } else {
      try {
        T value = coding.decode(supply.data());
        ready.add(new Job<>(this, supply, new Job.Decoded.Value<>(value), attempt));
      } catch (CodecException wrong) {
        if (isDead()) {
          ready.add(new Job<>(this, supply, new Job.Decoded.Nonsense<>(wrong), attempt));
        } else {
          Peer.LOG.log(Level.WARNING, "a dead letter", wrong);
          buryLater(supply, String.valueOf(wrong.getMessage()));
        }
      }
    }
    fetch();
  }

  /// How many milliseconds before its time it has come, by the clock of the day: 0 if it is due, and no more than a wait
  /// can be told in, whatever somebody has written there.
  private static long early(Stock.Supply supply) {
    String due = supply.headers().get(DUE);
    if (due == null) {
      return 0;
    }
    try {
      long at = Long.parseLong(due);
      long now = System.currentTimeMillis();
      return at <= now ? 0 : Math.min(at - now, LONGEST_DELAY.toMillis());
    } catch (NumberFormatException nonsense) {
      return 0;
    }
  }

  /// What the queue brings.
  private final class Takes implements Stock.Taker {
    @Override
    public void arrived(Stock.Supply supply) {
      WorkQueue.this.arrived(supply);
    }

    @Override
    public void unserved(int count) {
      pulled -= count;
      fetch();
    }
  }

  // ---- dead letters

  /// What was delivered too often, could not be decoded, or was buried: a queue as this one, whose
  /// values are acknowledged as any other, and stay until they are. Waits; the caller closes it.
  public WorkQueue<T> dead() throws Exception {
    return open(peer, DEAD, name, codec, options);
  }

  /// There is nowhere to bury those that it has.
  boolean isDead() {
    return kind.equals(DEAD);
  }

  void checkMayBury() {
    if (isDead()) {
      throw new IllegalStateException("a value of " + this + " is a dead letter already");
    }
  }

  /// Kept there first, then gone from here: what comes between keeps it twice at most, and not even
  /// that within two minutes.
  void bury(Stock.Supply supply, String reason) throws Exception {
    if (dead == null) {
      Stock opened = peer.link().stock(plan(DEAD), NOBODY);
      opened.close(); // it is only put to: nothing is to come from there
      dead = opened;
    }
    Map<String, String> headers = new HashMap<>(supply.headers());
    headers.keySet().removeIf(each -> each.startsWith("Nats-") || each.equals(DUE));
    byte[] data = supply.data();
    String told = reason;
    if (data.length + length(headers) > peer.room()) {
      // Not put by one of us, who leaves room for the reason: it would be buried again and again.
      headers.clear();
      data = Arrays.copyOf(data, Math.min(data.length, peer.room()));
      told = "cut, of " + supply.data().length + " bytes: " + reason;
    }
    told = told.substring(0, Math.min(told.length(), LONGEST_REASON));
    headers.put(REASON, told.replaceAll("[^ -~]", "?"));
    dead.put(kind + "-" + name + "-" + supply.sequence(), headers, data);
    stock().acknowledge(supply);
  }

  private static int length(Map<String, String> headers) {
    int length = 0;
    for (Map.Entry<String, String> each : headers.entrySet()) {
      length += each.getKey().length() + each.getValue().length() + ":\r\n".length();
    }
    return length;
  }

  private void buryLater(Stock.Supply supply, String reason) {
    peer.loop()
        .spawn(
            () -> {
              try {
                bury(supply, reason);
              } catch (Exception later) {
                Peer.LOG.log(Level.WARNING, "a dead letter is delivered again later", later);
              }
            })
        .named("dead letter of " + name);
  }

  // ---- the rest

  /// How many values it keeps, those included that somebody works on. Waits.
  public long size() throws Exception {
    checkOpen();
    return stock().size();
  }

  void checkHere() {
    peer.checkHere();
  }

  private void checkOpen() {
    if (closed) {
      throw new ClosedException(this + " is closed");
    }
    peer.link();
  }

  /// Receives no more: those who wait get a `ClosedException`, what was fetched ahead goes to
  /// others. Does nothing the second time.
  @Override
  public void close() {
    if (!closed) {
      peer.checkHere();
      peer.remove(part);
      end(null);
    }
  }

  private void end(@Nullable Throwable reason) {
    closed = true;
    if (reason == null) {
      meeting.close();
    } else {
      meeting.close(reason);
    }
    ready.addAll(meeting.drain());
    ready.forEach(job -> giveBack(job, Duration.ZERO));
    ready.clear();
    if (stock != null) {
      stock.close();
    }
  }

  /// Whether it was closed, or its cluster.
  public boolean isClosed() {
    return closed;
  }

  /// What all processes call it.
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return coding.toString();
  }

  /// The queue, for the peer.
  private final class Pulled implements Part {
    @Override
    public boolean isBusy() {
      return !running.isEmpty() || !ready.isEmpty() || meeting.stats().receivers() > 0;
    }

    @Override
    public void tick() {
      if (stock != null) {
        stock.tick();
      }
      long now = System.nanoTime();
      if (now - saidAt > options.patience().toNanos() / 3) {
        saidAt = now;
        List.copyOf(running).forEach(this::working);
        List.copyOf(ready).forEach(this::working);
      }
      fetch();
    }

    private void working(Job<T> job) {
      try {
        job.working();
      } catch (ClusterException notTold) {
        Peer.LOG.log(Level.DEBUG, job.toString(), notTold);
      }
    }

    @Override
    public void reconnected() {
      if (stock != null) {
        stock.reconnected();
      }
      fetch();
    }

    @Override
    public void lost(@Nullable Throwable reason) {
      end(reason);
    }
  }
}
