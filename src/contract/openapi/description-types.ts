// Types of the descriptions in the OpenAPI document, and those that several endpoints share.

import type { fileRoutes } from '../file-routes.ts';
import type { Contract, Input } from '../route.ts';
import type { routes } from '../routes.ts';

/** The groups of endpoints. */
export type Groups = typeof routes & typeof fileRoutes;
/** A text for each property. */
export type Descriptions<T> = Readonly<Record<keyof T & string, string>>;

/** The texts of one endpoint. */
export interface EndpointDescription<I = object> {
  readonly description: string;
  /** The content of a 200 response. */
  readonly response: string;
  /** The effect and the default of each parameter. */
  readonly parameters: Descriptions<I>;
  /** Values that a viewer fills in for "Try it out". */
  readonly examples?: Partial<I>;
}

/** The texts of all endpoints. */
export type EndpointDescriptions<C extends Contract> = {
  readonly [G in keyof C]: { readonly [N in keyof C[G]]: EndpointDescription<Input<C[G][N]>> };
};

/** The parameters that choose memories by what their sources knew of them. */
export const facetFilters = {
  person:
    'Only memories with this person, by the whole name. Case and accents are ignored. Repeat it for memories with all of several people. Default: any.',
  tag: 'Only memories with this folder, tag or star, by the whole name. Case and accents are ignored. Default: any.',
  source:
    'Only memories from this product, by the whole name. Case and accents are ignored. Default: any.',
};

/** The parameters that choose memories by their start. */
export const timeFilters = {
  started_after:
    'Only memories that started at this time or later. A date means the start of that day in `timezone`. Default: no limit.',
  started_before:
    'Only memories that started before this time. A date means the start of that day in `timezone`. Default: no limit.',
  timezone: 'Time zone of the dates in `started_after` and `started_before`. Default: `UTC`.',
};
