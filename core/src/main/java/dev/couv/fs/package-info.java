// SPDX-License-Identifier: Apache-2.0

/// Files, directories and what changes in them.
///
/// ```java
/// Path directory = Fs.makeTempDir("notes");
/// Fs.writeString(directory.resolve("one"), "first\nsecond\n");
/// for (String line : Fs.lines(directory.resolve("one"))) {
///   Objects.requireNonNull(line);
/// }
/// Fs.removeTree(directory);
/// ```
///
/// Each function of [Fs] waits while one of libuv's threads works; its twin that ends in `Now` blocks instead. Failures are the JDK's
/// `NoSuchFileException` and its like, or a [dev.couv.error.UvException].
package dev.couv.fs;
