// SPDX-License-Identifier: Apache-2.0

/// What runs inside of the program that is looked at: it needs nothing but Couv itself.
package dev.couv.inspect.probe;
