// SPDX-License-Identifier: Apache-2.0

/// Standard input and output, whatever they are, and what a terminal can do beyond that.
package dev.couv.tty;
