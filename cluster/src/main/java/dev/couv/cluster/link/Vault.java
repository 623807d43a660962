// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Large things by their names. Each call waits, and reads or writes on another thread than the
/// loop's.
public interface Vault {
  /// What is there under a name.
  record Thing(String name, long size) {}

  /// Puts what the stream has.
  void put(String name, InputStream from) throws Exception;

  /// Writes it to the stream; false if there is none.
  boolean get(String name, OutputStream to) throws Exception;

  /// What is there, or null.
  @Nullable Thing find(String name) throws Exception;

  /// False if there was none.
  boolean delete(String name) throws Exception;

  /// All that is there.
  List<Thing> list() throws Exception;
}
