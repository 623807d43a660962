// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

/// A stream of ours that has done with a buffer when a write of it has returned, however that ended: so it may be given one that is another's
/// afterwards. What users write might keep it, or hand it to another thread.
public interface KeepsNothing {}
