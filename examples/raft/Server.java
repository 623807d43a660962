// SPDX-License-Identifier: Apache-2.0
package raft;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;

/// A member as a process: `./couv run examples/raft/Server.java DIRECTORY 0 127.0.0.1:7001 127.0.0.1:7002 127.0.0.1:7003` is the
/// first of three. The other two are told 1 and 2, and directories of their own.
public class Server {
  static void main(String... args) throws Exception {
    if (args.length < 3) {
      IO.println("a directory, a number, and the addresses of all members");
      return;
    }
    int self = Integer.parseInt(args[1]);
    var members = Arrays.stream(args).skip(2).map(Peer.Address::parse).toList();
    var own = members.get(self);
    var place = new InetSocketAddress(own.host(), own.port());
    var member =
        new Raft(self, place, members, Path.of(args[0]), Raft.Options.DEFAULT) {
          @Override
          protected void elected(long term) {
            IO.println("leads in term " + term);
          }
        };
    IO.println("listens at " + place);
    member.run();
  }
}
