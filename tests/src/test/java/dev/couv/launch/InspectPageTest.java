// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page of `couv run --inspect` in a browser, and the timeline of `--trace`. With `-Dcouv.pictures=DIRECTORY` the
/// pictures that are taken stay: those of the manual.
@Tag("jvm")
@InLoop
class InspectPageTest {
  private static final String SHOP =
      """
      import module dev.couv;

      void main(String[] args) throws Exception {
        var orders = Chan.<Integer>create(8);
        try (var server = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
            var pool = LoopPool.open(2);
            var shop = Scope.open().named("shop")) {
          shop.spawn(() -> server.serve(peer -> ByteStream.copy(peer, peer))).named("door");
          shop.spawn(() -> sell(orders)).named("clerk");
          shop.spawn(() -> cook(orders)).named("cook");
          shop.spawn(() -> supply(pool)).named("supplier");
          shop.spawn(() -> stock(Integer.parseInt(args[0]))).named("keeper");
          shop.spawn(() -> Time.sleep(Duration.ofHours(2))).named("</script><b id=planted>x");
          IO.println("open");
          if (args.length > 1) {
            Time.sleep(Duration.ofSeconds(1));
            throw new IllegalStateException("bankrupt");
          }
        }
      }

      void sell(Chan<Integer> orders) throws Exception {
        for (int order = 0; ; order++) {
          orders.send(order);
          Time.sleep(Duration.ofMillis(20));
        }
      }

      void cook(Chan<Integer> orders) throws Exception {
        for (int order : orders) {
          long end = System.nanoTime() + 2_000_000;
          while (System.nanoTime() < end) Thread.onSpinWait();
          Time.sleep(Duration.ofMillis(30));
        }
      }

      void supply(LoopPool pool) throws Exception {
        while (true) {
          pool.submit(() -> Time.sleep(Duration.ofMillis(200))).await();
        }
      }

      void stock(int many) throws Exception {
        try (var shelves = Scope.open().named("shelves")) {
          for (int i = 0; i < many; i++) {
            shelves.spawn(() -> Time.sleep(Duration.ofHours(1))).named("shelf-" + i);
          }
        }
      }
      """;

  @TempDir private Path directory;

  private Cli.Running start(String... words) throws Exception {
    Files.writeString(directory.resolve("shop.java"), SHOP);
    Cli.Running shop = new Cli().in(directory).start(words);
    shop.line("open");
    return shop;
  }

  /// The page that it names.
  private static String address(Cli.Running shop) throws Exception {
    String told = Files.readString(shop.err());
    return told.substring(told.indexOf("http://")).strip();
  }

  private Path picture(String name) throws Exception {
    String kept = System.getProperty("couv.pictures");
    return (kept == null ? directory : Files.createDirectories(Cli.BASE.resolve(kept)))
        .resolve(name + ".png");
  }

  private static String row(String name) {
    return "[...document.querySelectorAll('.row')].find(r => r.querySelector('b').textContent == '%s')"
        .formatted(name);
  }

  @Test
  void thePageShowsTheTreeAndCancels() throws Exception {
    try (var shop = start("run", "--inspect", "shop.java", "30");
        var browser = new Browser(directory);
        var page = browser.open("about:blank")) {
      page.show(1280, 800, false);
      page.go(address(shop));
      page.awaitTrue(row("cook") + " !== undefined");
      page.awaitTrue("document.querySelectorAll('#planted').length == 0");
      page.awaitTrue("document.title.startsWith('couv run shop.java 30')");
      page.awaitTrue("document.querySelector('#awaits').innerText.includes('Time.sleep')");
      page.awaitTrue("document.querySelector('#handles').innerText.includes('tcp listener')");
      page.awaitTrue("document.querySelector('#queues').innerText.includes('/ 8')");
      page.awaitTrue("document.querySelector('#queues').innerText.includes('pool 1')");
      page.awaitTrue(
          "samples.get('1')?.length > 3 && document.querySelector('#c-lag-0').textContent != ''");
      // The cook computes for two milliseconds now and then, and hardly anybody else does anything.
      page.awaitTrue("samples.get('1').some(p => p[7] >= 2000 && p[4] < p[6] && p[6] <= p[7])");
      page.awaitTrue("document.querySelector('#c-turn-2').textContent.endsWith('s')");
      page.run(row("keeper") + ".click()");
      page.awaitTrue(
          "document.querySelector('#d-facts').innerText.includes('the end of scope shelves')");
      page.run("document.querySelector('#d-stack').click()");
      page.awaitTrue("document.querySelector('#d-text').textContent.includes('shop.stock')");
      page.run("document.querySelector('#d-text').hidden = true");
      page.picture(picture("inspect-light"));
      page.show(1280, 800, true);
      page.picture(picture("inspect-dark"));
      page.show(390, 844, true);
      page.awaitTrue("document.documentElement.scrollWidth <= 390");
      page.run("document.querySelector('#d-close').click()");
      page.picture(picture("inspect-phone"));
      page.show(1280, 800, false);

      // Collapsed, searched, cancelled.
      page.run(row("scope shelves, 30 active") + ".querySelector('i').click()");
      page.awaitTrue(row("shelf-0") + " === undefined");
      page.run("search.value = 'shelf-1'; search.dispatchEvent(new Event('input'))");
      page.awaitTrue("document.querySelector('#found').textContent == '11 found'");
      page.run(row("shelf-17") + ".click()");
      page.run("document.querySelector('#d-cancel').click()");
      page.awaitTrue("document.querySelector('#d-cancel').textContent == 'Really cancel?'");
      page.run("document.querySelector('#d-cancel').click()");
      page.awaitTrue("document.querySelector('#found').textContent == '10 found'");
      page.run("search.value = 'shelves'; search.dispatchEvent(new Event('input'))");
      page.run("[...document.querySelectorAll('.row.scope')].at(-1).click()");
      page.run(
          "document.querySelector('#d-cancel').click();"
              + " document.querySelector('#d-cancel').click()");
      page.awaitTrue("!lines.some(l => l.name.startsWith('shelf-'))");
      page.run("document.querySelector('#dump').click()");
      page.awaitTrue("document.querySelector('#text-body').textContent.includes('cook SUSPENDED')");
      page.awaitTrue(
          "document.querySelector('#text-body').textContent.includes(' on average, p99 ')");

      shop.signal("TERM");
      page.awaitTrue("!document.querySelector('#trouble').hidden");
    }
  }

