// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.nio.file.Path;

/// A file that was just opened.
///
/// @param path where it is; of a temporary file, where it was made
/// @param info what was made of what is known about it
public record OpenedFile<T>(FileHandle file, Path path, T info) {}
