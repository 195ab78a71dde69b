// Loaded before a measured program: on SIGUSR2 it collects garbage and prints the resources that it holds.

declare const gc: () => void; // by --expose-gc

process.on('SIGUSR2', () => {
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  process.stderr.write(`${JSON.stringify({ heap: heapUsed + external, handles })}\n`);
});
