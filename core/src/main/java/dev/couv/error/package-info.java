// SPDX-License-Identifier: Apache-2.0

/// The throwables a user may catch. They know nothing of the other packages, so every layer can
/// throw them.
package dev.couv.error;
