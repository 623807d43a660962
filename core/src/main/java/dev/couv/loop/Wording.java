// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/// What objects that are not ours say of themselves, for messages, dumps and logs: their `toString` may
/// throw, and must take nothing down with it.
public final class Wording {
  private Wording() {}

  public static String of(@Nullable Object thing) {
    try {
      return String.valueOf(thing);
    } catch (Throwable broken) {
      return nameOf(thing) + ", whose toString threw " + nameOf(broken);
    }
  }

  /// The throwable itself if it can be printed, else one that can, with its trace.
  public static Throwable printable(Throwable thrown) {
    try {
      thrown.printStackTrace(new PrintWriter(new StringWriter()));
      return thrown;
    } catch (Throwable broken) {
      return new Unprintable(thrown, broken);
    }
  }

  private static String nameOf(@Nullable Object thing) {
    return thing == null ? "null" : thing.getClass().getName();
  }

  /// Stands for a throwable that cannot be printed.
  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unprintable(Throwable thrown, Throwable broken) {
      super(nameOf(thrown) + ", which could not be printed: that threw " + nameOf(broken));
      try {
        setStackTrace(thrown.getStackTrace());
      } catch (RuntimeException | Error hostile) {
        addSuppressed(new IllegalStateException("nor its trace: " + nameOf(hostile)));
      }
    }
  }
}
