// SPDX-License-Identifier: Apache-2.0

/// Test tools for programs on Couv.
package dev.couv.testing;
