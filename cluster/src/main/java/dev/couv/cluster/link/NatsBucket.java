// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import io.nats.client.JetStreamApiException;
import io.nats.client.KeyValue;
import io.nats.client.KeyValueManagement;
import io.nats.client.KeyValueOptions;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.KeyValueEntry;
import io.nats.client.api.KeyValueOperation;
import io.nats.client.api.KeyValueWatcher;
import io.nats.client.api.StorageType;
import io.nats.client.impl.NatsKeyValueWatchSubscription;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A bucket of JetStream. The client's calls block, so each is made on another thread.
final class NatsBucket implements Bucket {
  private static final KeyValueOptions EACH = KeyValueOptions.builder(NatsCalls.EACH).build();

  private final NatsLink link;
  private final KeyValue keys;

  private NatsBucket(NatsLink link, KeyValue keys) {
    this.link = link;
    this.keys = keys;
  }

  static NatsBucket open(NatsLink link, BucketPlan plan) throws Exception {
    return new NatsBucket(link, NatsCalls.insist(link, () -> prepare(link, plan)));
  }

  private static KeyValue prepare(NatsLink link, BucketPlan plan) throws Exception {
    KeyValueConfiguration.Builder builder =
        KeyValueConfiguration.builder()
            .name(plan.name())
            .storageType(StorageType.File)
            .replicas(plan.replicas());
    if (plan.lifetime() != null) {
      builder.ttl(plan.lifetime());
    }
    KeyValueManagement management = link.connection().keyValueManagement(EACH);
    try {
      management.create(builder.build());
    } catch (JetStreamApiException refused) {
      if (refused.getApiErrorCode() != NatsCalls.STREAM_EXISTS) {
        throw refused;
      }
      Duration there = management.getStatus(plan.name()).getTtl();
      plan.checkLifetime(there == null || there.isZero() ? null : there);
    }
    return link.connection().keyValue(plan.name(), EACH);
  }

  @Override
  public @Nullable Entry get(String key) throws Exception {
    KeyValueEntry found = NatsCalls.<@Nullable KeyValueEntry>call(link, () -> keys.get(key));
    return found == null ? null : entry(found);
  }

  private static Entry entry(KeyValueEntry entry) {
    boolean isPut = entry.getOperation() == KeyValueOperation.PUT;
    byte[] value = entry.getValue();
    return new Entry(
        entry.getKey(), isPut ? (value == null ? new byte[0] : value) : null, entry.getRevision());
  }

  @Override
  public long put(String key, byte[] value) throws Exception {
    return NatsCalls.change(link, () -> keys.put(key, value));
  }

  @Override
  public @Nullable Long update(String key, byte[] value, long revision) throws Exception {
    return NatsCalls.<@Nullable Long>change(
        link,
        () -> {
          try {
            return revision == 0 ? keys.create(key, value) : keys.update(key, value, revision);
          } catch (JetStreamApiException refused) {
            if (refused.getApiErrorCode() == NatsCalls.WRONG_LAST_SEQUENCE) {
              return null;
            }
            throw refused;
          }
        });
  }

  @Override
  public boolean delete(String key, long revision) throws Exception {
    return NatsCalls.change(
        link,
        () -> {
          try {
            if (revision < 0) {
              keys.delete(key);
            } else {
              keys.delete(key, revision);
            }
            return true;
          } catch (JetStreamApiException refused) {
            if (refused.getApiErrorCode() == NatsCalls.WRONG_LAST_SEQUENCE) {
              return false;
            }
            throw refused;
          }
        });
  }

  @Override
  public List<String> keys() throws Exception {
    return NatsCalls.call(link, () -> keys.keys().stream().sorted().toList());
  }

  @Override
  public Runnable watch(@Nullable String key, Watcher watcher) throws Exception {
    Arrivals arrivals = link.arrivals();
    KeyValueWatcher told =
        new KeyValueWatcher() {
          @Override
          public void watch(KeyValueEntry changed) {
            Entry entry = entry(changed);
            arrivals.add(() -> watcher.changed(entry));
          }

          @Override
          public void endOfData() {
            arrivals.add(watcher::caughtUp);
          }
        };
    NatsKeyValueWatchSubscription watching =
        NatsCalls.call(link, () -> key == null ? keys.watchAll(told) : keys.watch(key, told));
    return () -> {
      try {
        watching.unsubscribe();
      } catch (IllegalStateException over) {
        return; // the connection is
      }
    };
  }
}
