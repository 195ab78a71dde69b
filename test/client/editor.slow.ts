// The package in an editor: documentation on hover, short types, and readable compiler errors.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

import type { CallOptions, ClientOptions, FollowOptions } from '../../src/client/index.ts';
import { clientRoutes } from '../../src/contract/client-routes.ts';
import { createApi } from '../../src/contract/create-api.ts';
import { endpointsOf } from '../../src/contract/endpoints.ts';
import {
  changeDescriptions,
  endpointDescriptions,
  groupDescriptions,
  memoryDescriptions,
  summaryDescriptions,
} from '../../src/contract/openapi/descriptions.ts';
import type { ClientRoute } from '../../src/contract/route.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { startLanguageServer } from '../support/project/language-server.ts';
import { ROOT } from '../support/world/program.ts';

const START = `
import { createClient, type Change, type Memory } from 'memory-gateway/client';
import type { CallOptions, ClientOptions, FollowOptions } from 'memory-gateway/client';
export const api = createClient({ baseUrl: 'http://host', apiKey: 'key' });
export declare const memory: Memory;
export declare const change: Change;
export declare const client: ClientOptions;
export declare const call: CallOptions;
export declare const follow: FollowOptions;
`;

let folder = '';
let server: Awaited<ReturnType<typeof startLanguageServer>>;

before(async () => {
  folder = mkdtempSync(join(ROOT, 'test/.example-'));
  const paths = {
    'memory-gateway/client': [join(ROOT, 'src/client/index.ts')],
    'memory-gateway/contract': [join(ROOT, 'src/contract/index.ts')],
  };
  const compilerOptions = { paths, skipLibCheck: true };
  const config = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  server = await startLanguageServer(folder);
});

after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

let files = 0;

/** Returns the hover text for the last `name` in each piece of code. */
async function hoverAll(pieces: readonly (readonly [code: string, name: string])[]) {
  let text = START;
  const indexes = pieces.map(([code, name]) => {
    const index = text.length + code.lastIndexOf(name);
    text += `${code};\n`;
    return index;
  });
  const hover = server.open(`hover-${files++}.ts`, text);
  return Promise.all(indexes.map(hover));
}

/** Asserts that a hover text contains a text or matches a pattern. */
async function shows(cases: readonly (readonly [code: string, name: string, text: string])[]) {
  const shown = await hoverAll(cases.map(([code, name]) => [code, name]));
  // The server does not wrap lines, but comments may.
  const flat = shown.map((text) => text.replaceAll(/\s+/g, ' '));
  for (const [i, [code, name, text]] of cases.entries())
    assert.ok(flat[i]?.includes(text), `${name} in ${code}: ${flat[i]}`);
  return flat;
}

/** A value for each parameter. */
const VALUES: Readonly<Record<string, string>> = {
  limit: '1',
  cursor: "'c'",
  since: "'c'",
  order: "'asc'",
  started_after: "'2026-11-21'",
  started_before: "'2026-11-21'",
  timezone: "'UTC'",
  is_processing: 'true',
  done: 'true',
  owner: "'Mira'",
  q: "'milk'",
  person: "['Mira']",
  tag: "'work'",
  source: "'limitless'",
  fields: "['name']",
  memory_id: "'a'",
  first: '1',
  last: '1',
  max_tokens: '100',
};

/** Returns how a program calls an endpoint: `memories.list`, or `search` for a group that is called itself. */
function callOf(name: string): string {
  const [group = '', member = ''] = name.split('.');
  const routesOfGroup: Readonly<Record<string, ClientRoute>> =
    clientRoutes[group as keyof typeof clientRoutes];
  return routesOfGroup[member]?.isGroupCall ? group : name;
}

type Texts = Readonly<Record<string, Readonly<Record<string, { readonly parameters: object }>>>>;

const parameters = endpointsOf<Route>(routes).flatMap(({ name, route }) => {
  const [group = '', member = ''] = name.split('.');
  const texts = Object.entries((endpointDescriptions as Texts)[group]?.[member]?.parameters ?? {});
  assert.deepEqual(
    texts.map(([key]) => key),
    Object.keys(route.input.entries),
  );
  return texts.map(([key, text]) => ({ name, key, text: String(text) }));
});

