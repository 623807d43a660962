// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.error.ClosedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What strands belong to, as they know it: it is told of their lives. Loop thread, or that of the strand itself while
/// it has the turn.
public interface Group extends Activity {
  /// The strand belongs to it from now on.
  ///
  /// @throws ClosedException if it is closed: then it does not
  void joined(Strand strand);

  /// The strand has failed, and nobody has claimed its failure. Before it has ended.
  void failed(Strand strand);

  /// A handler of the strand's end has thrown, and the strand itself has not.
  void handlerFailed(Strand strand, Throwable thrown);

  /// The strand has ended, one way or the other. It counts as active until then.
  void ended(Strand strand);

  // ---- for who looks at a program

  /// Those who belong to it, in a list of its own.
  List<Strand> strands();

  /// The groups inside of it, in a list of its own.
  List<? extends Group> inside();

  /// The strand that has opened it, if one has.
  @Nullable Strand owner();

  /// Itself in words, and where it is in its life.
  String describe();

  /// Cancels all who belong to it, and the groups inside.
  void cancel(String reason);
}
