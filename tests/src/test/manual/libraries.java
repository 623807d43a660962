import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.sql.Statement;
import java.net.http.HttpResponse.BodyHandler;
import okhttp3.OkHttpClient;

static class Lookups {
  static List<InetAddress> lookUp(String host) {
    return List.of();
  }
}

void run3() throws Exception {
  assertEquals("127.0.0.1", new Block3().new Lookups().lookUp("localhost").getFirst().getHostAddress());
}

void run7() throws Exception {
  assertEquals("done", new Block7().call(() -> "done"));
}
