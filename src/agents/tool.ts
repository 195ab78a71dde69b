// The type of a tool, what it knows about its call, and how its arguments are checked.

import * as v from 'valibot';

import type { Api } from '../contract/api.ts';
import { checkInput, entryOf, toType, unknownInput, type Values } from '../contract/check-input.ts';
import type { InputSchema } from '../contract/route.ts';

/** What every call knows. */
export interface CallContext {
  /** The API of the account. */
  readonly api: Api;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The zone of dates if the call names none. */
  readonly timezone: string;
  /** The URL of the reader of memories, without a slash at its end. Default: none. */
  readonly readerUrl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Lets other requests run, in the middle of long work. Default: it does not pause. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** A tool: data for the list of tools, and a function. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The parameters of the tool. Each has a description. */
  readonly input: InputSchema<object>;
  /** Resolves with the text of the response. Rejects with `Failure`. */
  readonly run: (context: CallContext, args: Values) => Promise<string>;
}

/** Creates a tool whose arguments have the types of its parameters. */
export function createTool<const E extends v.ObjectEntries>({
  run,
  parameters,
  ...about
}: Omit<Tool, 'run' | 'input'> & {
  readonly parameters: E;
  readonly run: (
    context: CallContext,
    args: v.InferOutput<v.StrictObjectSchema<E, undefined>>,
  ) => Promise<string>;
}): Tool {
  const input = v.strictObject(parameters);
  return {
    ...about,
    input,
    run: async (context, args) =>
      run(context, checkInput(input, readArguments(input, args), 'tool')),
  };
}

/** Returns arguments in the types of a schema. Throws a 422 if one has no parameter. */
function readArguments(input: Tool['input'], args: Values): Values {
  const values = Object.entries(args).map(([name, value]) => {
    if (!Object.hasOwn(input.entries, name)) throw unknownInput(input, name, 'tool');
    return [name, readArgument(entryOf(input, name), isLeftOut(input, name, value) ? null : value)];
  });
  return Object.fromEntries(values);
}

/** Models and proxies send an empty text, or 0, for what they leave out. No parameter of a tool has such a value. */
function isLeftOut(input: Tool['input'], name: string, value: unknown): boolean {
  const isEmpty = value === 0 || value === '0' || (typeof value === 'string' && !value.trim());
  return isEmpty && input.entries[name]?.type === 'optional';
}

/** Models write numbers and booleans as text, and null for what they leave out. */
function readArgument(schema: v.GenericSchema, value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'string') return value;
  return toType(schema, schema.type === 'boolean' ? value.toLowerCase() : value);
}
