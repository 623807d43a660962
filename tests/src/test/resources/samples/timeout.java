// A timeout ends the wait, not the socket: nothing that arrives later is lost.
// prints:
// nothing yet
// late news
import module dev.couv;

void main() throws Exception {
  var ends = LocalStream.pair();
  try (var here = ends.first();
      var there = ends.second()) {
    var buffer = ByteBuffer.allocate(64);
    try {
      Time.timeout(Duration.ofMillis(20), () -> here.read(buffer));
    } catch (TimeoutException e) {
      IO.println("nothing yet");
    }
    there.write(ByteBuffer.wrap("late news".getBytes()));
    here.read(buffer);
    IO.println(StandardCharsets.UTF_8.decode(buffer.flip()));
  }
}
