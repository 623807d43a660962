// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

/// One of the resources, and since when it is idle, on the loop's clock.
final class PooledResource<R> {
  final R resource;
  long idleSince;

  PooledResource(R resource) {
    this.resource = resource;
  }
}
