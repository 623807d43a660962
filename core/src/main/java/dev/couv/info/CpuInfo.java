// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

/// One processor: what it is, and how it has spent its time since the machine started.
public record CpuInfo(
    String model,
    int speedMegahertz,
    long userMillis,
    long niceMillis,
    long systemMillis,
    long idleMillis,
    long interruptMillis) {}
