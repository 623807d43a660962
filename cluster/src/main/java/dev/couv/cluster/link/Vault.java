// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Large things by their names. Each call waits, and reads or writes on another thread than the
/// loop's.
public interface Vault {
  /// What is there under a name.
  record Thing(String name, long size) {}

  /// Where something is read from. Opened, read and closed on the other thread, because each of these may block.
  interface Source {
    InputStream open() throws IOException;
  }

  /// Where something is written to: makes a stream, has it written, and closes it, on the other thread.
  interface Target {
    void take(Writing writing) throws Exception;
  }

  /// Writes all of it to that stream.
  interface Writing {
    void to(OutputStream stream) throws Exception;
  }

  /// Puts what is there to be read.
  void put(String name, Source from) throws Exception;

  /// Writes it; false if there is none.
  boolean get(String name, Target to) throws Exception;

  /// What is there, or null.
  @Nullable Thing find(String name) throws Exception;

  /// False if there was none.
  boolean delete(String name) throws Exception;

  /// All that is there.
  List<Thing> list() throws Exception;
}
