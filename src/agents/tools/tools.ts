// All tools in the order in which they are listed, their definitions for models, and how they are called.

import type { Tool as ToolDefinition } from '@modelcontextprotocol/server';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

import { Failure } from '../../contract/failure.ts';
import { Cursor } from '../../contract/schemas/parameters.ts';
import { once } from '../../lib/once.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { CursorParameter } from '../parameters.ts';
import { readPlace } from '../place.ts';
import type { CallContext, Tool } from '../tool.ts';
import { checkQuoteTool } from './check-quote.ts';
import { fetchTool } from './fetch-memory.ts';
import { listChangesTool } from './list-changes.ts';
import { listMemoriesTool } from './list-memories.ts';
import { searchTool } from './search-memories.ts';

/** The tools. */
export const tools: readonly Tool[] = [
  searchTool,
  fetchTool,
  listMemoriesTool,
  listChangesTool,
  checkQuoteTool,
];

/** All tools only read, and only what the account has. `idempotentHint` is for tools that write. */
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

/** Returns the definitions of the tools as `tools/list` sends them. */
export const toolDefinitions = once((): ToolDefinition[] =>
  tools.map(({ name, title, description, input }) => ({
    name,
    title,
    description,
    inputSchema: toInputSchema(input),
    annotations: ANNOTATIONS,
  })),
);

function toInputSchema(input: Tool['input']): ToolDefinition['inputSchema'] {
  const { $schema: _, ...schema } = toJsonSchema(input, {
    target: 'draft-2020-12',
    // Functions, grammars and limits, whose descriptions and errors say more.
    ignoreActions: ['check', 'regex', 'max_length', 'min_value', 'max_value'],
  });
  return schema as ToolDefinition['inputSchema'];
}

/**
 * The result of a call: one text, which of an error is a sentence. There is no `structuredContent`, because
 * clients that get both show the model either one or twice the tokens. All of them show a text alone.
 */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  isError?: true;
};

/** Reports an error that is no `Failure`, and returns the failure that the caller gets. */
export type ReportError = (error: unknown) => Failure;

/** A call of a tool. */
export interface ToolCall {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Calls a tool. Never rejects: failures are results, so that the model reads them. */
export async function callTool(
  { tool, args }: ToolCall,
  context: CallContext,
  report: ReportError,
): Promise<ToolResult> {
  try {
    return { content: [{ type: 'text', text: await tool.run(context, args) }] };
  } catch (error) {
    const failure = error instanceof Failure ? error : report(error);
    const text = await sentenceOf(failure, args, context);
    return { content: [{ type: 'text', text }], isError: true };
  }
}

/** What the tools call a parameter that has another name in the API. */
const TOOL_NAMES: Readonly<Record<string, string>> = { q: 'query', memory_id: 'id' };

async function sentenceOf(
  { status, detail }: Failure,
  args: ToolCall['args'],
  context: CallContext,
): Promise<string> {
  if (status === 404) {
    const near = typeof args['id'] === 'string' ? await findNearId(context, args['id']) : undefined;
    return `There is no memory with this id${near === undefined ? '; take ids from search or list_memories.' : `. Did you mean "${near}"?`}`;
  }
  return detail
    .replace(/The parameter "first" is (\d+)/, 'The parameter "id" begins with line $1')
    .replaceAll(
      /(?<!Unknown )parameter "(q|memory_id)"/g,
      (_, name: string) => `parameter "${TOOL_NAMES[name]}"`,
    )
    .replace(takesOf(Cursor), takesOf(CursorParameter.wrapped))
    .replace(/ \(in a query[^)]*\)/, '');
}

/** Returns what an error says that a parameter takes. */
function takesOf(schema: v.GenericSchema): string {
  return v.getDescription(schema) ?? '';
}

/** How many of the newest memories are compared. */
const COMPARED = 1000;

/** How many characters may differ. */
const MAX_TYPOS = 2;

/** Finds the id that a wrong one probably meant, or undefined. Another account's ids make no difference. */
async function findNearId({ api, signal }: CallContext, id: string): Promise<string | undefined> {
  try {
    const { memory_id } = readPlace(id);
    const { items } = await api.memories.page({ fields: ['id'], limit: COMPARED }, { signal });
    const [nearest] = items
      .map((item) => ({ id: item.id, typos: editDistance(item.id, memory_id, MAX_TYPOS) }))
      .filter(({ typos }) => typos <= MAX_TYPOS)
      .toSorted((a, b) => a.typos - b.typos);
    return nearest?.id;
  } catch {
    return undefined; // the sentence is right without it
  }
}
