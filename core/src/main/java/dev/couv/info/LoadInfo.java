// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

/// How many threads of the machine ran or wanted to run, on average. All 0 on Windows.
public record LoadInfo(double oneMinute, double fiveMinutes, double fifteenMinutes) {}
