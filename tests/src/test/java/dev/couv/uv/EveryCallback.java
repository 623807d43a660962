// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;

/// A program on the bare binding that makes libuv call back in every way there is and prints a line
/// each time: timer, idle, wake-up, signal, random bytes, name lookup, and a short conversation
/// over TCP. Runs in a JVM of its own, from [UpcallTest].
final class EveryCallback {
  /// The same number on Linux and macOS, and nothing to the VM.
  private static final int SIGWINCH = 28;

  private final long loop = Memory.malloc(UvLoop.uv_loop_size());
  private final Map<Long, String> names = new HashMap<>();
  private final long buffer = Memory.malloc(100);
  private final long buf = Memory.malloc(Layouts.UV_BUF_SIZE);
  private final long address = Memory.calloc(1, Layouts.SOCKADDR_STORAGE_SIZE);
  private final long number = Memory.calloc(1, 8);

  private final long client = handle("client", UvHandle.UV_TCP);
  private final long server = handle("server", UvHandle.UV_TCP);
  private final long peer = handle("peer", UvHandle.UV_TCP);

  private final StringBuilder received = new StringBuilder();
  private boolean allocated;

  private final long closeCallback = to((a, b, c, d, e) -> close_cb(a));
  private final long timerCallback = to((a, b, c, d, e) -> timer_cb(a));
  private final long asyncCallback = to((a, b, c, d, e) -> async_cb(a));
  private final long signalCallback = to((a, b, c, d, e) -> signal_cb(a, (int) b));
  private final long pollCallback = to((a, b, c, d, e) -> poll_cb(a, (int) b, (int) c));
  private final long exitCallback = to((a, b, c, d, e) -> exit_cb(a, b, (int) c));
  private final long allocCallback = to((a, b, c, d, e) -> alloc_cb(a, b, c));
  private final long readCallback = to((a, b, c, d, e) -> read_cb(a, b, c));
  private final long writeCallback = to((a, b, c, d, e) -> write_cb(a, (int) b));
  private final long connectCallback = to((a, b, c, d, e) -> connect_cb(a, (int) b));
  private final long shutdownCallback = to((a, b, c, d, e) -> shutdown_cb(a, (int) b));
  private final long connectionCallback = to((a, b, c, d, e) -> connection_cb(a, (int) b));
  private final long getaddrinfoCallback = to((a, b, c, d, e) -> getaddrinfo_cb(a, (int) b, c));
  private final long getnameinfoCallback = to((a, b, c, d, e) -> getnameinfo_cb(a, (int) b, c, d));
  private final long udpSendCallback = to((a, b, c, d, e) -> udp_send_cb(a, (int) b));
  private final long udpRecvCallback = to((a, b, c, d, e) -> udp_recv_cb(a, b, c, d, (int) e));
  private final long fsCallback = to((a, b, c, d, e) -> fs_cb(a));
  private final long randomCallback = to((a, b, c, d, e) -> random_cb(a, (int) b, c, d));

  private EveryCallback() {}

  public static void main(String[] arguments) throws Throwable {
    new EveryCallback().run();
  }

  private void run() throws Throwable {
    check(UvLoop.uv_loop_init(loop));
    startHandles();
    startRequests();
    startConversation();
    startDatagram();
    startPoll();
    startChild();
    print("alive " + OtherCalls.uv_loop_alive(loop));

    print("run " + UvLoop.uv_run(loop, UvLoop.UV_RUN_DEFAULT));

    print("alive " + OtherCalls.uv_loop_alive(loop));
    print("close " + UvLoop.uv_loop_close(loop));
  }

  private void startHandles() throws Throwable {
    long timer = handle("timer", UvHandle.UV_TIMER);
    check(UvTimer.uv_timer_init(loop, timer));
    check(UvTimer.uv_timer_start(timer, timerCallback, 1, 0));

    long idle = handle("idle", UvHandle.UV_IDLE);
    check(OtherCalls.uv_idle_init(loop, idle));
    check(OtherCalls.uv_idle_start(idle, timerCallback));

    long async = handle("async", UvHandle.UV_ASYNC);
    check(UvAsync.uv_async_init(loop, async, asyncCallback));
    Thread sender = Thread.ofPlatform().start(() -> check(UvAsync.uv_async_send(async)));
    sender.join();

    long signal = handle("signal", UvHandle.UV_SIGNAL);
    check(UvSignal.uv_signal_init(loop, signal));
    check(UvSignal.uv_signal_start(signal, signalCallback, SIGWINCH));
    check((int) Call.system("raise", Call.INT, Call.INT).call(SIGWINCH));
  }

