// What schemas say of themselves in the OpenAPI document.

import * as v from 'valibot';

// A pipe is a type of its own: so many of them would cost every program that imports the contract.

/** Says what a value is; the schema stays of its type. */
export function described<S extends v.GenericSchema>(schema: S, text: string): S {
  return v.pipe(schema as v.GenericSchema, v.description(text)) as v.GenericSchema as S;
}

/** Says what a parameter is for; the schema stays of its type. */
export function titled<S extends v.GenericSchema>(schema: S, text: string): S {
  return v.pipe(schema as v.GenericSchema, v.title(text)) as v.GenericSchema as S;
}
