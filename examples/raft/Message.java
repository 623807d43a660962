// SPDX-License-Identifier: Apache-2.0
package raft;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What members and clients say to each other, as bytes: a letter, and the parts in their order.
public sealed interface Message {
  /// A candidate wants a vote; its log ends with that.
  record AskForVote(long term, int candidate, long last, long lastTerm) implements Message {}

  record Vote(long term, boolean granted) implements Message {}

  /// A leader's entries behind that one, perhaps none; and up to where all is committed.
  record Append(
      long term, int leader, long previous, long previousTerm, long done, List<Entry> news)
      implements Message {}

  /// A leader's state, for one whose entries it has no more.
  record Install(long term, int leader, Snapshot snapshot) implements Message {}

  /// The log agrees with the leader's up to that index or, if it was refused, perhaps up to that.
  record Appended(long term, boolean agrees, long index) implements Message {}

  record Ask(Entry.Command command) implements Message {}

  record Answer(String value) implements Message {}

  /// Ask that one, or anybody if it is -1. What was asked may be done or not.
  record NotHere(int leader) implements Message {}

  default byte[] encode() throws IOException {
    return switch (this) {
      case AskForVote m -> Parts.bytes('v', m.term, m.candidate, m.last, m.lastTerm);
      case Vote m -> Parts.bytes('V', m.term, m.granted);
      case Append m ->
          Parts.bytes('a', m.term, m.leader, m.previous, m.previousTerm, m.done, m.news);
      case Install m -> Parts.bytes('i', m.term, m.leader, m.snapshot);
      case Appended m -> Parts.bytes('A', m.term, m.agrees, m.index);
      case Ask m -> Parts.bytes('c', m.command);
      case Answer m -> Parts.bytes('C', m.value);
      case NotHere m -> Parts.bytes('N', m.leader);
    };
  }

  static Message decode(byte[] bytes) throws IOException {
    var in = Parts.in(bytes);
    int letter = in.readByte();
    return switch (letter) {
      case 'v' -> new AskForVote(in.readLong(), in.readInt(), in.readLong(), in.readLong());
      case 'V' -> new Vote(in.readLong(), in.readBoolean());
      case 'a' -> append(in);
      case 'i' -> new Install(in.readLong(), in.readInt(), Snapshot.read(in));
      case 'A' -> new Appended(in.readLong(), in.readBoolean(), in.readLong());
      case 'c' -> new Ask(Entry.Command.read(in));
      case 'C' -> new Answer(in.readUTF());
      case 'N' -> new NotHere(in.readInt());
      default -> throw new IOException("no message begins with " + letter);
    };
  }

  private static Append append(DataInputStream in) throws IOException {
    var news = new ArrayList<Entry>();
    var read =
        new Append(in.readLong(), in.readInt(), in.readLong(), in.readLong(), in.readLong(), news);
    for (int left = in.readInt(); left > 0; left--) news.add(Entry.read(in));
    return read;
  }
}
