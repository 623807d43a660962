// SPDX-License-Identifier: Apache-2.0
// The Mandelbrot set, computed on all cores line by line, to a PNG, with a progress bar.
// ./couv run examples/mandelbrot.java [FILE [WIDTH]]
import module dev.couv;
import module java.desktop;

record Row(int y, int[] pixels) {}

void main(String... args) throws Exception {
  var file = Path.of(args.length > 0 ? args[0] : "mandelbrot.png");
  int width = args.length > 1 ? Integer.parseInt(args[1]) : 900;
  int height = width * 2 / 3;
  var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
  try (var pool = LoopPool.open(Runtime.getRuntime().availableProcessors())) {
    var lines = IntStream.range(0, height).boxed().toList();
    int done = 0;
    for (Row row : pool.mapUnordered(lines, y -> row(y, width, height))) {
      image.setRGB(0, row.y, width, 1, row.pixels, 0, width);
      bar(++done, height);
    }
  }
  Loop.offload(() -> ImageIO.write(image, "png", file.toFile())); // it blocks
  IO.println(file + ": " + width + " × " + height);
}

/// Redrawn in place when it has moved.
void bar(int done, int of) {
  int cells = done * 40 / of;
  if (cells != (done - 1) * 40 / of) {
    String end = done == of ? "\n" : "";
    IO.print(
        "\r[" + "█".repeat(cells) + " ".repeat(40 - cells) + "] " + done * 100 / of + " %" + end);
  }
}

Row row(int y, int width, int height) {
  var pixels = new int[width];
  double ci = (y - height / 2.0) * 2.4 / height;
  for (int x = 0; x < width; x++) {
    double cr = x * 3.6 / width - 2.5;
    double zr = 0, zi = 0;
    int n = 0;
    for (; n < 500 && zr * zr + zi * zi < 4; n++) {
      double next = zr * zr - zi * zi + cr;
      zi = 2 * zr * zi + ci;
      zr = next;
    }
    pixels[x] = n == 500 ? 0 : Color.HSBtoRGB(0.6f + n / 120f, 0.7f, 1f);
  }
  return new Row(y, pixels);
}
