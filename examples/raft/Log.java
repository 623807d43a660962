// SPDX-License-Identifier: Apache-2.0
package raft;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.couv.coro.Coroutine;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/// What a member must not forget: its term, its vote, a snapshot and the entries behind it. All of it is one file of
/// records, each with a checksum; the first that is damaged is one that was never flushed, and ends the file.
///
/// A method returns when the disk has it, and what the others tell is what the disk has. One at a time may write.
public class Log implements AutoCloseable {
  /// Nobody is voted for.
  static final int NOBODY = -1;

  private static final int HEAD = 8;
  private static final String NAME = "log";

  private final Path directory;
  private final List<Entry> entries = new ArrayList<>();
  private OpenFile file;
  private long end;
  private Snapshot snapshot = Snapshot.EMPTY;
  private long term;
  private int vote = NOBODY;

  /// Reads what is there.
  public Log(Path directory) throws IOException {
    this.directory = directory;
    Fs.makeDirs(directory);
    file = Fs.open(directory.resolve(NAME), CREATE, READ, WRITE);
    var in = ByteBuffer.wrap(Fs.readBytes(directory.resolve(NAME)));
    while (in.remaining() >= HEAD && in.getInt(in.position()) <= in.remaining() - HEAD) {
      var record = new byte[Math.max(0, in.getInt())];
      int sum = in.getInt();
      in.get(record);
      if (record.length == 0 || sum != sum(record)) break;
      replay(Parts.in(record));
      end = in.position();
    }
    file.resize(end);
    file.flush();
    flushDirectory();
  }

  private void replay(DataInputStream in) throws IOException {
    switch (in.readByte()) {
      case 't' -> {
        term = in.readLong();
        vote = in.readInt();
      }
      case 's' -> snapshot = Snapshot.read(in);
      case 'e' -> put(in.readLong(), Entry.read(in));
      default -> throw new IOException(directory + " is the log of another program");
    }
  }

  /// At its place, instead of what is there and behind that.
  private void put(long index, Entry entry) {
    entries.subList(place(index), entries.size()).clear();
    entries.add(entry);
  }

  private int place(long index) {
    return (int) (index - snapshot.index() - 1);
  }

  // ---- what is there

  long term() {
    return term;
  }

  int vote() {
    return vote;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  long last() {
    return snapshot.index() + entries.size();
  }

  /// Not for what is before the snapshot, nor behind the last.
  long termOf(long index) {
    return index == snapshot.index() ? snapshot.term() : get(index).term();
  }

  Entry get(long index) {
    return entries.get(place(index));
  }

  /// From that one on, but no more than so many.
  List<Entry> from(long index, int most) {
    return entries.stream().skip(place(index)).limit(most).toList();
  }

  int size() {
    return entries.size();
  }

  // ---- changes

  /// Another term, or a vote in this one.
  void vote(long newTerm, int newVote) throws Exception {
    Coroutine.protect(
        () -> {
          write(record('t', newTerm, newVote));
          flushVote(file);
          term = newTerm;
          vote = newVote;
        });
  }

  /// At that index and behind it, instead of what is there.
  void append(long index, List<Entry> added) throws Exception {
    Coroutine.protect(
        () -> {
          var records = new ByteArrayOutputStream();
          for (int i = 0; i < added.size(); i++) {
            records.write(record('e', index + i, added.get(i)));
          }
          write(records.toByteArray());
          flushEntries(file);
          for (int i = 0; i < added.size(); i++) put(index + i, added.get(i));
        });
  }

  /// That instead of the entries up to its index; those behind it stay if they follow it. A new file takes the old one's place.
  void compact(Snapshot newer) throws Exception {
    Coroutine.protect(
        () -> {
          boolean follows = newer.index() <= last() && termOf(newer.index()) == newer.term();
          var kept = follows ? from(newer.index() + 1, Integer.MAX_VALUE) : List.<Entry>of();
          var next = directory.resolve(NAME + ".next");
          var old = file;
          file = Fs.open(next, CREATE, TRUNCATE_EXISTING, READ, WRITE);
          old.close();
          end = 0;
          write(record('s', newer));
          write(record('t', term, vote));
          for (int i = 0; i < kept.size(); i++) {
            write(record('e', newer.index() + 1 + i, kept.get(i)));
          }
          file.flush();
          Fs.move(next, directory.resolve(NAME));
          flushDirectory();
          snapshot = newer;
          entries.clear();
          entries.addAll(kept);
        });
  }

  private static byte[] record(Object... parts) throws IOException {
    var record = Parts.bytes(parts);
    return ByteBuffer.allocate(HEAD + record.length)
        .putInt(record.length)
        .putInt(sum(record))
        .put(record)
        .array();
  }

  private static int sum(byte[] record) {
    var sum = new CRC32();
    sum.update(record);
    return (int) sum.getValue();
  }

  private void write(byte[] records) throws IOException {
    file.write(ByteBuffer.wrap(records), end);
    end += records.length;
  }

  /// A vote that is forgotten is given twice.
  protected void flushVote(OpenFile to) throws IOException {
    to.flushData();
  }

  /// An entry that is forgotten was counted as one that is kept.
  protected void flushEntries(OpenFile to) throws IOException {
    to.flushData();
  }

  /// So that the name stands for the new file also after a loss of power.
  private void flushDirectory() throws IOException {
    try (var opened = Fs.open(directory, READ)) {
      opened.flush();
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
