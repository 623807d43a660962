// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The words of a call's failure: what was called, and on what. In words only when they are needed: a path may be long.
final class Subject {
  private final String call;
  private Object subject;

  /// The second of two, if it is about two: the subject is the first.
  private @Nullable Object other;

  Subject(String call, Object subject) {
    this.call = call;
    this.subject = subject;
  }

  String call() {
    return call;
  }

  Object known() {
    return subject;
  }

  void named(Object newSubject) {
    subject = newSubject;
    other = null;
  }

  void named(Object from, Object to) {
    subject = from;
    other = to;
  }

  IOException failure(int code) {
    return other == null
        ? Failures.ofFile(code, call, subject.toString())
        : Failures.ofFiles(code, call, subject.toString(), other.toString());
  }

  @Override
  public String toString() {
    return call + " " + subject;
  }
}
