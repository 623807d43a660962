// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

/// A coroutine as somebody who holds things, such as a lock: whatever it has not given back is told
/// when it ends. Unlike its handle it can be kept by others without keeping the coroutine in use.
///
/// For the packages that make such things. Confined to the coroutine's loop.
public interface Holder {
  /// It holds that from now on.
  void takes(Holding holding);

  /// It has given that back.
  void gives(Holding holding);
}
