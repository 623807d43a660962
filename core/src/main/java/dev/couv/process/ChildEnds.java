// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.DescriptorFlags;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.net.LocalStream;
import dev.couv.stream.ByteStream;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import dev.couv.wire.NativeStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The descriptors that a child is to get, and this side's streams to them. Everything is made before
/// the child is: if any of it fails, nothing has been started, and nothing is left.
///
/// Closing closes the child's ends, which it has by then; and the streams too, unless they are kept.
final class ChildEnds implements AutoCloseable {
  /// Stands for `/dev/null`.
  static final int NOTHING = -1;

  private static final List<String> NAMES = List.of("stdin", "stdout", "stderr");
  private static final int STANDARD = NAMES.size();

  private final EventLoop loop;
  private final String subject;
  private final SortedMap<Integer, Integer> sources = new TreeMap<>();
  private final Map<Integer, ByteStream> streams = new HashMap<>();
  private final List<NativeStream> lent = new ArrayList<>();
  private final List<Integer> childEnds = new ArrayList<>();
  private boolean kept;

  private ChildEnds(EventLoop loop, String subject) {
    this.loop = loop;
    this.subject = subject;
  }

  static ChildEnds open(EventLoop loop, Command command) throws IOException {
    ChildEnds ends = new ChildEnds(loop, command.words().getFirst());
    boolean complete = false;
    try {
      for (Map.Entry<Integer, Stdio> each : command.stdio().entrySet()) {
        ends.add(each.getKey(), each.getValue());
      }
      complete = true;
      return ends;
    } finally {
      if (!complete) {
        ends.close();
      }
    }
  }

  private void add(int descriptor, Stdio stdio) throws IOException {
    switch (stdio.kind()) {
      case INHERIT -> sources.put(descriptor, isMissing(descriptor) ? NOTHING : descriptor);
      case DISCARD -> sources.put(descriptor, NOTHING);
      case DESCRIPTOR -> {
        if (isMissing(stdio.descriptor())) {
          throw Failures.of(UvErrors.code("EBADF"), "give", stdio + " to " + subject);
        }
        sources.put(descriptor, stdio.descriptor());
      }
      case FILE -> sources.put(descriptor, stdio.descriptor());
      case STREAM -> {
        NativeStream stream = stdio.stream();
        sources.put(descriptor, stream.descriptor());
        stream.blocking(true);
        lent.add(stream);
      }
      case PIPE -> addPipe(descriptor);
      case SHARE -> addSocket(descriptor);
    }
  }

  /// What the VM has put in the place of a standard stream that is not there is for nobody.
  private static boolean isMissing(int descriptor) {
    return descriptor < STANDARD && DescriptorFlags.isMissing(descriptor);
  }

  private void addPipe(int descriptor) throws IOException {
    if (descriptor >= STANDARD) {
      addSocket(descriptor);
      return;
    }
    long ends = loop.scratch().argumentsAddress();
    Failures.check(UvPipe.uv_pipe(ends, 0, 0), "make a pipe for", subject);
    int toRead = Memory.getInt(ends);
    int toWrite = Memory.getInt(ends + Integer.BYTES);
    int childs = descriptor == 0 ? toRead : toWrite;
    give(descriptor, childs);
    streams.put(
        descriptor, PipeStream.adopt(loop, childs == toRead ? toWrite : toRead, name(descriptor)));
  }

  private void addSocket(int descriptor) throws IOException {
    long ends = loop.scratch().argumentsAddress();
    Failures.check(
        UvPipe.uv_socketpair(Layouts.SOCK_STREAM, 0, ends, 0, 0), "make a socket for", subject);
    int ours = Memory.getInt(ends);
    give(descriptor, Memory.getInt(ends + Layouts.UV_OS_SOCK_SIZE));
    streams.put(descriptor, LocalStream.open(ours));
  }

  private void give(int descriptor, int source) {
    sources.put(descriptor, source);
    childEnds.add(source);
  }

  private String name(int descriptor) {
    return NAMES.get(descriptor) + " of " + subject;
  }

  /// By the child's descriptor: the descriptor here, or [#NOTHING].
  SortedMap<Integer, Integer> sources() {
    return sources;
  }

  /// The child has started: the streams stay.
  Map<Integer, ByteStream> keepStreams() {
    kept = true;
    return streams;
  }

  /// Streams that the child has now.
  List<NativeStream> lent() {
    return lent;
  }

  @Override
  public void close() {
    childEnds.forEach(Posix::close);
    childEnds.clear();
    if (!kept) {
      streams.values().forEach(ByteStream::close);
      giveBack(lent);
    }
  }

  /// They wait in the loop again, not in the system's calls.
  static void giveBack(List<NativeStream> lent) {
    for (NativeStream stream : lent) {
      if (stream.isOpen()) {
        try {
          stream.blocking(false);
        } catch (IOException e) {
          stream.close(); // it would block the loop
        }
      }
    }
  }
}
