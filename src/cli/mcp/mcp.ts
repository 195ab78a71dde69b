// mcp: serves an AI agent over standard input and output, or prints the configuration of a client.

import type { Command } from '../command.ts';

/** Serves an agent. Its code is loaded only when it runs. */
export const mcpCommand: Command = {
  summary: 'Serve an AI agent over stdio, or configure one',
  about:
    'A client such as Claude Desktop starts this program and talks to it on standard input and output. The memories come from a database, or with --url from a gateway, whose key is read from MEMORY_GATEWAY_KEY.',
  options: ['database', 'account', 'url', 'timezone', 'print', 'install', 'access-log'],
  overrides: {
    account: { unset: 'the only account' },
    url: { unset: 'the database', help: 'Address of a gateway, such as https://memories.example' },
    timezone: { help: 'Time zone of dates, unless the agent names one' },
    'access-log': { help: 'Log one line for each call on standard error, without its arguments' },
  },
  examples: [
    ['Serve the memories of an account', 'memory-gateway mcp --database mine.db --account mira'],
    [
      'Serve the memories at a gateway, with the key in MEMORY_GATEWAY_KEY',
      'memory-gateway mcp --url https://memories.example',
    ],
    [
      'Write the configuration of Claude Desktop on this machine',
      'memory-gateway mcp --install claude-desktop --database mine.db --account mira',
    ],
    [
      'Print what Claude Desktop needs',
      'memory-gateway mcp --print claude-desktop --database mine.db --account mira',
    ],
    [
      'Print what Cursor needs to reach a gateway',
      'memory-gateway mcp --print cursor --url https://memories.example',
    ],
  ],
  run: async (args, context) => {
    const { runMcp } = await import('./run.ts');
    return runMcp(args, context);
  },
};
