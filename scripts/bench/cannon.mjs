// The load where there is no wrk: autocannon in a process of its own; prints the same line of JSON as load.lua.

import { readFileSync } from 'node:fs';

import autocannon from 'autocannon';

const { url, paths, headers, connections, duration } = JSON.parse(process.argv[2]);

const requests = paths
  ? readFileSync(paths, 'utf8')
      .trim()
      .split('\n')
      .map((path) => ({ path }))
  : undefined;

// It looks at whether it is to stop as often as it samples.
const options = { url, headers, connections, requests, duration, sampleInt: 100 };

const run = autocannon(options, (error, result) => {
  if (error) throw error;
  const { latency, errors, timeouts, duration } = result;
  const count = (...classes) => classes.reduce((sum, name) => sum + result[`${name}xx`], 0);
  const said = {
    requests: count(2, 3, 4, 5),
    seconds: duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    refused: count(4, 5),
    broken: errors + timeouts,
  };
  console.log(`\n${JSON.stringify(said)}`);
});

process.once('SIGINT', () => run.stop());
