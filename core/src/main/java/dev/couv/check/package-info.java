// SPDX-License-Identifier: Apache-2.0
/// What is checked only if a system property asks for it. Not for users.
package dev.couv.check;
