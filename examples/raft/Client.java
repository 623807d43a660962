// SPDX-License-Identifier: Apache-2.0
package raft;

import dev.couv.info.Info;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// Somebody who uses the store: `./couv run examples/raft/Client.java 127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003 put key value`
///
/// It asks until there is an answer, whoever leads by then, and what it writes is written once.
public class Client implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Peer[] members;
  private final long name = Info.chance().nextLong();
  private long number;
  private int leader;

  /// Of that store.
  public Client(List<Peer.Address> members) {
    this.members = members.stream().map(Peer::new).toArray(Peer[]::new);
  }

  static void main(String... args) throws Exception {
    var words = List.of(args);
    if (words.size() < 3
        || !List.of("get 3", "put 4", "change 5").contains(words.get(1) + " " + words.size())) {
      IO.println("MEMBERS get KEY, MEMBERS put KEY VALUE or MEMBERS change KEY OLD NEW");
      return;
    }
    var members = Arrays.stream(args[0].split(",")).map(Peer.Address::parse).toList();
    try (var client = new Client(members)) {
      switch (args[1]) {
        case "get" -> IO.println(client.get(args[2]));
        case "put" -> client.put(args[2], args[3]);
        default -> IO.println(client.change(args[2], args[3], args[4]));
      }
    }
  }

  /// Empty if there is none.
  public String get(String key) throws Exception {
    return ask(Entry.Kind.GET, key, "", "");
  }

  public void put(String key, String value) throws Exception {
    ask(Entry.Kind.PUT, key, "", value);
  }

  /// Whether it was the expected one, and is the new one now.
  public boolean change(String key, String expected, String value) throws Exception {
    return ask(Entry.Kind.CHANGE, key, expected, value).equals("true");
  }

  private String ask(Entry.Kind kind, String key, String expected, String value) throws Exception {
    var question = new Message.Ask(new Entry.Command(name, ++number, kind, key, expected, value));
    while (true) {
      var answer = members[leader].askOrNull(question, PATIENCE);
      if (answer instanceof Message.Answer(String given)) return given;
      leader =
          answer instanceof Message.NotHere(int other) && other >= 0 && other != leader
              ? other
              : (leader + 1) % members.length;
      Time.sleep(PAUSE);
    }
  }

  @Override
  public void close() {
    for (var member : members) member.close();
  }
}
