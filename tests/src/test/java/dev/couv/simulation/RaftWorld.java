// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.fs.OpenFile;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import raft.Client;
import raft.Entry;
import raft.Log;
import raft.Peer;
import raft.Raft;

/// The replicated store of `examples/raft` in a simulated world with crashes, partitions, pauses and slow disks: what its clients see
/// is linearizable, no term has two leaders, and all members apply the same entries.
final class RaftWorld {
  /// What can be wrong with a member.
  enum Bug {
    NONE,
    /// A vote is written, but not flushed: a member that crashes votes once more.
    FORGETS_ITS_VOTE,
    /// An entry is written, but not flushed.
    FORGETS_ENTRIES,
    /// A leader answers what it has, without asking whether it still leads.
    READS_WHAT_IS_OLD
  }

  private static final int PORT = 7000;
  private static final List<String> KEYS = List.of("x", "y");

  private final Simulation sim;
  private final Bug bug;
  private final List<String> names = new ArrayList<>();
  private final List<Peer.Address> addresses = new ArrayList<>();
  private final Map<Long, Integer> leaders = new HashMap<>();
  private final Map<Long, Entry> applied = new HashMap<>();
  private final Map<String, Calls<Model.RegisterCall, @Nullable String>> calls = new HashMap<>();
  private @Nullable String lastLeader;
  private boolean hadTwoLeaders;
  private boolean differs;

  private RaftWorld(Simulation sim, Bug bug) {
    this.sim = sim;
    this.bug = bug;
  }

  static void set(Simulation sim, Bug bug) {
    new RaftWorld(sim, bug).set();
  }

  private void set() {
    Raft.Options options =
        new Raft.Options(
            Duration.ofMillis(100),
            Duration.ofMillis(400),
            sim.sometimes("small batches", 1) ? 1 : 100,
            sim.random().nextInt(3, 15));
    for (int i = 0; i < (sim.sometimes("five", 1) ? 5 : 3); i++) {
      names.add("m" + i);
      addresses.add(new Peer.Address("m" + i, PORT));
    }
    for (int i = 0; i < names.size(); i++) {
      int self = i;
      sim.host(names.get(i), () -> new Member(self, options).run());
      if (sim.sometimes("slow disk", 1)) {
        sim.disk(
            names.get(i),
            DiskWeather.CALM
                .withLatency(Duration.ofMillis(5))
                .withStalls(0.01, Duration.ofMillis(300)));
      }
    }
    for (String key : KEYS) {
      calls.put(key, new Calls<>());
    }
    for (int i = 0; i < 3; i++) {
      String name = "c" + i;
      sim.client(name, () -> use(name));
    }
    sim.weather(sim.sometimes("storm", 1) ? Weather.STORM : Weather.CALM);
    sim.chaos(
        Chaos.of(names.toArray(String[]::new))
            .withUntil(Duration.ofSeconds(8))
            .withPace(Duration.ofMillis(300), Duration.ofMillis(600)));
    if (sim.sometimes("power failures", 1)) {
      sim.chaos(
          Chaos.of(names.toArray(String[]::new))
              .withPauses(false)
              .withPartitions(false)
              .withResets(false)
              .withUntil(Duration.ofSeconds(8))
              .withPace(Duration.ofMillis(200), Duration.ofMillis(100)));
    }
    if (sim.sometimes("leaders cut off", 1)) {
      sim.after(Duration.ofSeconds(2), this::cutOffLeader);
      sim.after(Duration.ofSeconds(6), this::cutOffLeader);
    }
    sim.limit(Duration.ofMinutes(2)); // all faults are over long before
    sim.always("a term has one leader", () -> !hadTwoLeaders);
    sim.always("all members apply the same", () -> !differs);
    sim.eventually("it is as if there was one store", this::isLinearizable);
  }

  /// From the other members; clients still reach it.
  private void cutOffLeader() {
    if (lastLeader != null) {
      String leader = lastLeader;
      for (String other : names) {
        if (!other.equals(leader)) {
          sim.partition(leader, other);
          sim.after(Duration.ofSeconds(3), () -> sim.heal(leader, other));
        }
      }
    }
  }

  private boolean isLinearizable() {
    calls.values().forEach(each -> each.check(Model.register()));
    return true;
  }

  /// Reads and writes for a while; each call is repeated until it is answered.
  private void use(String name) throws Exception {
    RandomGenerator random = sim.random();
    try (Client client = new Client(addresses)) {
      for (int i = 0; i < 12; i++) {
        String key = KEYS.get(random.nextInt(KEYS.size()));
        String value = name + "-" + i;
        var asked = calls.get(key);
        switch (random.nextInt(4)) {
          case 0 -> {
            var call = asked.begin(name, new Model.RegisterCall.Write(value));
            client.put(key, value);
            call.end(null);
          }
          case 1 -> {
            String known = client.get(key);
            var call =
                asked.begin(
                    name,
                    new Model.RegisterCall.CompareAndSet(known.isEmpty() ? null : known, value));
            call.end(Boolean.toString(client.change(key, known, value)));
          }
          default -> {
            var call = asked.begin(name, new Model.RegisterCall.Read());
            String found = client.get(key);
            call.end(found.isEmpty() ? null : found);
          }
        }
        Time.sleep(Duration.ofMillis(random.nextInt(800)));
      }
    }
  }

  /// A member that is watched, and has that bug.
  private final class Member extends Raft {
    private final int self;

    Member(int self, Options options) {
      super(self, new InetSocketAddress(PORT), addresses, Path.of("/raft"), options);
      this.self = self;
    }

    @Override
    protected void elected(long term) {
      lastLeader = names.get(self);
      Integer other = leaders.putIfAbsent(term, self);
      hadTwoLeaders |= other != null && other != self;
    }

    @Override
    protected void applied(long index, Entry entry) {
      Entry other = applied.putIfAbsent(index, entry);
      differs |= other != null && !other.equals(entry);
    }

    @Override
    protected Log open(Path directory) throws IOException {
      return new Log(directory) {
        @Override
        protected void flushVote(OpenFile file) throws IOException {
          if (bug != Bug.FORGETS_ITS_VOTE) {
            super.flushVote(file);
          }
        }

        @Override
        protected void flushEntries(OpenFile file) throws IOException {
          if (bug != Bug.FORGETS_ENTRIES) {
            super.flushEntries(file);
          }
        }
      };
    }

    @Override
    protected void confirm(long term) {
      if (bug != Bug.READS_WHAT_IS_OLD) {
        super.confirm(term);
      }
    }
  }
}
