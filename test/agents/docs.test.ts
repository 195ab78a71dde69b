// The manual about agents is complete: every tool, parameter and client, and the page that agents get.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';

import { clients, clientTitle, configurationOf } from '../../src/agents/clients/configuration.ts';
import { prompts } from '../../src/agents/prompts.ts';
import { INSTRUCTIONS, SKILL } from '../../src/agents/skill.ts';
import { tools } from '../../src/agents/tools/tools.ts';
import { clientFile } from '../../src/cli/mcp/client-files.ts';
import { ROOT } from '../support/world/program.ts';

const page = (path: string) => readFileSync(join(ROOT, 'docs', path), 'utf8');

describe('The manual about agents', () => {
  it('has a section for each tool, with all of its parameters and no others', () => {
    const reference = page('reference/agents.md');
    for (const { name, input } of tools) {
      const section = reference.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
      const rows = section.split('\n').filter((line) => line.startsWith('| `'));
      const named = rows.flatMap((row) =>
        Array.from(row.split('|')[1]?.matchAll(/`(\w+)`/g) ?? [], ([, each]) => each),
      );
      assert.deepEqual(new Set(named), new Set(Object.keys(input.entries)), name);
    }
    for (const { name, arguments: args } of prompts)
      assert.ok(reference.includes(`\`${name}\` (\`${args[0]?.name}\`)`), name);
  });

  it('has a page for each client, with what the program prints for it', () => {
    for (const client of clients) {
      const text = page(`howto/agents/${client}.md`);
      assert.match(text, /written from documentation, not tried/, client);
      for (const connection of [
        { url: 'https://memories.example' },
        { args: ['--database', '/home/mira/mine.db', '--account', 'mira'] },
      ]) {
        const configuration = configurationOf(client, connection);
        if (configuration === undefined) continue;
        assert.ok(text.includes(configuration.text), client);
        assert.ok(text.includes(configuration.place), client);
      }
      assert.ok(page('howto/agents.md').includes(`](agents/${client}.md)`), client);
    }
  });

  it('says how to remove the server from each client, and from each file that --install writes', () => {
    const text = page('howto/uninstall.md');
    for (const client of clients) {
      assert.ok(text.includes(clientTitle(client)), client);
      const file = clientFile(client, {});
      if (file !== undefined) assert.ok(text.includes(basename(file.path)), file.path);
    }
  });

  it('has the page that agents get as a resource', () => {
    assert.equal(page('SKILL.md'), SKILL);
    for (const { name } of tools) {
      assert.ok(SKILL.includes(`\`${name}\``), name);
      assert.ok(INSTRUCTIONS.includes(name), name);
    }
    assert.ok(Buffer.byteLength(INSTRUCTIONS) < 2000);
  });

  it('never prints a key, except one that a page shows once', () => {
    for (const client of clients) {
      const url = 'https://memories.example';
      const { text } = configurationOf(client, { url }) ?? { text: '' };
      assert.match(text, /MEMORY_GATEWAY_KEY|YOUR_API_KEY|memories-key/, client);
      const { text: own } = configurationOf(client, { url, key: 'mem_x' }) ?? { text: '' };
      assert.match(own, /mem_x/, client);
      assert.doesNotMatch(own, /YOUR_API_KEY|promptString/, client);
    }
  });
});