describe('An editor shows documentation', () => {
  it('for each group and each endpoint, in the words of the OpenAPI document', async () => {
    await shows([
      ...Object.entries(groupDescriptions).map(
        ([group, text]) => [`api.${group}`, group, text] as const,
      ),
      // A group that is called itself is described as a group.
      ...endpointsOf<Route>(routes)
        .filter(({ name }) => callOf(name) === name)
        .map(
          ({ name, route }) => [`api.${name}`, name.replace(/.*\./, ''), route.summary] as const,
        ),
    ]);
  });

  it('for each method of the client', async () => {
    const api = createApi<ClientRoute>(clientRoutes, () => assert.fail('nothing is called'));
    const methods = Object.entries<object>({ ...api }).flatMap(([group, members]) =>
      Object.keys(members).map((name) => [`api.${group}.${name}`, name] as const),
    );
    assert.ok(methods.length >= 7, String(methods.length));
    for (const [i, text] of (await hoverAll(methods)).entries())
      assert.match(text, /```\n[A-Z][^]{10,}\./, String(methods[i]));
  });

  it('for each parameter, with its default', async () => {
    const shown = await shows(
      parameters.map(({ name, key, text }) => [
        `api.${callOf(name)}({ ${key}: ${VALUES[key]} })`,
        key,
        text,
      ]),
    );
    for (const text of shown) assert.match(text, /Default: .+\.|Required( without `cursor`)?\./);
  });

  it('for each parameter of a page, and of a feed', async () => {
    const methods: Readonly<Record<string, string>> = {
      'memories.list': 'memories.page',
      'changes.list': 'changes.follow',
    };
    await shows(
      parameters
        .filter(({ name, key }) => name in methods && !isOfList(name, key))
        .map(({ name, key, text }) => [
          `api.${methods[name]}({ ${key}: ${VALUES[key]} })`,
          key,
          text,
        ]),
    );
  });

  /** `follow` has no order and no cursor of the latest changes. */
  function isOfList(name: string, key: string): boolean {
    return name === 'changes.list' && ['order', 'cursor'].includes(key);
  }

  it('for each field of a memory, of its summary and of a change', async () => {
    const fields = (value: string, texts: object) =>
      Object.entries(texts).map(
        ([name, text]) => [`${value}.${name}`, name, String(text)] as const,
      );
    await shows([
      ...fields('memory', memoryDescriptions),
      ...fields('memory.summary', summaryDescriptions),
      ...fields('change', changeDescriptions),
    ]);
  });

  it('for each option, with its default', async () => {
    const clientOptions: Record<keyof ClientOptions, string> = {
      baseUrl: 'Required.',
      apiKey: 'Required.',
      timeoutMs: 'Default: 10,000.',
      retries: 'Default: 2.',
      cache: 'Default: none.',
      check: 'Default: true.',
      headers: 'Default: none.',
      onRequest: 'Default: none.',
      onResponse: 'Default: none.',
      onRetry: 'Default: none.',
      fetch: 'Default: the global `fetch`.',
    };
    const callOptions: Record<keyof CallOptions, string> = { signal: 'Default: none.' };
    const followOptions: Record<keyof FollowOptions, string> = {
      ...callOptions,
      everyMs: 'Default: 10,000.',
    };
    const all = { client: clientOptions, call: callOptions, follow: followOptions };
    await shows(
      Object.entries(all).flatMap(([value, options]) =>
        Object.entries(options).map(([name, text]) => [`${value}.${name}`, name, text] as const),
      ),
    );
  });
});

describe('An editor shows short types', () => {
  it('by their names', async () => {
    await shows([
      ['export const a = api', 'a ', 'const a: Api ```'],
      ['export const b = await api.memories.list()', 'b ', 'const b: Memory[] '],
      ['export const c = await api.memories.get({ memory_id: "a" })', 'c ', 'const c: Memory '],
      [
        'export const d = await api.memories.list({ fields: ["name"] })',
        'd ',
        'const d: Pick<Memory, "id" | "name">[]',
      ],
      ['export const e = await api.changes.page()', 'e ', 'const e: Page<Change[], string>'],
      ['export const f = memory.summary', 'f ', 'const f: Summary '],
    ]);
  });
});

describe('The compiler says what is wrong', () => {
  it('in short lines that name the type', async () => {
    const wrong = [
      ['api.memory', "Property 'memory' does not exist on type 'Api'."],
      [
        "api.memories.list({ fields: 'name' })",
        `Type '"name"' is not assignable to type 'NotAllowedWithCursor | readonly (keyof Memory)[] | undefined'.`,
      ],
      [
        "api.memories.get({ memory_id: 'a', fields: 'name' })",
        "Type 'string' is not assignable to type 'readonly (keyof Memory)[]'.",
      ],
      [
        "api.memories.list({ fields: ['titel'] })",
        `Type '"titel"' is not assignable to type 'keyof Memory'.`,
      ],
      [
        "api.memories.page({ cursor: 'c', order: 'asc' })",
        `Type '"asc"' is not assignable to type 'NotAllowedWithCursor'.`,
      ],
      [
        "api.memories.each({ cursor: 'c', q: 'milk' })",
        `Type '"milk"' is not assignable to type 'NotAllowedWithCursor'.`,
      ],
    ] as const;
    const text = START + wrong.map(([code]) => `void (${code});\n`).join('');
    writeFileSync(join(folder, 'wrong.ts'), text);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    const first = START.split('\n').length;
    const lines = stdout.split('\n').filter((line) => line.includes('error TS'));
    const said = lines.map((line) => [
      Number(/wrong\.ts\((\d+)/.exec(line)?.[1]) - first,
      line.replace(/.*error TS\d+: /, ''),
    ]);
    assert.deepEqual(
      said,
      wrong.map(([, message], i) => [i, message]),
    );
  });
});
