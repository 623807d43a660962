// SPDX-License-Identifier: Apache-2.0
/// The libraries that a script asks for: read from its lines, found by Maven's resolver, remembered.
@org.jspecify.annotations.NullMarked
package dev.couv.depend;
