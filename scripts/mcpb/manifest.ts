// The manifest of the bundle for Claude Desktop: what its settings ask for, and how it starts the executable.

import { prompts } from '../../src/agents/prompts.ts';
import { tools } from '../../src/agents/tools/tools.ts';

/** The executable in the bundle. */
export const EXECUTABLE = 'server/memory-gateway';

/** What package.json says about the program. */
export interface About {
  readonly version: string;
  readonly license: string;
  readonly author: string;
  readonly homepage: string;
}

/** A setting that may stay empty. Without a default, hosts leave `${user_config.NAME}` in place. */
const setting = (type: 'string' | 'file', title: string, description: string) => ({
  type,
  title,
  description,
  required: false,
  default: '',
});

/** Returns the manifest, of version 0.3 of the format. The executable runs on one platform. */
export function manifestOf(
  { version, license, author, homepage }: About,
  platform: NodeJS.Platform,
): object {
  const [name = author] = author.split(' <');
  return {
    manifest_version: '0.3',
    name: 'memory-gateway',
    display_name: 'Memory Gateway',
    version,
    description: 'Search, read and quote your recorded conversations',
    long_description:
      'Reads memories from a gateway or from a database on this machine. All tools only read. Fill in either the address and the key of a gateway, or a database.',
    author: { name },
    homepage,
    icon: 'icon.png',
    license,
    keywords: ['memories', 'transcripts', 'self-hosted'],
    server: {
      type: 'binary',
      entry_point: EXECUTABLE,
      mcp_config: {
        command: `\${__dirname}/${EXECUTABLE}`,
        // In one word with its option, an empty setting stays an empty value.
        args: [
          'mcp',
          '--url=${user_config.url}',
          '--database=${user_config.database}',
          '--account=${user_config.account}',
        ],
        env: { MEMORY_GATEWAY_KEY: '${user_config.key}' },
      },
    },
    user_config: {
      url: setting(
        'string',
        'Address of the gateway',
        'Such as https://memories.example. Leave it empty to read a database on this machine.',
      ),
      key: {
        ...setting('string', 'API key', 'The key of your account at the gateway.'),
        sensitive: true,
      },
      database: setting(
        'file',
        'Database',
        'A database on this machine. It counts if there is no address.',
      ),
      account: setting(
        'string',
        'Account',
        'The id of the account in the database, if there are several.',
      ),
    },
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
    prompts: prompts.map((prompt) => ({
      name: prompt.name,
      description: prompt.description,
      arguments: prompt.arguments.map((argument) => argument.name),
      text: prompt.text(
        Object.fromEntries(
          prompt.arguments.map((argument) => [argument.name, `\${arguments.${argument.name}}`]),
        ),
      ),
    })),
    compatibility: { platforms: [platform] },
  };
}
