// SPDX-License-Identifier: Apache-2.0

/// Couv and the interfaces that other libraries meet at: `Executor`, `Flow`, byte channels. On the public API of Couv alone.
@org.jspecify.annotations.NullMarked
module dev.couv.bridge {
  requires transitive dev.couv;
  requires static transitive org.jspecify;

  exports dev.couv.bridge;
}
