// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import org.jspecify.annotations.Nullable;

/// What was emitted, and on which key: what waiting for any of several keys tells.
///
/// @param key the key that was awaited
/// @param value what was emitted on it
public record Emission(Object key, @Nullable Object value) {}
