// Preloaded into every server that is measured: answers over the IPC channel what the process has used so far.

const KIB = 1024;

process.on('message', (ask) => {
  if (ask !== 'meter') return;
  const { user, system } = process.cpuUsage();
  process.send?.({
    cpuUs: user + system,
    residentBytes: process.memoryUsage.rss(),
    peakBytes: process.resourceUsage().maxRSS * KIB,
  });
});

// A server that ends must not be kept alive by being measured.
process.channel?.unref();
