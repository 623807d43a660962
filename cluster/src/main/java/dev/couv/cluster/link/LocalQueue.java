// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A queue in memory, with the promises of one at a server as long as the process lives. Any
/// thread.
final class LocalQueue {
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final StockPlan plan;

  // Guarded by this.
  private final TreeMap<Long, Value> values = new TreeMap<>();
  private final Map<String, Long> ids = new LinkedHashMap<>();
  private final Map<String, Value> lent = new HashMap<>();
  private final List<Shelf> pulling = new ArrayList<>();
  private long last;

  /// One value that was put.
  private static final class Value {
    private final long sequence;
    private final Map<String, String> headers;
    private final byte[] data;
    private int deliveries;

    /// What its delivery is known by, or null if it waits to be delivered.
    private @Nullable String token;

    /// When it is to be delivered next, if nobody says anything of it.
    private long due;

    private Value(long sequence, Map<String, String> headers, byte[] data) {
      this.sequence = sequence;
      this.headers = headers;
      this.data = data;
      this.due = System.nanoTime();
    }
  }

  LocalQueue(StockPlan plan) {
    this.plan = plan;
  }

  Stock open(Arrivals arrivals, Stock.Taker taker) {
    return new Shelf(arrivals, taker);
  }

  private synchronized void put(String id, Map<String, String> headers, byte[] data) {
    long now = System.nanoTime();
    Iterator<Long> oldest = ids.values().iterator();
    while (oldest.hasNext() && now - oldest.next() > REMEMBERED_NANOS) {
      oldest.remove();
    }
    if (ids.putIfAbsent(id, now) == null) {
      values.put(++last, new Value(last, headers, data));
      serve();
    }
  }

  /// Gives what is due to those who pull, the oldest to the first.
  private synchronized void serve() {
    long now = System.nanoTime();
    for (Value value : values.values()) {
      if (pulling.isEmpty()) {
        return;
      }
      if (now - value.due >= 0) {
        lend(value, pulling.getFirst(), now);
      }
    }
  }

  private void lend(Value value, Shelf to, long now) {
    if (value.token != null) {
      lent.remove(value.token);
    }
    value.deliveries++;
    value.token = value.sequence + "-" + value.deliveries;
    value.due = now + plan.patience().toNanos();
    lent.put(value.token, value);
    if (--to.wanted == 0) {
      pulling.remove(to);
    } else {
      pulling.add(pulling.removeFirst()); // the others, too, have a turn
    }
    Stock.Supply supply =
        new Stock.Supply(value.data, value.headers, value.deliveries, value.sequence, value.token);
    to.arrivals.add(() -> to.arrived(supply));
  }

  private synchronized boolean end(String token) {
    Value value = lent.remove(token);
    return value != null && values.remove(value.sequence) != null;
  }

  private synchronized void postpone(String token, Duration delay, boolean isReturned) {
    Value value = lent.get(token);
    if (value != null) {
      value.due = System.nanoTime() + delay.toNanos();
      if (isReturned) {
        lent.remove(token);
        value.token = null;
        serve();
      }
    }
  }

  private synchronized int size() {
    return values.size();
  }

  /// One loop's way to the queue.
  private final class Shelf implements Stock {
    private final Arrivals arrivals;
    private final Taker taker;

    /// Guarded by the queue.
    private int wanted;

    /// Of the loop.
    private boolean closed;

    private Shelf(Arrivals arrivals, Taker taker) {
      this.arrivals = arrivals;
      this.taker = taker;
    }

    private void arrived(Supply supply) {
      if (closed) {
        giveBack(supply, Duration.ZERO);
      } else {
        taker.arrived(supply);
      }
    }

    @Override
    public void put(String id, Map<String, String> headers, byte[] data) {
      LocalQueue.this.put(id, headers, data);
    }

    @Override
    public void pull(int count, Duration patience) {
      synchronized (LocalQueue.this) {
        if (wanted == 0) {
          pulling.add(this);
        }
        wanted += count;
        serve();
      }
    }

    @Override
    public boolean acknowledge(Supply supply) {
      return end(supply.token());
    }

    @Override
    public void done(Supply supply) {
      acknowledge(supply);
    }

    @Override
    public void giveBack(Supply supply, Duration delay) {
      postpone(supply.token(), delay, true);
    }

    @Override
    public void working(Supply supply) {
      postpone(supply.token(), plan.patience(), false);
    }

    @Override
    public long size() {
      return LocalQueue.this.size();
    }

    @Override
    public void tick() {
      serve();
    }

    @Override
    public void reconnected() {}

    @Override
    public void close() {
      closed = true;
      synchronized (LocalQueue.this) {
        pulling.remove(this);
        wanted = 0;
      }
    }
  }
}
