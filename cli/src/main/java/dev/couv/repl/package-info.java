// SPDX-License-Identifier: Apache-2.0
/// The prompt: Java typed line by line, run as coroutines of a loop that lives as long as the prompt.
@org.jspecify.annotations.NullMarked
package dev.couv.repl;
