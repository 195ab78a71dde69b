// The tools of agents on a bare node:http server, without key, protocol and SDK: what a call of a tool costs by itself.

import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { callTool, tools } from '../../dist/agents/tools/tools.js';
import { openGateway } from '../../dist/gateway/open.js';

const [, , port, database, account] = process.argv;
const gateway = openGateway({ database });
const api = gateway.as(account);

createServer((request, response) => void answer(request, response)).listen(
  Number(port),
  '127.0.0.1',
);

async function answer(request, response) {
  const { params } = await json(request);
  const tool = tools.find(({ name }) => name === params.name);
  const context = { api, now: Date.now(), timezone: 'UTC' };
  const result = await callTool({ tool, args: params.arguments }, context, (error) => {
    throw error;
  });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}
