// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

/// What strands belong to, as they know it: it is told of their lives. Loop thread, or that of the strand itself while
/// it has the turn.
public interface Group extends Activity {
  /// The strand belongs to it from now on.
  ///
  /// @throws RuntimeException if it cannot: then it does not
  void joined(Strand strand);

  /// The strand has failed, and nobody has claimed its failure. Before it has ended.
  void failed(Strand strand);

  /// A handler of the strand's end has thrown, and the strand itself has not.
  void handlerFailed(Strand strand, Throwable thrown);

  /// The strand has ended, one way or the other. It counts as active until then.
  void ended(Strand strand);
}
