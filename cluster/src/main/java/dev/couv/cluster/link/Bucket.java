// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values by their keys, each with a revision that grows with every change of the bucket. All of it
/// waits. A change that was not answered is an [dev.couv.cluster.UnknownOutcomeException].
public interface Bucket {
  /// A value as it was at one revision; null if the key was deleted by it.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Entry(String key, byte @Nullable [] value, long revision) {}

  /// Is told of changes, in order, in a coroutine that must not wait.
  interface Watcher {
    /// A key was put or deleted.
    void changed(Entry entry);

    /// Everything that was there before the watch began was told.
    void caughtUp();
  }

  /// The value of the key, or null.
  @Nullable Entry get(String key) throws Exception;

  /// Puts it whatever is there; returns the revision.
  long put(String key, byte[] value) throws Exception;

  /// Puts it if the last change of the key is that revision, 0 if there is no such key; null if it
  /// is not.
  @Nullable Long update(String key, byte[] value, long revision) throws Exception;

  /// Deletes it if the last change of the key is that revision, or whatever it is if that is
  /// negative; false if not.
  boolean delete(String key, long revision) throws Exception;

  /// The keys that have values.
  List<String> keys() throws Exception;

  /// Watches a key, or all if that is null, until what is returned is run, which does not wait.
  Runnable watch(@Nullable String key, Watcher watcher) throws Exception;
}
