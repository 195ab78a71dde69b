// The handler about agents: how their clients are connected to this gateway, for the page with a new key.

import { clients, configurationOf, type ClientName } from '../../../agents/configuration.ts';
import { KEY_PLACEHOLDER } from '../../records.ts';
import type { GroupOf } from '../call.ts';

/** The names of the clients for people. */
const TITLES: Readonly<Record<ClientName, string>> = {
  'claude-code': 'Claude Code',
  'claude-desktop': 'Claude Desktop',
  cursor: 'Cursor',
  vscode: 'VS Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  opencode: 'opencode',
  goose: 'Goose',
  librechat: 'LibreChat',
  'open-webui': 'Open WebUI',
};

/** The handlers about agents. The page puts the key in, so that no response has it a second time. */
export const agents: GroupOf<'agents'> = {
  list: ({ address }) => {
    const url = address.apiUrl.replace(/\/v1$/, '');
    const output = clients.flatMap((client) => {
      const configuration = configurationOf(client, { url, key: KEY_PLACEHOLDER });
      return configuration === undefined ? [] : [{ client: TITLES[client], ...configuration }];
    });
    return { output };
  },
};
