// The load generator if wrk is missing: autocannon in a process of its own, which prints the same JSON as load.lua.

import { readFileSync } from 'node:fs';

import autocannon from 'autocannon';

process.on('message', ({ paths, ...asked }) => {
  // autocannon checks for its end only as often as it samples.
  const requests = paths && [{ setupRequest: walk(paths) }];
  const options = { ...asked, requests, sampleInt: 100, timeout: 30 };
  autocannon(options, (error, result) => {
    if (error) throw error;
    process.send(JSON.stringify(summarise(result)));
  });
});

function summarise(result) {
  const { latency, errors, timeouts, duration } = result;
  const count = (...classes) => classes.reduce((sum, name) => sum + result[`${name}xx`], 0);
  return {
    requests: count(2, 3, 4, 5),
    seconds: duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    refused: count(4, 5),
    broken: errors + timeouts,
  };
}

/** Requests the paths of a file in turn. */
function walk(file) {
  const all = readFileSync(file, 'utf8').trim().split('\n');
  let at = 0;
  return (request) => ({ ...request, path: all[at++ % all.length] });
}
