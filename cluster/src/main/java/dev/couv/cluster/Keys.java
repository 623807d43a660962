// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Bucket;
import dev.couv.cluster.link.BucketPlan;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Values by their keys, the same for all processes. Each change has a revision, so that it can be
/// made dependent on the one before: [#update], [#create].
///
/// Every call waits for a server. One that is cancelled, or throws an `IOException` that is no
/// [RevisionException], may or may not have changed something: a change with a revision can be
/// tried again without harm.
public final class Keys<V> {
  private static final Pattern KEY =
      Pattern.compile("[-/_=A-Za-z0-9]{1,200}(\\.[-/_=A-Za-z0-9]{1,200}){0,20}");

  private final Peer peer;
  private final Coding<V> coding;
  private final Bucket bucket;

  private Keys(Peer peer, Coding<V> coding, Bucket bucket) {
    this.peer = peer;
    this.coding = coding;
    this.bucket = bucket;
  }

  static <V> Keys<V> open(Peer peer, String name, Codec<V> codec) throws Exception {
    Coding<V> coding = peer.coding(codec, "keys", name);
    BucketPlan plan =
        new BucketPlan(peer.subjects().stored("keys", name), null, peer.options().replicas());
    return new Keys<>(peer, coding, peer.link().bucket(plan));
  }

  static String check(String key) {
    return check("a key", key);
  }

  /// @param what it is, for the message
  static String check(String what, String key) {
    if (key == null || !KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          what
              + " has words of letters, digits and -/_= with dots between them, not "
              + (key == null ? "null" : '"' + key + '"'));
    }
    return key;
  }

  private Bucket bucket() {
    peer.link();
    return bucket;
  }

  /// The value of the key, or null if there is none.
  public @Nullable KeyEntry<V> get(String key) throws Exception {
    Bucket.Entry entry = bucket().get(check(key));
    return entry == null || entry.value() == null ? null : decoded(entry);
  }

  /// Puts the value, whatever is there; returns its revision.
  public long put(String key, V value) throws Exception {
    return bucket().put(check(key), coding.encode(value));
  }

  /// Puts the value of a key that has none; returns its revision.
  ///
  /// @throws RevisionException if it has one
  public long create(String key, V value) throws Exception {
    Long revision = bucket().update(check(key), coding.encode(value), 0);
    if (revision == null) {
      throw new RevisionException(key + " of " + coding + " is there", null);
    }
    return revision;
  }

  /// Puts the value of a key whose last change has that revision; returns the new one.
  ///
  /// @throws RevisionException if the key was changed since
  public long update(String key, V value, long revision) throws Exception {
    checkRevision(revision);
    Long changed = bucket().update(check(key), coding.encode(value), revision);
    if (changed == null) {
      throw stale(key, revision);
    }
    return changed;
  }

  /// Deletes the key, whatever is there.
  public void delete(String key) throws Exception {
    bucket().delete(check(key), -1);
  }

  /// Deletes the key if its last change has that revision.
  ///
  /// @throws RevisionException if the key was changed since
  public void delete(String key, long revision) throws Exception {
    checkRevision(revision);
    if (!bucket().delete(check(key), revision)) {
      throw stale(key, revision);
    }
  }

  private static void checkRevision(long revision) {
    if (revision < 1) {
      throw new IllegalArgumentException("a revision is positive: " + revision);
    }
  }

  private RevisionException stale(String key, long revision) {
    return new RevisionException(
        key + " of " + coding + " was changed since revision " + revision, null);
  }

  /// The keys that have values, sorted.
  public List<String> keys() throws Exception {
    return bucket().keys();
  }

  /// Tells of changes of the key, in order; first what it is now, if it is there. A value that is
  /// replaced at once may be passed over; the last one is told for sure.
  public TopicReceiver<KeyEntry<V>> watch(String key) throws Exception {
    return watching(check(key));
  }

  /// Tells of changes of any key, in order; first what is there now. A value that is replaced at
  /// once may be passed over; the last one of each key is told for sure.
  public TopicReceiver<KeyEntry<V>> watch() throws Exception {
    return watching(null);
  }

  private TopicReceiver<KeyEntry<V>> watching(@Nullable String key) throws Exception {
    TopicReceiver<KeyEntry<V>> receiver = new TopicReceiver<>(peer, coding.toString(), true);
    try {
      receiver.endBy(bucket().watch(key, new Tells<>(coding, receiver)));
    } catch (Throwable failed) {
      receiver.close();
      throw failed;
    }
    return receiver;
  }

  private KeyEntry<V> decoded(Bucket.Entry entry) throws CodecException {
    byte[] value = entry.value();
    return new KeyEntry<>(
        entry.key(), value == null ? null : coding.decode(value), entry.revision());
  }

  @Override
  public String toString() {
    return coding.toString();
  }

  /// Tells a receiver what a bucket tells.
  private record Tells<V>(Coding<V> coding, TopicReceiver<KeyEntry<V>> receiver)
      implements Bucket.Watcher {
    @Override
    public void changed(Bucket.Entry entry) {
      byte[] value = entry.value();
      try {
        receiver.accept(
            new KeyEntry<>(
                entry.key(), value == null ? null : coding.decode(value), entry.revision()));
      } catch (CodecException wrong) {
        Peer.LOG.log(Level.WARNING, "passed over", wrong);
      }
    }

    @Override
    public void caughtUp() {}
  }
}
