// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a strand has taken and not given back, the latest last.
final class Holdings implements Holder {
  private final Object holder;
  private @Nullable List<Holding> taken;

  /// `holder` names the strand.
  Holdings(Object holder) {
    this.holder = holder;
  }

  @Override
  public void takes(Holding holding) {
    if (taken == null) {
      taken = new ArrayList<>(1);
    }
    taken.add(holding);
  }

  @Override
  public void gives(Holding holding) {
    if (taken != null) {
      taken.remove(taken.lastIndexOf(holding));
    }
  }

  /// The last of the strand's code has run: what it still holds is told.
  void holderEnded() {
    List<Holding> left = taken;
    taken = null;
    if (left != null) {
      left.forEach(Holding::holderEnded);
    }
  }

  @Override
  public String toString() {
    return holder.toString();
  }
}
