// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.Wording;

/// A resource that was acquired, and is given back by closing this.
public final class Lease<R> implements AutoCloseable {
  private final Resources<R> resources;
  private final PooledResource<R> pooled;
  private boolean broken;
  private boolean over;

  Lease(Resources<R> resources, PooledResource<R> pooled) {
    this.resources = resources;
    this.pooled = pooled;
  }

  /// What was taken.
  ///
  /// @throws IllegalStateException if it was given back
  public R resource() {
    if (over) {
      throw new IllegalStateException("the resource was given back: " + pooled.resource);
    }
    return pooled.resource;
  }

  /// Says that the resource turned out to be broken: when this is closed it is given up, and not used again.
  public void discard() {
    broken = true;
  }

  /// Gives it back, to whoever waits longest. Does nothing the second time.
  @Override
  public void close() {
    if (!over) {
      resources.checkHome("Lease.close");
      over = true;
      resources.giveBack(pooled, broken);
    }
  }

  /// Whether it was given back.
  public boolean isClosed() {
    return over;
  }

  @Override
  public String toString() {
    return "a lease of " + Wording.of(pooled.resource);
  }
}
