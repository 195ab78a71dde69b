// The resources: a memory as Markdown, the newest memories as a list, and a page that teaches the tools.

import { Failure } from '../contract/failure.ts';
import { toMarkdown } from '../formats/markdown/markdown.ts';
import { beginning } from '../text/surrogates.ts';
import { readPlace } from './place.ts';
import { showText, showTitle } from './show.ts';
import { SKILL } from './skill.ts';
import type { CallContext } from './tool.ts';
import { ABOUT_FIELDS, NO_TRANSCRIPT, unlessRefused } from './tools/memory-parts.ts';

/** The URI of the page about the tools. */
export const SKILL_URI = 'memory-gateway://skill/SKILL.md';

/** The URI template of a memory. */
export const MEMORY_TEMPLATE = {
  uriTemplate: 'memory://{id}',
  name: 'memory',
  title: 'A memory',
  description: 'A memory as Markdown: summary, action items and transcript.',
  mimeType: 'text/markdown',
};

const SKILL_RESOURCE = {
  uri: SKILL_URI,
  name: 'SKILL.md',
  title: 'How to use the memories',
  description: 'How an agent finds, reads and quotes memories.',
  mimeType: 'text/markdown',
};

/** How many memories a list has. */
const PAGE = 50;

/** The longest Markdown, in characters: about 20,000 tokens. */
const MAX_MARKDOWN = 60_000;

/** Lists the newest memories as resources, the page about the tools first. */
export async function listResources({ api, signal }: CallContext, cursor: string | undefined) {
  const { items, next } = await (cursor === undefined
    ? api.memories.page({ limit: PAGE, fields: ['name', 'started_at'] }, { signal })
    : api.memories.page({ limit: PAGE, cursor }, { signal }));
  const memories = items.map(({ id, name, started_at }) => ({
    uri: `memory://${id}`,
    name: id,
    title: showTitle(name),
    description: started_at,
    mimeType: 'text/markdown',
  }));
  return {
    resources: cursor === undefined ? [SKILL_RESOURCE, ...memories] : memories,
    ...(next === undefined ? {} : { nextCursor: next }),
  };
}

/** Reads a resource. Rejects with a 404 or 422 if there is none with this URI. */
export async function readResource({ api, signal }: CallContext, uri: string) {
  if (uri === SKILL_URI) return contents(uri, SKILL);
  const { memory_id } = readPlace(uri.startsWith('memory://') ? uri : '#');
  const fields = [...ABOUT_FIELDS, 'transcript'] as const;
  const whole = await unlessRefused(api.memories.get({ memory_id, fields }, { signal }));
  const memory = whole ?? (await api.memories.get({ memory_id, fields: ABOUT_FIELDS }, { signal }));
  const { action_items } = await api.memories.details({ memory_id }, { signal });
  const markdown = toMarkdown({ transcript: '', ...memory, action_items }, () => false).text;
  const text = showText(whole === undefined ? `${markdown}\n${NO_TRANSCRIPT}\n` : markdown);
  if (text.length <= MAX_MARKDOWN) return contents(uri, text);
  const part = beginning(text, MAX_MARKDOWN);
  return contents(
    uri,
    `${part.slice(0, part.lastIndexOf('\n'))}\n\n---\n\nThese are the first ${MAX_MARKDOWN} of ${text.length} characters. Read on with the tool fetch.\n`,
  );
}

function contents(uri: string, text: string) {
  return { contents: [{ uri, mimeType: 'text/markdown', text }] };
}

/** Returns whether an error says that a resource does not exist. */
export function isNoResource(error: unknown): boolean {
  return error instanceof Failure && (error.status === 404 || error.status === 422);
}
