// SPDX-License-Identifier: Apache-2.0
// How often each byte occurs in random bytes: counted on all cores, gathered through a channel.
// ./couv run examples/histogram.java [MEGABYTES]
import module dev.couv;

void main(String... args) throws Exception {
  int megabytes = args.length > 0 ? Integer.parseInt(args[0]) : 4;
  int cores = Runtime.getRuntime().availableProcessors();
  var total = new long[256];
  try (var pool = LoopPool.open(cores)) {
    var parts = pool.mapUnordered(Collections.nCopies(megabytes, 1 << 20), size -> count(size));
    for (long[] part : parts) {
      Arrays.setAll(total, i -> total[i] + part[i]);
    }
  }
  long most = LongStream.of(total).max().orElse(0);
  for (int i = 0; i < 256; i += 32) {
    long bytes = LongStream.of(Arrays.copyOfRange(total, i, i + 32)).sum();
    IO.println("%3d–%3d %s %d".formatted(i, i + 31, "▇".repeat((int) (bytes / most)), bytes));
  }
  IO.println(LongStream.of(total).sum() + " bytes");
}

long[] count(int size) {
  var bytes = new byte[size];
  new SplittableRandom().nextBytes(bytes);
  var counts = new long[256];
  for (byte b : bytes) counts[b & 0xff]++;
  return counts;
}
