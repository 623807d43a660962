// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What the local links of one name share: what a server is to others. There is one of each name in
/// the process, until the last link of it is closed; then everything in it is gone. Any thread.
final class Bus {
  private static final Map<String, Bus> BUSES = new HashMap<>();

  private final String name;

  /// Guarded by the class.
  private int links;

  private final Map<String, List<Ear>> ears = new ConcurrentHashMap<>();
  private final Map<String, LocalLink> inboxes = new ConcurrentHashMap<>();
  private final AtomicInteger turns = new AtomicInteger();
  private final Map<String, LocalQueue> queues = new ConcurrentHashMap<>();
  private final Map<String, LocalBucket> buckets = new ConcurrentHashMap<>();
  private final Map<String, Map<String, byte[]>> vaults = new ConcurrentHashMap<>();

  /// Somebody who listens.
  record Ear(Arrivals arrivals, @Nullable String group, Consumer<Packet> receiver) {}

  private Bus(String name) {
    this.name = name;
  }

  static Bus join(String name) {
    synchronized (BUSES) {
      Bus bus = BUSES.computeIfAbsent(name, Bus::new);
      bus.links++;
      return bus;
    }
  }

  void leave() {
    synchronized (BUSES) {
      if (--links == 0) {
        BUSES.remove(name);
      }
    }
  }

  void open(String inbox, LocalLink link) {
    inboxes.put(inbox, link);
  }

  void shut(String inbox) {
    inboxes.remove(inbox);
  }

  void add(String subject, Ear ear) {
    ears.computeIfAbsent(subject, _ -> new CopyOnWriteArrayList<>()).add(ear);
  }

  void remove(String subject, Ear ear) {
    List<Ear> all = ears.get(subject);
    if (all != null) {
      all.remove(ear);
    }
  }

  void send(Packet packet) {
    if (!deliver(packet) && packet.reply() != null) {
      deliver(Packet.nobody(packet.reply()));
    }
  }

  /// False if nobody listens.
  private boolean deliver(Packet packet) {
    if (packet.subject().startsWith("_INBOX.")) {
      LocalLink link = inboxes.get(inboxOf(packet.subject()));
      if (link != null) {
        link.direct(packet);
      }
      return link != null;
    }
    List<Ear> all = ears.getOrDefault(packet.subject(), List.of());
    Map<String, List<Ear>> groups = new LinkedHashMap<>();
    for (Ear ear : all) {
      if (ear.group == null) {
        ear.arrivals.add(ear.receiver, packet);
      } else {
        groups.computeIfAbsent(ear.group, _ -> new ArrayList<>()).add(ear);
      }
    }
    for (List<Ear> group : groups.values()) {
      Ear chosen = group.get(Math.floorMod(turns.getAndIncrement(), group.size()));
      chosen.arrivals.add(chosen.receiver, packet);
    }
    return !all.isEmpty();
  }

  private static String inboxOf(String subject) {
    int end = subject.indexOf('.', "_INBOX.".length());
    return end < 0 ? subject : subject.substring(0, end);
  }

  LocalQueue queue(StockPlan plan) {
    return queues.computeIfAbsent(plan.stream(), _ -> new LocalQueue(plan));
  }

  LocalBucket bucket(BucketPlan plan) {
    LocalBucket bucket = buckets.computeIfAbsent(plan.name(), _ -> new LocalBucket(plan));
    plan.checkLifetime(bucket.lifetime());
    return bucket;
  }

  Map<String, byte[]> vault(String vault) {
    return vaults.computeIfAbsent(vault, _ -> new ConcurrentHashMap<>());
  }
}
