import dev.couv.simulation.*;
import raft.*;

Simulation sim;
Calls<Model.RegisterCall, String> calls = new Calls<>();
List<Peer.Address> addresses =
    List.of(
        new Peer.Address("m0", 7000), new Peer.Address("m1", 7000), new Peer.Address("m2", 7000));
InetSocketAddress place = new InetSocketAddress(7000);
Raft.Options options = Raft.Options.DEFAULT;

void scenario(Simulation given) throws Exception {
  sim = given;
  calls = new Calls<>();
  block3();
}
