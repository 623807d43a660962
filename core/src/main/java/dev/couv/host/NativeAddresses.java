// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Scratch;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/// Between Java's socket addresses and the system's, in the loop's scratch memory.
public final class NativeAddresses {
  private static final int ADDRESS_SIZE = (int) Layouts.SOCKADDR_STORAGE_SIZE;

  /// That a number stands for an address, also for 0.0.0.0:0.
  private static final long V4 = 1L << 48;

  private NativeAddresses() {}

  /// The number of the family in C.
  public static int familyNumber(InetSocketAddress address) {
    return address.getAddress() instanceof Inet6Address ? Layouts.AF_INET6 : Layouts.AF_INET;
  }

  /// Writes the address where the next call can read it.
  public static long write(Scratch scratch, InetSocketAddress address) {
    return write(scratch, address, false);
  }

  /// Writes the address where the next call can read it, for a socket of IPv6 if `toV6`: an IPv4 address is then
  /// written as IPv6 maps it.
  public static long write(Scratch scratch, InetSocketAddress address, boolean toV6) {
    long at = scratch.argumentsAddress();
    Memory.zero(at, ADDRESS_SIZE);
    byte[] bytes = address.getAddress().getAddress();
    Inet6Address v6 = address.getAddress() instanceof Inet6Address known ? known : null;
    if (v6 == null && !toV6) {
      writeFamily(at, Layouts.AF_INET, Layouts.SOCKADDR_IN_SIZE);
      writePort(at + Layouts.SOCKADDR_IN_PORT, address.getPort());
      Memory.copy(bytes, 0, at + Layouts.SOCKADDR_IN_ADDR, bytes.length);
      return at;
    }
    writeFamily(at, Layouts.AF_INET6, Layouts.SOCKADDR_IN6_SIZE);
    writePort(at + Layouts.SOCKADDR_IN6_PORT, address.getPort());
    long end = at + Layouts.SOCKADDR_IN6_ADDR + 16;
    Memory.copy(bytes, 0, end - bytes.length, bytes.length);
    if (v6 == null) {
      Memory.putShort(end - 6, (short) 0xffff);
    } else {
      Memory.putInt(at + Layouts.SOCKADDR_IN6_SCOPE_ID, v6.getScopeId());
    }
    return at;
  }

  /// Room for an address that a call fills in, and behind it its size in and out.
  public static long prepare(Scratch scratch) {
    long at = scratch.argumentsAddress();
    Memory.putInt(lengthAddress(at), ADDRESS_SIZE);
    return at;
  }

  /// Where the size is of an address at `at`.
  public static long lengthAddress(long at) {
    return at + ADDRESS_SIZE;
  }

  /// The address that a call has written there.
  public static InetSocketAddress read(long at) {
    boolean v6 = readFamily(at) == Layouts.AF_INET6;
    byte[] bytes = bytes(at, v6);
    int port = readPort(at + (v6 ? Layouts.SOCKADDR_IN6_PORT : Layouts.SOCKADDR_IN_PORT));
    return socketAddress(bytes, v6 ? Memory.getInt(at + Layouts.SOCKADDR_IN6_SCOPE_ID) : 0, port);
  }

  private static InetSocketAddress socketAddress(byte[] bytes, int scope, int port) {
    try {
      InetAddress address =
          scope == 0
              ? InetAddress.getByAddress(bytes)
              : Inet6Address.getByAddress(null, bytes, scope);
      return new InetSocketAddress(address, port);
    } catch (UnknownHostException e) {
      throw new AssertionError("an address of " + bytes.length + " bytes", e);
    }
  }

  /// The address there, if it is one of IPv4, or one that IPv6 maps, as a number for [#ofV4]: an eighth of the memory. Else 0.
  static long readV4(long at) {
    boolean v6 = readFamily(at) == Layouts.AF_INET6;
    byte[] bytes = bytes(at, v6);
    if (v6 && !isMapped(bytes)) {
      return 0;
    }
    int port = readPort(at + (v6 ? Layouts.SOCKADDR_IN6_PORT : Layouts.SOCKADDR_IN_PORT));
    int number = ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES);
    return V4 | (long) port << Integer.SIZE | Integer.toUnsignedLong(number);
  }

  private static boolean isMapped(byte[] v6) {
    ByteBuffer bytes = ByteBuffer.wrap(v6);
    return bytes.getLong() == 0 && bytes.getInt() == 0xffff;
  }

  static InetSocketAddress ofV4(long number) {
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt((int) number).array();
    return socketAddress(bytes, 0, (int) (number >>> Integer.SIZE) & 0xffff);
  }

  /// A call that writes the address of one of a socket's ends, and how long it is.
  @FunctionalInterface
  interface NameCall {
    int write(long handle, long name, long length);
  }

  /// The address that a socket is bound to, as that call tells it; a failure names the subject.
  static InetSocketAddress local(ObjectHandle socket, NameCall call, Object subject)
      throws IOException {
    long at = prepare(socket.loop().scratch());
    Failures.check(call.write(socket.address(), at, lengthAddress(at)), "getsockname", subject);
    return read(at);
  }

  /// The bytes of the address there, of that family.
  static byte[] bytes(long at, boolean v6) {
    byte[] bytes = new byte[v6 ? 16 : 4];
    Memory.copy(
        at + (v6 ? Layouts.SOCKADDR_IN6_ADDR : Layouts.SOCKADDR_IN_ADDR), bytes, 0, bytes.length);
    return bytes;
  }

  public static void writeFamily(long at, int family, long size) {
    if (Layouts.SOCKADDR_HAS_LENGTH) {
      Memory.putByte(at + Layouts.SOCKADDR_LEN, (byte) size);
      Memory.putByte(at + Layouts.SOCKADDR_FAMILY, (byte) family);
    } else {
      Memory.putShort(at + Layouts.SOCKADDR_FAMILY, (short) family);
    }
  }

  private static int readFamily(long at) {
    return Layouts.SOCKADDR_HAS_LENGTH
        ? Memory.getByte(at + Layouts.SOCKADDR_FAMILY)
        : Memory.getShort(at + Layouts.SOCKADDR_FAMILY);
  }

  private static void writePort(long at, int port) {
    Memory.putByte(at, (byte) (port >>> 8));
    Memory.putByte(at + 1, (byte) port);
  }

  private static int readPort(long at) {
    return (Memory.getByte(at) & 0xff) << 8 | (Memory.getByte(at + 1) & 0xff);
  }
}