  private void startRequests() {
    long random = request("random", UvRequest.UV_RANDOM);
    long bytes = Memory.calloc(1, 16);
    Memory.putLong(random, bytes);
    check(UvMachine.uv_random(loop, random, bytes, 16, 0, randomCallback));

    long stat = request("stat", UvRequest.UV_FS);
    check(UvFs.uv_fs_stat(loop, stat, Memory.newString("/"), fsCallback));

    long lookup = request("lookup", UvRequest.UV_GETADDRINFO);
    long hints = Memory.calloc(1, Layouts.ADDRINFO_SIZE);
    Memory.putInt(hints + Layouts.ADDRINFO_SOCKTYPE, Layouts.SOCK_STREAM);
    Memory.putInt(hints + Layouts.ADDRINFO_FLAGS, Layouts.AI_NUMERICHOST | Layouts.AI_NUMERICSERV);
    long node = Memory.newString("::1");
    long service = Memory.newString("4660");
    check(UvDns.uv_getaddrinfo(loop, lookup, getaddrinfoCallback, node, service, hints));
  }

  private void startConversation() {
    check(UvTcp.uv_tcp_init(loop, server));
    putFamily(Layouts.AF_INET);
    Memory.copy(new byte[] {127, 0, 0, 1}, 0, address + Layouts.SOCKADDR_IN_ADDR, 4);
    check(UvTcp.uv_tcp_bind(server, address, 0));
    check(UvStream.uv_listen(server, 5, connectionCallback));
    Memory.putInt(number, (int) Layouts.SOCKADDR_STORAGE_SIZE);
    check(UvTcp.uv_tcp_getsockname(server, address, number));
    print("server at " + endpoint(address));

    check(UvTcp.uv_tcp_init_ex(loop, client, Layouts.AF_INET));
    check(UvTcp.uv_tcp_nodelay(client, 1));
    check(UvTcp.uv_tcp_keepalive(client, 1, 60));
    long connect = request("connect", UvRequest.UV_CONNECT);
    check(UvTcp.uv_tcp_connect(connect, client, address, connectCallback));
  }

  private void startDatagram() {
    long datagrams = handle("datagrams", UvHandle.UV_UDP);
    Memory.zero(address, Layouts.SOCKADDR_STORAGE_SIZE);
    putFamily(Layouts.AF_INET);
    Memory.copy(new byte[] {127, 0, 0, 1}, 0, address + Layouts.SOCKADDR_IN_ADDR, 4);
    long reverse = request("reverse", UvRequest.UV_GETNAMEINFO);
    int numeric = Layouts.NI_NUMERICHOST | Platform.choose(2, 8, 8);
    check(UvDns.uv_getnameinfo(loop, reverse, getnameinfoCallback, address, numeric));
    check(UvUdp.uv_udp_init_ex(loop, datagrams, Layouts.AF_INET));
    check(UvUdp.uv_udp_bind(datagrams, address, 0));
    Memory.putInt(number, (int) Layouts.SOCKADDR_STORAGE_SIZE);
    check(UvUdp.uv_udp_getsockname(datagrams, address, number));
    check(UvUdp.uv_udp_recv_start(datagrams, allocCallback, udpRecvCallback));
    Memory.copy("three".getBytes(UTF_8), 0, buffer, 5);
    UvBuf.set(buf, buffer, 5);
    long send = request("send", UvRequest.UV_UDP_SEND);
    check(UvUdp.uv_udp_send(send, datagrams, buf, 1, address, udpSendCallback));
  }

  private void startPoll() {
    long ends = Memory.calloc(2, 4);
    check(UvPipe.uv_pipe(ends, 0, 0));
    long poll = handle("poll", UvHandle.UV_POLL);
    check(UvPoll.uv_poll_init(loop, poll, Memory.getInt(ends + 4)));
    check(UvPoll.uv_poll_start(poll, UvPoll.UV_WRITABLE, pollCallback));
  }

