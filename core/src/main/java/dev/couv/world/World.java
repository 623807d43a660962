// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.WallTime;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/// Everything that the programs of a loop reach outside of it: chosen by the loop's options, the host's own unless
/// told otherwise. One method for each part; what a part opens it opens for one [dev.couv.loop.EventLoop], and what
/// waits is an [dev.couv.loop.Operation] that the feature takes through the door to suspension.
///
/// A world need not have every part: one that it does not override refuses. The loops of a pool share the world of the loop
/// that opened it, so where there are pools several threads call it at once.
public interface World {
  /// Connections and listeners of TCP.
  default TcpSockets tcp() {
    throw lacks("TCP");
  }

  /// Sockets named by paths.
  default LocalSockets local() {
    throw lacks("local sockets");
  }

  /// Streams over descriptors that this process has already: standard input and output, pipes, terminals.
  default DescriptorStreams streams() {
    throw lacks("streams over descriptors");
  }

  /// Sockets for datagrams.
  default Datagrams datagrams() {
    throw lacks("datagrams");
  }

  /// Whom names and addresses are asked of.
  default Resolver names() {
    throw lacks("names");
  }

  /// Descriptors of others, to wait for.
  default ForeignDescriptors descriptors() {
    throw lacks("descriptors to wait for");
  }

  /// The files.
  default FileCalls files() {
    throw lacks("files");
  }

  /// How changes of files are learnt of.
  default Watching watching() {
    throw lacks("changes of files");
  }

  /// The machine, and the process on it.
  default Machine machine() {
    throw lacks("machine");
  }

  /// Child processes, and what the system knows of any.
  default Processes processes() {
    throw lacks("processes");
  }

  /// Signals, to catch and to send.
  default Signals signals() {
    throw lacks("signals");
  }

  /// Variables and the working directory.
  default Environment environment() {
    throw lacks("environment");
  }

  /// Whether what happens in it is to happen again in the same way, whoever else is in this VM: then a loop waits for a coroutine
  /// that met another thread at a lock, instead of giving others a turn.
  default boolean isRepeatable() {
    return false;
  }

  /// Where the loops of a pool run that is opened in it.
  default LoopThreads threads() {
    return LoopThreads.OWN;
  }

  /// Where calls run that a coroutine waits for: on those threads, unless the world has an order of its own for them.
  default Executor calls(Executor threads) {
    return threads;
  }

  /// What the calendar says at that moment of the clock of its loops.
  default Instant instant(long nanos) {
    return WallTime.instant(nanos);
  }

  /// Numbers by chance that need not be secret, for the calling thread.
  default RandomGenerator chance() {
    return ThreadLocalRandom.current();
  }

  private UnsupportedOperationException lacks(String part) {
    return new UnsupportedOperationException(this + " has no " + part);
  }
}
