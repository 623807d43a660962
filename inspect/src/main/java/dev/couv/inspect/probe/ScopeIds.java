// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import dev.couv.strand.Group;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/// Numbers for scopes, which have none of their own: the same for the same scope, as long as it is there. Any thread.
final class ScopeIds {
  private final Map<Group, Long> ids = new WeakHashMap<>();
  private final Map<Long, WeakReference<Group>> scopes = new HashMap<>();
  private long last;

  synchronized long of(Group scope) {
    Long known = ids.get(scope);
    if (known != null) {
      return known;
    }
    if (scopes.size() > 2 * ids.size() + 64) {
      scopes.values().removeIf(each -> each.refersTo(null));
    }
    ids.put(scope, ++last);
    scopes.put(last, new WeakReference<>(scope));
    return last;
  }

  synchronized @Nullable Group find(long id) {
    WeakReference<Group> scope = scopes.get(id);
    return scope == null ? null : scope.get();
  }
}