  private void startChild() {
    long arguments = Memory.calloc(2, 8);
    Memory.putLong(arguments, Memory.newString("false"));
    long options = Memory.calloc(1, SystemLayouts.UV_PROCESS_OPTIONS_T.byteSize());
    Fields fields = new Fields(SystemLayouts.UV_PROCESS_OPTIONS_T, options);
    fields.putLong("exit_cb", exitCallback);
    fields.putLong("file", Memory.newString("false"));
    fields.putLong("args", arguments);
    long child = handle("child", UvHandle.UV_PROCESS);
    check(UvProcess.uv_spawn(loop, child, options));
    print("child runs " + (UvProcess.uv_process_get_pid(child) > 0));
  }

  private void poll_cb(long poll, int status, int events) {
    print("poll_cb " + names.get(poll) + " " + status + " " + events);
    check(UvPoll.uv_poll_stop(poll));
    close(poll);
  }

  private void exit_cb(long process, long exit_status, int term_signal) {
    print("exit_cb " + names.get(process) + " " + exit_status + " " + term_signal);
    close(process);
  }

  private void getnameinfo_cb(long req, int status, long hostname, long service) {
    String host = Memory.getString(hostname);
    String port = Memory.getString(service);
    print("getnameinfo_cb " + names.get(req) + " " + status + " " + host + " " + port);
  }

  private void udp_send_cb(long req, int status) {
    print("udp_send_cb " + names.get(req) + " " + status);
  }

  private void udp_recv_cb(long udp, long nread, long buf, long addr, int flags) {
    if (nread == 0) return;
    String from = endpoint(addr);
    print("udp_recv_cb " + names.get(udp) + " " + nread + " from " + from + " " + flags);
    check(UvUdp.uv_udp_recv_stop(udp));
    close(udp);
  }

  private void timer_cb(long timer) {
    String name = names.get(timer);
    print("timer_cb " + name);
    if ("idle".equals(name)) {
      check(OtherCalls.uv_idle_stop(timer));
      print("idle is active " + OtherCalls.uv_is_active(timer));
    }
    close(timer);
  }

  private void async_cb(long async) {
    print("async_cb " + names.get(async));
    close(async);
  }

  private void signal_cb(long signal, int signum) {
    print("signal_cb " + names.get(signal) + " " + signum);
    check(UvSignal.uv_signal_stop(signal));
    close(signal);
  }

  private void fs_cb(long req) {
    long mode = Memory.getLong(UvFsRequest.uv_fs_get_statbuf(req) + FileLayouts.STAT_MODE);
    boolean isDirectory = (mode & FileLayouts.S_IFMT) == FileLayouts.S_IFDIR;
    print("fs_cb " + names.get(req) + " " + UvFsRequest.uv_fs_get_result(req) + " " + isDirectory);
    UvFsRequest.uv_fs_req_cleanup(req);
  }

  private void random_cb(long req, int status, long buffer, long buflen) {
    boolean same = buffer == Memory.getLong(req);
    boolean filled = (Memory.getLong(buffer) | Memory.getLong(buffer + 8)) != 0;
    print("random_cb " + names.get(req) + " " + status + " " + same + " " + buflen + " " + filled);
  }

  private void getaddrinfo_cb(long req, int status, long res) {
    print("getaddrinfo_cb " + names.get(req) + " " + status);
    long found = Memory.getLong(res + Layouts.ADDRINFO_ADDR);
    boolean isV6 = Memory.getInt(res + Layouts.ADDRINFO_FAMILY) == Layouts.AF_INET6;
    byte last = Memory.getByte(found + Layouts.SOCKADDR_IN6_ADDR + 15);
    int port = port(found + Layouts.SOCKADDR_IN6_PORT);
    int length = Memory.getInt(res + Struct.offset(Layouts.ADDRINFO, "ai_addrlen"));
    long next = Memory.getLong(res + Layouts.ADDRINFO_NEXT);
    print("found " + isV6 + " " + last + " " + port + " " + length + " " + next);
    UvDns.uv_freeaddrinfo(res);
  }

