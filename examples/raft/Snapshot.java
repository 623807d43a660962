// SPDX-License-Identifier: Apache-2.0
package raft;

import java.io.DataInputStream;
import java.io.IOException;

/// The store as it was when the entry of that index had been applied: it stands for the log up to there.
///
/// @param term of that entry: whoever votes or appends behind it compares with that
public record Snapshot(long index, long term, byte[] state) implements Parts {
  /// Before the first entry.
  static final Snapshot EMPTY = new Snapshot(0, 0, new byte[0]);

  @Override
  public Object[] parts() {
    return new Object[] {index, term, state};
  }

  static Snapshot read(DataInputStream in) throws IOException {
    return new Snapshot(in.readLong(), in.readLong(), in.readNBytes(in.readInt()));
  }
}
