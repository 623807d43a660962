// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

/// How far a `map` has come.
///
/// @param done how many tasks have their result
/// @param total how many there are
/// @param retried how many were begun again, because their worker was lost
public record PoolProgress(int done, int total, int retried) {}
