static class TooManyRequests extends Exception {
  Duration retryAfter() {
    return Duration.ofSeconds(1);
  }
}

Hedge hedge = Hedge.of(Duration.ofMillis(10));
String host = "127.0.0.1";
Breaker breaker;
Resources<TcpStream> connections;

Object query(TcpStream connection) {
  return connection;
}

void run3() throws Exception {
  block3();
}
