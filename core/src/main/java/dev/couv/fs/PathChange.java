// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.nio.file.Path;

/// Something changed. Who renames a file changes two paths: the old one is removed, the new one made.
///
/// @param path the path that is watched, or one below it
/// @param kind what happened to it
public record PathChange(Path path, ChangeKind kind) {}
