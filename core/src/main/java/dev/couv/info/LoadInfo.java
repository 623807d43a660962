// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

/// How many threads of the machine ran or wanted to run, on average. All 0 on Windows.
///
/// @param oneMinute on average of the last minute
/// @param fiveMinutes on average of the last five minutes
/// @param fifteenMinutes on average of the last fifteen minutes
public record LoadInfo(double oneMinute, double fiveMinutes, double fifteenMinutes) {}
