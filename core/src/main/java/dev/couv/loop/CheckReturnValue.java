// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What the methods of such a type return must be used: they change nothing, but tell what comes next, as the
/// transitions of a state do. Error Prone knows the annotation by its name, and refuses a call whose result is dropped.
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface CheckReturnValue {}
