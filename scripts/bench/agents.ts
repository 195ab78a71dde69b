// Calls of tools over POST /mcp, compared with the tool alone on a bare server: what key, protocol and SDK cost.

import { Refusal } from '../../src/store/refusal.ts';
import { bare, ours, pathTo } from './contestants.ts';
import type { Data } from './data.ts';
import { askOnce, noteIn } from './load-measurements.ts';
import type { Work } from './measurement.ts';
import type { Request } from './request.ts';
import { runRounds } from './rounds.ts';
import type { Program } from './server.ts';

/** What a call may cost beyond its tool, in µs of CPU. */
const MOST_OVER_US = 1200;

/** Few: a call takes milliseconds, so more would only wait, and a short load would measure no response. */
const CONNECTIONS = 4;

/** The tool without key, protocol and SDK. */
function toolAlone({ path, account }: Data): Program {
  return {
    name: 'the tool alone',
    args: (port) => [pathTo('tool.mjs'), String(port), path, account],
  };
}

/** A call in the current revision of the protocol. */
function calling({ key }: Data, name: string, args: object): Request {
  const version = '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: args, ['_meta']: meta };
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

function workOf(tool: string, argsOf: (data: Data) => object): Work {
  return {
    name: `mcp-${tool}`,
    title: `an agent's call of ${tool}`,
    targets: [{ count: 'cpuUs', mostOverUs: MOST_OVER_US }],
    measure: async (scene) => {
      const { pace, files } = scene;
      const [data] = files;
      const request = calling(data, tool, argsOf(data));
      const answer = await askOnce(ours(data), request);
      if (answer.status !== 200 || answer.body.includes('"isError"'))
        throw new Refusal(`The call of ${tool} failed, so it cannot be measured.`);
      const programs = [toolAlone(data), bare(answer, noteIn(scene, answer)), ours(data)];
      const contestants = programs.map((program) => ({ ...program, request }));
      return runRounds(contestants, { pace, connections: CONNECTIONS });
    },
  };
}

/** The calls that are measured. */
export const ofAgents: readonly Work[] = [
  // A few days: a search of everything takes so long that its noise hides what is measured.
  workOf('search', () => ({ query: 'budget review', started_after: '2026-08-25' })),
  workOf('fetch', (data) => ({ id: data.ids(1)[0] ?? '' })),
];
