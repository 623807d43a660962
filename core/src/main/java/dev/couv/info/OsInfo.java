// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

/// The operating system, as `uname` tells it.
public record OsInfo(String name, String release, String version, String machine) {}
