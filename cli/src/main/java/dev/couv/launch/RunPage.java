// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.inspect.OwnLink;
import dev.couv.inspect.PageServer;
import java.io.IOException;
import java.util.List;

/// The page that shows a script while it runs: `couv run --inspect`.
final class RunPage implements AutoCloseable {
  private final OwnLink link;
  private final PageServer page;

  private RunPage(OwnLink link, PageServer page) {
    this.link = link;
    this.page = page;
  }

  /// Opens it, and tells the user where: on standard error, because the output is the script's.
  static RunPage open(List<String> words) throws IOException {
    OwnLink link = new OwnLink();
    PageServer page = PageServer.open(link, "couv run " + String.join(" ", words), 0);
    System.err.println("couv: inspect at " + page.address());
    return new RunPage(link, page);
  }

  @Override
  public void close() {
    page.close();
    link.close();
  }
}
