// SPDX-License-Identifier: Apache-2.0

/// Standard input and output, whatever they are, and what a terminal can do beyond that.
///
/// ```java
/// var out = Terminal.stdout();
/// if (out.isTerminal()) {
///   TerminalSize size = out.size();
///   out.write(size.columns() + " columns\n");
/// }
/// ```
///
/// A [Terminal] is a [dev.couv.stream.ByteStream]. A mode that was set is put back when the program ends, however it ends.
package dev.couv.tty;
