// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

/// What a channel has in hand at one moment.
///
/// @param capacity how many values it holds before senders wait
/// @param values those in it, that nobody has taken yet
/// @param senders those who wait for a receiver, or for a free place
/// @param receivers those who wait for a value
/// @param isClosed whether nobody can send any more
public record ChanStats(int capacity, int values, int senders, int receivers, boolean isClosed) {}
