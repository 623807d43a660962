// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import raft.Client;
import raft.Peer;

/// The replicated store of `examples/raft` as three processes: what was written is there when the leader is killed, and when all
/// of them were.
@Tag("jvm")
class RaftExampleTest {
  private static final int KEYS = 20;
  private static final int MEMBERS = 3;

  /// An address of the loopback network that nobody else uses: members must know each other's before they listen, so the system
  /// cannot choose their ports.
  private final String network =
      "127."
          + ThreadLocalRandom.current().nextInt(1, 255)
          + "."
          + ThreadLocalRandom.current().nextInt(256)
          + ".";

  private final List<Peer.Address> addresses = List.of(address(11), address(12), address(13));

  /// Who said that it leads, in that order.
  private final BlockingQueue<Integer> leaders = new LinkedBlockingQueue<>();

  private final Cli.Running[] members = new Cli.Running[MEMBERS];

  private Peer.Address address(int last) {
    return new Peer.Address(network + last, 7000);
  }

  private void start(int self, Path directory) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of("run", "examples/raft/Server.java", directory + "/" + self, "" + self));
    addresses.forEach(address -> words.add(address.host() + ":" + address.port()));
    Cli.Running member = new Cli().start(words.toArray(String[]::new));
    members[self] = member;
    Thread.ofPlatform()
        .daemon()
        .start(
            () ->
                member
                    .out()
                    .lines()
                    .filter(line -> line.startsWith("leads"))
                    .forEach(_ -> leaders.add(self)));
  }

  private void kill(int self) throws Exception {
    members[self].signal("KILL");
    assertEquals(137, members[self].process().waitFor());
  }

  private void readAll() throws Exception {
    Loop.run(
        () -> {
          try (Client client = new Client(addresses)) {
            for (int i = 0; i < KEYS; i++) {
              assertEquals("value " + i, client.get("key " + i));
            }
          }
        });
  }

  @Test
  void whatWasWrittenOutlivesTheLeader(@TempDir Path directory) throws Exception {
    try {
      for (int i = 0; i < MEMBERS; i++) {
        start(i, directory);
      }
      Loop.run(
          () -> {
            try (Client client = new Client(addresses)) {
              for (int i = 0; i < KEYS; i++) {
                client.put("key " + i, "value " + i);
              }
              assertTrue(client.change("key 0", "value 0", "another"));
              assertTrue(client.change("key 0", "another", "value 0"));
            }
          });
      int leader = -1;
      for (Integer next = leaders.poll(2, TimeUnit.MINUTES); next != null; next = leaders.poll()) {
        leader = next;
      }
      kill(leader);
      readAll();
      Integer second = leaders.poll(2, TimeUnit.MINUTES);
      assertNotEquals(leader, second);

      for (int i = 0; i < MEMBERS; i++) {
        if (i != leader) {
          kill(i);
        }
        members[i].close();
      }
      for (int i = 0; i < MEMBERS; i++) {
        start(i, directory);
      }
      readAll();
    } finally {
      for (Cli.Running member : members) {
        if (member != null) {
          member.close();
        }
      }
    }
  }
}
