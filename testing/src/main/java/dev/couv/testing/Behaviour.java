// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Ties a test, or all tests of a class, to the behaviours it shows, each by its id in the list of
/// behaviours that a project asks of itself: `@Behaviour("OP01")`, `@Behaviour({"OP01", "TM11"})`.
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Behaviour {
  /// The ids.
  String[] value();
}
