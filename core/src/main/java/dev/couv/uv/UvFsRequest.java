// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What a finished request to the file system carries.
public final class UvFsRequest {
  private static final MethodHandle GET_RESULT =
      Binder.bind("uv_fs_get_result", FunctionDescriptor.of(POINTER, POINTER));
  private static final MethodHandle GET_PTR =
      Binder.bind("uv_fs_get_ptr", FunctionDescriptor.of(POINTER, POINTER));
  private static final MethodHandle GET_PATH =
      Binder.bind("uv_fs_get_path", FunctionDescriptor.of(POINTER, POINTER));
  private static final MethodHandle GET_STATBUF =
      Binder.bind("uv_fs_get_statbuf", FunctionDescriptor.of(POINTER, POINTER));
  private static final MethodHandle REQ_CLEANUP =
      Binder.bind("uv_fs_req_cleanup", FunctionDescriptor.ofVoid(POINTER));

  private UvFsRequest() {}

  /// Negative for a failure.
  public static long uv_fs_get_result(long req) {
    try {
      return (long) GET_RESULT.invokeExact(req);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static long uv_fs_get_ptr(long req) {
    try {
      return (long) GET_PTR.invokeExact(req);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static long uv_fs_get_path(long req) {
    try {
      return (long) GET_PATH.invokeExact(req);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// A `uv_stat_t` that is part of the request.
  public static long uv_fs_get_statbuf(long req) {
    try {
      return (long) GET_STATBUF.invokeExact(req);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Frees what the request holds, but not its memory. May be called again.
  public static void uv_fs_req_cleanup(long req) {
    try {
      REQ_CLEANUP.invokeExact(req);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
