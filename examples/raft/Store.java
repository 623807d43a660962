// SPDX-License-Identifier: Apache-2.0
package raft;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// Keys and values, and what each client was answered last. The same commands in the same order make the same store.
final class Store {
  /// Of more clients than that, those that have been silent longest are forgotten.
  private static final int MOST_CLIENTS = 10_000;

  private record Done(long number, String answer) implements Parts {
    @Override
    public Object[] parts() {
      return new Object[] {number, answer};
    }
  }

  private final Map<String, String> values = new TreeMap<>();
  private final Map<Long, Done> clients = new LinkedHashMap<>();

  /// Empty if there is none.
  String get(String key) {
    return values.getOrDefault(key, "");
  }

  /// Does it, unless it was done; the answer.
  String apply(Entry.Command command) {
    if (command.kind() == Entry.Kind.NOTHING) return "";
    var done = clients.remove(command.client());
    if (done == null || done.number < command.number()) {
      done = new Done(command.number(), change(command));
    }
    clients.put(command.client(), done);
    if (clients.size() > MOST_CLIENTS) clients.remove(clients.keySet().iterator().next());
    return done.answer;
  }

  private String change(Entry.Command command) {
    if (command.kind() == Entry.Kind.CHANGE && !get(command.key()).equals(command.expected())) {
      return "false";
    }
    values.put(command.key(), command.value());
    return "true";
  }

  byte[] save() throws IOException {
    return Parts.bytes(values, clients);
  }

  void load(byte[] state) throws IOException {
    values.clear();
    clients.clear();
    if (state.length == 0) return;
    var in = Parts.in(state);
    for (int left = in.readInt(); left > 0; left--) values.put(in.readUTF(), in.readUTF());
    for (int left = in.readInt(); left > 0; left--) {
      clients.put(in.readLong(), new Done(in.readLong(), in.readUTF()));
    }
  }
}