  private void connection_cb(long server, int status) {
    print("connection_cb " + names.get(server) + " " + status);
    check(UvTcp.uv_tcp_init(loop, peer));
    check(UvStream.uv_accept(server, peer));
    Memory.putInt(number, (int) Layouts.SOCKADDR_STORAGE_SIZE);
    check(UvTcp.uv_tcp_getpeername(peer, address, number));
    print("peer at " + endpoint(address));
    check(UvStream.uv_read_start(peer, allocCallback, readCallback));
    close(server);
  }

  private void connect_cb(long req, int status) {
    print("connect_cb " + names.get(req) + " " + status);
    print(
        "readable "
            + OtherCalls.uv_is_readable(client)
            + " writable "
            + OtherCalls.uv_is_writable(client)
            + " queued "
            + UvStream.uv_stream_get_write_queue_size(client));
    Memory.copy("one two".getBytes(UTF_8), 0, buffer, 7);
    UvBuf.set(buf, buffer, 4);
    print("tried " + UvStream.uv_try_write(client, buf, 1));
    UvBuf.set(buf, buffer + 4, 3);
    long write = request("write", UvRequest.UV_WRITE);
    check(UvStream.uv_write(write, client, buf, 1, writeCallback));
  }

  private void write_cb(long req, int status) {
    print("write_cb " + names.get(req) + " " + status);
    long shutdown = request("shutdown", UvRequest.UV_SHUTDOWN);
    check(UvStream.uv_shutdown(shutdown, client, shutdownCallback));
  }

  private void shutdown_cb(long req, int status) {
    print("shutdown_cb " + names.get(req) + " " + status);
    close(client);
  }

  private void alloc_cb(long handle, long suggested_size, long buf) {
    // How often it is called depends on how the bytes arrive.
    if (!allocated && names.get(handle).equals("peer"))
      print("alloc_cb " + names.get(handle) + " " + suggested_size);
    allocated |= names.get(handle).equals("peer");
    UvBuf.set(buf, buffer + 50, 50);
  }

  private void read_cb(long stream, long nread, long buf) {
    for (long i = 0; i < nread; i++) received.append((char) Memory.getByte(UvBuf.base(buf) + i));
    if (nread >= 0) return;
    print("read_cb " + names.get(stream) + " '" + received + "' " + UvErrors.name((int) nread));
    check(UvStream.uv_read_stop(stream));
    close(stream);
  }

  private void close_cb(long handle) {
    print("close_cb " + names.get(handle));
    Memory.free(handle);
  }

  private long to(Upcall.Receiver receiver) {
    return Upcall.to(receiver, this::escaped);
  }

  private void escaped(Throwable thrown) {
    print("escaped " + thrown);
    System.exit(1);
  }

  private void close(long handle) {
    UvHandle.uv_close(handle, closeCallback);
    if (OtherCalls.uv_is_closing(handle) == 0) throw new AssertionError("not closing");
  }

  private long handle(String name, int type) {
    long handle = Memory.malloc(UvHandle.uv_handle_size(type));
    names.put(handle, name);
    return handle;
  }

  private long request(String name, int type) {
    long request = Memory.malloc(UvRequest.uv_req_size(type));
    names.put(request, name);
    return request;
  }

  private void putFamily(int family) {
    if (Layouts.SOCKADDR_HAS_LENGTH) {
      Memory.putByte(address + Layouts.SOCKADDR_FAMILY, (byte) family);
    } else {
      Memory.putShort(address + Layouts.SOCKADDR_FAMILY, (short) family);
    }
  }

  /// The address, and whether there is a port, which is another one each time.
  private static String endpoint(long address) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      text.append(Memory.getByte(address + Layouts.SOCKADDR_IN_ADDR + i)).append('.');
    }
    return text.append(port(address + Layouts.SOCKADDR_IN_PORT) != 0).toString();
  }

  private static int port(long address) {
    return (Memory.getByte(address) & 0xff) << 8 | (Memory.getByte(address + 1) & 0xff);
  }

  private static void print(String line) {
    System.out.println(line);
  }

  private static void check(int result) {
    if (result != 0) throw new AssertionError(UvErrors.name(result));
  }
}
