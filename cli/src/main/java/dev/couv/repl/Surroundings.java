// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import java.nio.file.Path;
import java.util.List;

/// What code at the prompt may use.
///
/// @param modulePath where modules are, as the compiler wants it
/// @param modules the names of those that can be imported
/// @param libraries more to compile with, without modules
/// @param loader loads all of that
public record Surroundings(
    String modulePath, String modules, List<Path> libraries, ClassLoader loader) {}
