// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

/// One of the resources, and since when it is idle, on the loop's clock.
final class PooledResource<R> {
  private final R resource;
  private long idleSince;

  PooledResource(R resource) {
    this.resource = resource;
  }

  R resource() {
    return resource;
  }

  long idleSince() {
    return idleSince;
  }

  void idleSince(long now) {
    idleSince = now;
  }
}
