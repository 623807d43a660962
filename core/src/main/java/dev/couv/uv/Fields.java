// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.foreign.StructLayout;

/// A C struct in native memory, by the names of its fields. For what is asked seldom: each name is looked for.
public record Fields(StructLayout struct, long address) {
  /// Where the field is.
  public long at(String field) {
    return address + Struct.offset(struct, field);
  }

  public int getInt(String field) {
    return Memory.getInt(at(field));
  }

  public long getLong(String field) {
    return Memory.getLong(at(field));
  }

  /// The text that the field points to; empty if it points to none.
  public String getText(String field) {
    long text = getLong(field);
    return text == 0 ? "" : Memory.getString(text);
  }

  public void putInt(String field, int value) {
    Memory.putInt(at(field), value);
  }

  public void putLong(String field, long value) {
    Memory.putLong(at(field), value);
  }
}
