// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What the methods of such a type return must be used, as the transitions of a state. Error Prone knows the annotation by its
/// name.
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface CheckReturnValue {}
