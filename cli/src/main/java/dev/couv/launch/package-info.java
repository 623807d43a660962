// SPDX-License-Identifier: Apache-2.0

/// The command line: runs scripts under a loop, and says what a bug report needs.
@org.jspecify.annotations.NullMarked
package dev.couv.launch;
