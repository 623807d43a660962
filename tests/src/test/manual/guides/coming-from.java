Duration d = Duration.ofSeconds(1);
String url = "http://127.0.0.1/";
Path path = Path.of("file");
ByteBuffer buffer = ByteBuffer.allocate(1);
TcpStream stream;
TcpStream sink;
TcpListener listener;
HttpServer server;
WebClient client;
Coroutine<String> task;
Coroutine<String> other;
Chan<String> chan;
Chan<String> meeting;
Scope scope;
TaskGroup<String> group;
Mutex mutex;
Loop loop;
LoopPool pool;
Worker<String, String> worker;

String work() {
  return "work";
}

void handle(String line) {}
