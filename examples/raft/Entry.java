// SPDX-License-Identifier: Apache-2.0
package raft;

import java.io.DataInputStream;
import java.io.IOException;

/// A command at its place in the log, with the term of the leader that put it there.
public record Entry(long term, Command command) implements Parts {
  /// What becomes of a key. A client numbers what it asks for, so that what it asks for twice is done once.
  ///
  /// @param expected the value that `CHANGE` takes for granted; empty means none
  public record Command(
      long client, long number, Kind kind, String key, String expected, String value)
      implements Parts {
    /// With which a leader begins its term.
    static final Command NOTHING = new Command(0, 0, Kind.NOTHING, "", "", "");

    @Override
    public Object[] parts() {
      return new Object[] {client, number, kind, key, expected, value};
    }

    static Command read(DataInputStream in) throws IOException {
      return new Command(
          in.readLong(),
          in.readLong(),
          Kind.values()[in.readByte()],
          in.readUTF(),
          in.readUTF(),
          in.readUTF());
    }
  }

  /// What a command does; a `GET` is answered by the leader and never stands in a log.
  public enum Kind {
    NOTHING,
    GET,
    PUT,
    CHANGE
  }

  @Override
  public Object[] parts() {
    return new Object[] {term, command};
  }

  static Entry read(DataInputStream in) throws IOException {
    return new Entry(in.readLong(), Command.read(in));
  }
}
