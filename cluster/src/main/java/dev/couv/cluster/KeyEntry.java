// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import org.jspecify.annotations.Nullable;

/// What a key was at one moment.
///
/// @param value null if it was deleted, which only those are told who watch
/// @param revision grows with every change in the same bucket
public record KeyEntry<V>(String key, @Nullable V value, long revision) {}
