// The handler about agents: how their clients are connected to this gateway, for the page with a new key.

import { clients, configurationOf, titleOf } from '../../../agents/configuration.ts';
import { KEY_PLACEHOLDER } from '../../records.ts';
import type { GroupOf } from '../call.ts';

/** The handlers about agents. The page puts the key in, so that no response has it a second time. */
export const agents: GroupOf<'agents'> = {
  list: ({ address }) => {
    const url = address.apiUrl.replace(/\/v1$/, '');
    const output = clients.flatMap((client) => {
      const configuration = configurationOf(client, { url, key: KEY_PLACEHOLDER });
      return configuration === undefined ? [] : [{ client: titleOf(client), ...configuration }];
    });
    return { output };
  },
};
