// Calls from the primary to workers: each response belongs to its own request, and failures end no process.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createRpcClient, handleRpc, type RpcRequest } from '../../src/cli/serve/cluster/rpc.ts';
import { silent } from '../../src/gateway/log.ts';

/** Creates a client of a process that responds only when a test says so, with the requests it got. */
function createClient() {
  const requests: RpcRequest[] = [];
  const client = createRpcClient((request) => requests.push(request) > 0);
  return { requests, ...client };
}

describe('A call to a worker', () => {
  it('gets the response with its number, in whatever order responses come', async () => {
    const { requests, call, onResponse } = createClient();
    const both = Promise.all([call('metrics'), call('ready'), call('ready')]);
    assert.deepEqual(
      requests.map(({ method }) => method),
      ['metrics', 'ready', 'ready'],
    );
    for (const [i, result] of [[2, false] as const, [1, true] as const, [0, []] as const])
      onResponse({ number: requests[i]!.number, result: result as boolean });
    assert.deepEqual(await both, [[], true, false]);
  });

  it('that gets a late response has no result, and does not give it to the next call', async () => {
    const { requests, call, onResponse } = createClient();
    assert.equal(await call('ready'), undefined);
    const next = call('ready');
    onResponse({ number: requests[0]!.number, result: true });
    onResponse({ number: requests[1]!.number, result: false });
    assert.equal(await next, false);
  });

  it('has no result if the process exits or is gone', async () => {
    const { call, close } = createClient();
    const waiting = call('metrics');
    close();
    assert.equal(await waiting, undefined);
    assert.equal(await createRpcClient(() => false).call('ready'), undefined);
  });

  it('whose method fails is logged by the worker, which goes on', async () => {
    const logged: object[] = [];
    const err = new Error('no figures');
    const methods = { metrics: () => Promise.reject(err), ready: () => true };
    const log = { ...silent, error: (fields: object) => logged.push(fields) };
    assert.deepEqual(await handleRpc({ method: 'metrics', number: 7 }, methods, log), {
      number: 7,
    });
    assert.deepEqual(logged, [{ err, method: 'metrics' }]);
    const response = await handleRpc({ method: 'ready', number: 8 }, methods, log);
    assert.deepEqual(response, { number: 8, result: true });
  });
});
