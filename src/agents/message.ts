// Checks the parameters of a message before the SDK does, whose errors are dumps of its schemas.

import * as v from 'valibot';

/** A request of JSON-RPC, as far as it is checked. */
interface RpcRequest {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** The error for a request, as JSON-RPC sends it. */
export interface RpcError {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

const INVALID_PARAMS = -32_602;

/** Creates an error. Without an id it answers a message that could not be read. */
export function rpcError(
  code: number,
  message: string,
  id: string | number | null = null,
): RpcError {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

const Named = v.custom<object>(isNamed);
const text = v.string();
const list = { cursor: v.optional(text) };
const CURSOR = 'Send the cursor of an earlier list, or none.';

/** The parameters of each method, and the sentence for others. */
const METHODS: Readonly<Record<string, readonly [v.ObjectEntries, string]>> = {
  initialize: [
    {
      protocolVersion: text,
      capabilities: Named,
      clientInfo: v.object({ name: text, version: text }),
    },
    'Send protocolVersion, capabilities, and clientInfo with a name and a version.',
  ],
  'tools/call': [
    { name: text, arguments: v.optional(Named) },
    'Send the name of a tool, and its arguments as an object with their names.',
  ],
  'prompts/get': [
    { name: text, arguments: v.optional(v.pipe(Named, v.record(text, text))) },
    'Send the name of a prompt, and its arguments as an object of texts.',
  ],
  'resources/read': [{ uri: text }, 'Send the uri of a resource, such as memory://ID.'],
  'tools/list': [list, CURSOR],
  'prompts/list': [list, CURSOR],
  'resources/list': [list, CURSOR],
  'resources/templates/list': [list, CURSOR],
};

/** A message of the era that carries its version in each request. */
export const Modern = v.object({
  params: v.object({
    ['_meta']: v.object({ 'io.modelcontextprotocol/protocolVersion': v.unknown() }),
  }),
});

/** Returns whether a value is an object with names. */
export function isNamed(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns a message without the empty values that clients send for what they leave out, or the error for
 * parameters of another form. Other messages are returned as they are.
 */
export function checkMessage<T extends RpcRequest>(message: T): T | RpcError {
  const { id, method, params = {} } = message;
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof method !== 'string')
    return message;
  const [entries, sentence] = (Object.hasOwn(METHODS, method) && METHODS[method]) || [];
  if (entries === undefined || sentence === undefined) return message;
  // The SDK says that this era has no `initialize`.
  if (method === 'initialize' && v.is(Modern, message)) return message;
  const cleaned = isNamed(params) ? withoutEmpty(method, params) : params;
  if (!v.is(v.object({ ...entries, ['_meta']: v.optional(Named) }), cleaned))
    return rpcError(INVALID_PARAMS, sentence, id);
  return message.params === undefined ? message : { ...message, params: cleaned };
}

/** Removes empty arguments and cursors. Arguments of prompts are texts, so numbers are written as such. */
function withoutEmpty(method: string, params: object): object {
  const { arguments: given, cursor, ...rest } = params as Record<string, unknown>;
  const args = method === 'prompts/get' && isNamed(given) ? textsOf(given) : given;
  return {
    ...rest,
    ...(isEmpty(args) ? {} : { arguments: args }),
    ...(isEmpty(cursor) ? {} : { cursor }),
  };
}

function textsOf(args: object): object {
  const filled = Object.entries(args).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(
    filled.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]),
  );
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
