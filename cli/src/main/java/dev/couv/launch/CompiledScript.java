// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A script's class files by the names of their classes, the class with its `main`, the files
/// that the compiler read for it, and the libraries that it was compiled with.
record CompiledScript(
    String mainClass, Map<String, byte[]> classes, List<Path> sources, List<Path> libraries) {}
