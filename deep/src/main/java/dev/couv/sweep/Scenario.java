// SPDX-License-Identifier: Apache-2.0
package dev.couv.sweep;

import org.jspecify.annotations.Nullable;

/// One await function, and what can be done to it. Made anew for each run, in the loop of that run.
@SuppressWarnings("try") // its steps throw whatever they like
interface Scenario extends AutoCloseable {
  /// The await. In the coroutine that is told to.
  @Nullable Object await() throws Exception;

  boolean canComplete();

  /// Whether it needs nobody for that.
  boolean completesItself();

  /// Makes what is awaited happen, from another coroutine.
  void complete() throws Exception;

  /// Whether that is lost where nobody awaits it yet.
  boolean isLostUnlessAwaited();

  boolean canShut();

  /// Closes what is awaited.
  void shut() throws Exception;

  /// Whether a resume ends the await.
  boolean endsWhenResumed();

  /// Whether a resume is never refused: wherever it parks, it is in its await.
  boolean isAlwaysResumable();

  /// Whether it can be awaited again, and then completes.
  boolean isRepeatable();

  /// Gives up what it has, whatever has happened.
  @Override
  void close() throws Exception;

  /// Makes one.
  interface Maker {
    Scenario make() throws Exception;
  }
}
