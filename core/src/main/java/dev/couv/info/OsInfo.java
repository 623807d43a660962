// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

/// The operating system, as `uname` tells it.
///
/// @param name such as `Linux`
/// @param release its number
/// @param version how it was built
/// @param machine the kind of processor, such as `x86_64`
public record OsInfo(String name, String release, String version, String machine) {}
