// The type of a tool, what it knows about its call, and how its arguments are checked.

import * as v from 'valibot';

import type { Api } from '../contract/api.ts';
import { Failure } from '../contract/failure.ts';
import { suggestName } from '../contract/suggest-name.ts';

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

/** The parameters of a tool by name. Each has a description. */
export type Parameters = Readonly<Record<string, v.GenericSchema>>;

/** The arguments of a tool after their check. */
export type Arguments<P extends Parameters> = {
  readonly [N in keyof P]: v.InferOutput<P[N]>;
};

/** A tool: data for the list of tools, and a function. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Parameters;
  /** Resolves with the JSON of the response. Rejects with `Failure`. */
  readonly run: (context: CallContext, args: Readonly<Record<string, unknown>>) => Promise<object>;
}

/** Creates a tool whose arguments have the types of its parameters. */
export function createTool<const P extends Parameters>({
  run,
  ...about
}: Omit<Tool, 'run' | 'parameters'> & {
  readonly parameters: P;
  readonly run: (context: CallContext, args: Arguments<P>) => Promise<object>;
}): Tool {
  return {
    ...about,
    run: async (context, args) => run(context, checkArguments(about.parameters, args)),
  };
}

/** Returns checked arguments. Throws a 422 that names the parameter, and what it takes or what was probably meant. */
function checkArguments<P extends Parameters>(
  parameters: P,
  given: Readonly<Record<string, unknown>>,
): Arguments<P> {
  const names = Object.keys(parameters);
  for (const name of Object.keys(given))
    if (!Object.hasOwn(parameters, name)) throw unknownParameter(name, names);
  const checked: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(parameters)) {
    const value = toType(schema, given[name]);
    const result = v.safeParse(schema, value);
    if (result.success) checked[name] = result.output;
    else {
      const takes = v.getDescription(innerOf(schema)) ?? '';
      throw new Failure(
        422,
        value === undefined
          ? `Send the parameter "${name}": ${takes}.`
          : `The parameter "${name}" takes ${takes}.`,
      );
    }
  }
  return checked as Arguments<P>;
}

/** Returns a schema without the wrapper that makes it optional. */
function innerOf(schema: v.GenericSchema & { wrapped?: v.GenericSchema }): v.GenericSchema {
  return schema.wrapped ?? schema;
}

/** Models write numbers and booleans as text, and null for what they leave out. */
function toType(schema: v.GenericSchema, value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'string') return value;
  const { type } = innerOf(schema);
  if (type === 'number' && /^(0|[1-9]\d{0,9})$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return value;
}

/** How many characters of an unknown name an error repeats. */
const MAX_SHOWN = 40;

function unknownParameter(name: string, names: readonly string[]): Failure {
  const shown = name.slice(0, MAX_SHOWN).replaceAll(/[^\x21-\x7e]/g, '?');
  const meant = suggestName(shown, names);
  const advice =
    meant === undefined ? `This tool takes ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  return new Failure(422, `Unknown parameter "${shown}". ${advice}`);
}
