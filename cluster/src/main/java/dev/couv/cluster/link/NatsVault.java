// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import io.nats.client.JetStreamApiException;
import io.nats.client.ObjectStore;
import io.nats.client.ObjectStoreOptions;
import io.nats.client.api.ObjectInfo;
import io.nats.client.api.ObjectStoreConfiguration;
import io.nats.client.api.StorageType;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store of objects of JetStream. The client's calls block, so each is made on another thread.
final class NatsVault implements Vault {
  private static final ObjectStoreOptions EACH = ObjectStoreOptions.builder(NatsCalls.EACH).build();

  private final NatsLink link;
  private final ObjectStore store;

  private NatsVault(NatsLink link, ObjectStore store) {
    this.link = link;
    this.store = store;
  }

  static NatsVault open(NatsLink link, String name, int replicas) throws Exception {
    return new NatsVault(link, NatsCalls.insist(link, () -> prepare(link, name, replicas)));
  }

  private static ObjectStore prepare(NatsLink link, String name, int replicas) throws Exception {
    try {
      link.connection()
          .objectStoreManagement(EACH)
          .create(
              ObjectStoreConfiguration.builder(name)
                  .storageType(StorageType.File)
                  .replicas(replicas)
                  .build());
    } catch (JetStreamApiException refused) {
      if (refused.getApiErrorCode() != NatsCalls.STREAM_EXISTS) {
        throw refused;
      }
    }
    return link.connection().objectStore(name, EACH);
  }

  @Override
  public void put(String name, Source from) throws Exception {
    NatsCalls.call(
        link,
        () -> {
          try (InputStream stream = from.open()) {
            return store.put(name, stream);
          }
        });
  }

  @Override
  public boolean get(String name, Target to) throws Exception {
    return NatsCalls.call(
        link,
        () -> {
          if (present(name) == null) {
            return false;
          }
          to.take(stream -> store.get(name, stream));
          return true;
        });
  }

  private @Nullable ObjectInfo present(String name) throws Exception {
    ObjectInfo info = store.getInfo(name);
    return info == null || info.isDeleted() ? null : info;
  }

  @Override
  public @Nullable Thing find(String name) throws Exception {
    ObjectInfo info = NatsCalls.<@Nullable ObjectInfo>call(link, () -> present(name));
    return info == null ? null : thing(info);
  }

  private static Thing thing(ObjectInfo info) {
    return new Thing(String.valueOf(info.getObjectName()), info.getSize());
  }

  @Override
  public boolean delete(String name) throws Exception {
    return NatsCalls.call(
        link,
        () -> {
          if (present(name) == null) {
            return false;
          }
          store.delete(name);
          return true;
        });
  }

  @Override
  public List<Thing> list() throws Exception {
    return NatsCalls.call(
        link,
        () ->
            store.getList().stream()
                .map(NatsVault::thing)
                .sorted(Comparator.comparing(Thing::name))
                .toList());
  }
}
