// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

/// How many characters fit. Both are 0 where the terminal does not know.
public record TerminalSize(int columns, int rows) {}
