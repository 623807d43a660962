// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A coroutine as somebody who holds things, such as a lock: whatever it has not given back is told
/// when it ends. Unlike its handle it can be kept by others without keeping the coroutine in use.
///
/// For the packages that make such things. Confined to the coroutine's loop.
public final class Holder {
  private final Object strand;

  /// What it has taken and not given back, the latest last.
  private @Nullable List<Holding> taken;

  /// `strand` names it.
  Holder(Object strand) {
    this.strand = strand;
  }

  /// It holds that from now on.
  public void takes(Holding holding) {
    if (taken == null) {
      taken = new ArrayList<>(1);
    }
    taken.add(holding);
  }

  /// It has given that back.
  public void gives(Holding holding) {
    if (taken != null) {
      taken.remove(taken.lastIndexOf(holding));
    }
  }

  /// The last of the strand's code has run: what it still holds is told.
  void ended() {
    List<Holding> left = taken;
    taken = null;
    if (left != null) {
      left.forEach(Holding::holderEnded);
    }
  }

  @Override
  public String toString() {
    return strand.toString();
  }
}
