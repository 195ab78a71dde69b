// Validates the output of a call by the schema of its route.

import * as v from 'valibot';

import type { EndpointCall } from '../contract/create-methods.ts';
import { toParameterText } from '../contract/endpoints.ts';
import { Failure } from '../contract/failure.ts';
import type { ClientRoute } from '../contract/route.ts';
import type { Validate } from './response.ts';

/** Creates the function that validates the output of a call. */
export function createValidate({ endpoint, first }: EndpointCall<ClientRoute>): Validate {
  const schema = outputSchema(endpoint.route, first);
  return (output) => {
    const checked = v.safeParse(schema, output, { abortEarly: true });
    if (checked.success) return checked.output;
    // Only the path is shown: the value is somebody's conversation.
    const where = v.getDotPath(checked.issues[0]) ?? 'root';
    const advice = where.endsWith('transcript')
      ? 'Name the "fields" that the key may read'
      : 'Update client and gateway to the same version';
    const detail = `The response does not match the schema at ${where}. ${advice}.`;
    throw new Failure(200, detail, { reason: 'mismatch' });
  };
}

/** Returns the schema of a response body. With `fields`, or a cursor that carries some, only `id` is required. */
export function outputSchema(
  { output, withFields }: ClientRoute,
  { fields, cursor }: Readonly<Record<string, unknown>>,
): v.GenericSchema {
  const isWhole = fields === undefined && cursor === undefined;
  return withFields === undefined || isWhole
    ? output
    : withFields(fields === undefined ? fields : toParameterText(fields).split(','));
}
