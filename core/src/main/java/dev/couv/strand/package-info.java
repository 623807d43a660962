// SPDX-License-Identifier: Apache-2.0

/// The running half of coroutines: strands, whose turn it is, how they are suspended and woken, cancelled and resumed,
/// and the one door to suspension. Not exported: what users hold is in [dev.couv.coro]. A strand knows what it
/// belongs to only as a [dev.couv.strand.Group], and the program above it only as a [dev.couv.strand.Keeper].
package dev.couv.strand;
