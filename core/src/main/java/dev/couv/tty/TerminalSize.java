// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

/// How many characters fit. Both are 0 where the terminal does not know.
///
/// @param columns how many fit beside each other
/// @param rows how many fit below each other
public record TerminalSize(int columns, int rows) {}
