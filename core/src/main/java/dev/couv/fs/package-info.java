// SPDX-License-Identifier: Apache-2.0
/// Files, directories and what changes in them.
package dev.couv.fs;
