// SPDX-License-Identifier: Apache-2.0

/// Looking into running programs, from outside: finding them, asking them, and showing the answers.
package dev.couv.inspect;
