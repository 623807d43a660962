// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

/// What a pool has in hand at one moment.
///
/// @param size how many threads it should have
/// @param threads how many it has
/// @param tasks those that were submitted and have not ended
/// @param running those that a thread is running right now
/// @param pending those that could run and wait for a thread
/// @param suspended those that wait for something else, and hold no thread
/// @param ended those that have ended, in whatever way
public record PoolStats(
    int size, int threads, int tasks, int running, int pending, int suspended, long ended) {}
