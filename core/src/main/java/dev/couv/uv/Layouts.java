// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Struct.bytes;
import static dev.couv.uv.Struct.ints;
import static dev.couv.uv.Struct.join;
import static dev.couv.uv.Struct.longs;
import static dev.couv.uv.Struct.offset;
import static dev.couv.uv.Struct.padding;
import static dev.couv.uv.Struct.pointers;
import static dev.couv.uv.Struct.shorts;
import static dev.couv.uv.Struct.struct;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;

/// The plain C structs that the bound functions take and give, their offsets and the numbers of the
/// socket interface. A test compiles `tools/layout-probe.c` and compares all of it.
///
/// Loops, handles and requests are not here: libuv tells their sizes, and they stay opaque.
public final class Layouts {
  /// `int` on Unix, `SOCKET` on Windows.
  static final Class<?> UV_OS_SOCK_T =
      Platform.CURRENT == Platform.WINDOWS ? long.class : int.class;

  /// An `iovec` on Unix, a `WSABUF` on Windows. [UvBuf] reads and writes it.
  static final StructLayout UV_BUF_T =
      switch (Platform.CURRENT) {
        case LINUX, MACOS -> struct(pointers("base"), longs("len"));
        case WINDOWS -> struct(ints("len"), padding(4), pointers("base"));
      };

  /// The BSDs begin a socket address with its length in a byte of its own and leave one byte to the
  /// family.
  public static final boolean SOCKADDR_HAS_LENGTH = Platform.CURRENT == Platform.MACOS;

  static final StructLayout SOCKADDR_IN =
      sockaddr("sin", shorts("sin_port"), ints("sin_addr"), bytes(8, "sin_zero"));

  static final StructLayout SOCKADDR_IN6 =
      sockaddr(
          "sin6",
          shorts("sin6_port"),
          ints("sin6_flowinfo"),
          bytes(16, "sin6_addr"),
          ints("sin6_scope_id"));

  /// Room for an address of any family.
  static final StructLayout SOCKADDR_STORAGE = sockaddr("ss", padding(126));

  /// Of a local socket: a path that ends with NUL, or an abstract name that begins with one.
  static final StructLayout SOCKADDR_UN =
      sockaddr("sun", bytes(Platform.choose(108, 104, 108), "sun_path"));

  static final StructLayout ADDRINFO =
      switch (Platform.CURRENT) {
        case LINUX -> addrinfo(ints("ai_addrlen"), padding(4), pointers("ai_addr", "ai_canonname"));
        case MACOS -> addrinfo(ints("ai_addrlen"), padding(4), pointers("ai_canonname", "ai_addr"));
        case WINDOWS -> addrinfo(longs("ai_addrlen"), pointers("ai_canonname", "ai_addr"));
      };

  public static final long UV_BUF_SIZE = UV_BUF_T.byteSize();
  static final long UV_BUF_BASE = offset(UV_BUF_T, "base");
  static final long UV_BUF_LEN = offset(UV_BUF_T, "len");

  /// Where the length byte is, if [#SOCKADDR_HAS_LENGTH].
  public static final long SOCKADDR_LEN = 0;

  /// Where the family is: one byte if [#SOCKADDR_HAS_LENGTH], else two.
  public static final long SOCKADDR_FAMILY = offset(SOCKADDR_STORAGE, "ss_family");

  public static final long SOCKADDR_IN_SIZE = SOCKADDR_IN.byteSize();

  /// Network byte order, as all that follows of addresses, except the scope.
  public static final long SOCKADDR_IN_PORT = offset(SOCKADDR_IN, "sin_port");

  public static final long SOCKADDR_IN_ADDR = offset(SOCKADDR_IN, "sin_addr");

  public static final long SOCKADDR_IN6_SIZE = SOCKADDR_IN6.byteSize();
  public static final long SOCKADDR_IN6_PORT = offset(SOCKADDR_IN6, "sin6_port");
  public static final long SOCKADDR_IN6_ADDR = offset(SOCKADDR_IN6, "sin6_addr");
  public static final long SOCKADDR_IN6_SCOPE_ID = offset(SOCKADDR_IN6, "sin6_scope_id");

  public static final long SOCKADDR_UN_SIZE = SOCKADDR_UN.byteSize();
  public static final long SOCKADDR_UN_PATH = offset(SOCKADDR_UN, "sun_path");

  public static final long SOCKADDR_STORAGE_SIZE = SOCKADDR_STORAGE.byteSize();

  public static final long ADDRINFO_SIZE = ADDRINFO.byteSize();
  public static final long ADDRINFO_FLAGS = offset(ADDRINFO, "ai_flags");
  public static final long ADDRINFO_FAMILY = offset(ADDRINFO, "ai_family");
  public static final long ADDRINFO_SOCKTYPE = offset(ADDRINFO, "ai_socktype");

  public static final long ADDRINFO_ADDR = offset(ADDRINFO, "ai_addr");
  public static final long ADDRINFO_CANONNAME = offset(ADDRINFO, "ai_canonname");
  public static final long ADDRINFO_NEXT = offset(ADDRINFO, "ai_next");

  /// A descriptor on Unix, read as an `int`; a `SOCKET` on Windows, read as a `long`.
  public static final long UV_OS_SOCK_SIZE = UV_OS_SOCK_T == int.class ? 4 : 8;

  public static final int AF_UNSPEC = 0;
  public static final int AF_INET = 2;
  public static final int AF_INET6 = Platform.choose(10, 30, 23);

  public static final int AF_UNIX = 1;

  public static final int SOL_SOCKET = Platform.choose(1, 0xffff, 0xffff);
  public static final int SO_ACCEPTCONN = Platform.choose(30, 2, 2);

  /// Linux only.
  public static final int SOCK_CLOEXEC = 0x80000;

  /// Linux only.
  public static final int SOCK_NONBLOCK = 0x800;

  public static final int SOCK_STREAM = 1;
  public static final int SOCK_DGRAM = 2;

  public static final int AI_NUMERICHOST = 4;
  public static final int AI_NUMERICSERV = Platform.choose(0x400, 0x1000, 0x8);

  public static final int AI_CANONNAME = 2;

  public static final int NI_NAMEREQD = Platform.choose(8, 4, 4);
  public static final int NI_DGRAM = 16;
  public static final int NI_NUMERICHOST = Platform.choose(1, 2, 2);

  private Layouts() {}

  private static StructLayout sockaddr(String prefix, MemoryLayout[]... fields) {
    String family = prefix + "_family";
    return struct(
        SOCKADDR_HAS_LENGTH ? bytes(1, prefix + "_len", family) : shorts(family), join(fields));
  }

  private static StructLayout addrinfo(MemoryLayout[]... middle) {
    return struct(
        ints("ai_flags", "ai_family", "ai_socktype", "ai_protocol"),
        join(middle),
        pointers("ai_next"));
  }
}