  @Test
  void tenThousandCoroutinesAreNoneTooMany() throws Exception {
    try (var shop = start("run", "--inspect", "shop.java", "10000");
        var browser = new Browser(directory);
        var page = browser.open("about:blank")) {
      page.show(1280, 800, false);
      page.go(address(shop));
      page.awaitTrue("lines.length > 10000");
      page.run("document.querySelector('#tree').scrollTop = 1e9");
      page.awaitTrue(row("</script><b id=planted>x") + " !== undefined");
      page.awaitTrue("document.querySelectorAll('.row').length < 100");
      page.run("search.value = 'shelf-9999'; search.dispatchEvent(new Event('input'))");
      page.awaitTrue(row("shelf-9999") + " !== undefined");
    }
  }

  @Test
  void aTimelineIsWrittenAlthoughTheProgramFails() throws Exception {
    Path trace = directory.resolve("trace.html");
    try (var shop = start("run", "--trace", "trace.html", "shop.java", "20", "fail")) {
      Cli.Result failed = shop.end();
      assertTrue(failed.err().stream().anyMatch(line -> line.contains("bankrupt")));
      assertTrue(failed.status() == 1 && failed.err().getLast().contains("awaits in trace.html"));
    }
    try (var browser = new Browser(directory);
        var page = browser.open("about:blank")) {
      page.show(1280, 640, false);
      page.go(trace.toUri().toString());
      page.awaitTrue("lives.length > 25 && document.title.startsWith('couv run shop.java')");
      page.awaitTrue("lives.some(l => l.name == '</scr' + 'ipt><b id=planted>x')");
      page.awaitTrue("document.querySelectorAll('#planted').length == 0");
      page.run("search.value = 'cook'; search.dispatchEvent(new Event('input'))");
      page.awaitTrue("document.querySelector('#facts').textContent.startsWith('1 of ')");
      page.run("search.value = ''; search.dispatchEvent(new Event('input'))");
      page.awaitTrue("rows.length == lives.length");
      page.run("const us = to - from; zoom(.5)");
      page.awaitTrue("Math.abs((to - from) / us - .5) < .01");
      hover(page, "keeper");
      page.awaitTrue("tip.innerText.includes('awaits the end of scope shelves for')");
      page.awaitTrue("tip.innerText.includes('spawned at shop.main(shop.java:')");
      page.picture(picture("trace-light"));
      page.show(390, 844, true);
      page.run("tip.hidden = true; whole()");
      page.awaitTrue("document.documentElement.scrollWidth <= 390");
      page.picture(picture("trace-phone"));
    }
  }

  private static void hover(Browser.Page page, String name) throws Exception {
    page.run("whole()");
    page.awaitTrue("!planned");
    page.run(
        "{ const l = rows.find(r => r.name == '%s'), a = l.awaits.at(-1), px = x((a.from + a.to) / 2), py = HEAD + rows.indexOf(l) * height + 5;"
                .formatted(name)
            + " tell({offsetX: px, clientX: px, offsetY: py, clientY: py + 120}); }");
  }

  @Test
  void aTimelineIsWrittenAfterASignal() throws Exception {
    try (var shop = start("run", "--trace", "trace.html", "shop.java", "5")) {
      shop.signal("TERM");
      Cli.Result ended = shop.end();

      assertTrue(ended.status() == 143, ended::toString);
      assertTrue(Files.readString(directory.resolve("trace.html")).contains("\"lives\":[["));
      assertTrue(Files.notExists(directory.resolve("trace.html.part")));
    }
  }

  @Test
  void aTimelineThatCannotBeWrittenIsRefusedAtOnce() throws Exception {
    Files.writeString(directory.resolve("shop.java"), SHOP);
    Cli.Result refused =
        new Cli().in(directory).run("run", "--trace", "none/trace.html", "shop.java", "5");

    assertTrue(refused.status() == 2 && refused.out().isEmpty(), refused::toString);
    assertEquals(
        List.of(
            "couv: the trace cannot be written in none/trace.html: no directory "
                + directory.resolve("none")),
        refused.err());
  }
}
