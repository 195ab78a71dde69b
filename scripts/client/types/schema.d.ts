// The types of schemas, without a schema library: what a call takes, and what it returns.

/** A schema of a value. */
export interface GenericSchema<I = unknown, O = I> {
  readonly '~types'?: { readonly input: I; readonly output: O } | undefined;
}

/** The schemas of an object's properties. */
export type ObjectEntries = Readonly<Record<string, GenericSchema>>;

/** What a schema accepts. */
export type InferInput<S extends GenericSchema> = NonNullable<S['~types']>['input'];

/** What a schema returns. */
export type InferOutput<S extends GenericSchema> = NonNullable<S['~types']>['output'];
