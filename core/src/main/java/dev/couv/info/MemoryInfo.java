// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

/// The machine's memory, and what this process has of it.
///
/// @param totalBytes what the machine has
/// @param freeBytes what nobody uses now
/// @param limitBytes what this process may use at most, as a container says; the total if nobody says
/// @param residentBytes what this process has in memory now
public record MemoryInfo(long totalBytes, long freeBytes, long limitBytes, long residentBytes) {}
