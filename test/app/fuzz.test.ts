// Random input for the app's own endpoints: every response is one of the contract's, and none is an internal error.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';
import * as v from 'valibot';

import { appRoutes } from '../../src/app/contract/app-routes.ts';
import { endpointsOf } from '../../src/contract/endpoints.ts';
import type { Route } from '../../src/contract/route.ts';
import { cookieOf, createAppWorld, NO_STORE } from '../support/app/app-world.ts';
import { anything } from '../support/model/arbitrary-text.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { cases } from '../support/world/thorough.ts';

const endpoints = new Map(endpointsOf<Route>(appRoutes).map(({ name, route }) => [name, route]));
/** The statuses that every endpoint may have. */
const ALWAYS = [400, 403, 404, 411, 413, 415, 422, 429, 503];

describe('Random input', () => {
  it('gets a response of the contract from every endpoint of the app', async (t) => {
    const { signIn, port, log } = await createAppWorld(t);
    const { jar } = await signIn();
    const cookie = cookieOf(jar);
    const origin = `http://127.0.0.1:${port}`;
    const names = ['label', 'expires_at', 'grace', 'secret', 'way', 'password', 'account', 'id'];
    const more = ['client_data', 'authenticator_data', 'signature', 'public_key', 'algorithm', 'x'];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('link', 'passkey', 'password', 'A'.repeat(43), '__proto__', '\0', -7, 1e308),
    );
    const object = fc.dictionary(fc.constantFrom(...names, ...more), value, { maxKeys: 6 });
    const body = fc.oneof(
      { weight: 8, arbitrary: object.map((each) => JSON.stringify(each)) },
      anything,
      fc.json(),
    );
    const segment = fc.oneof(
      fc.constantFrom('current', '..', '%00', '%2f', 'a', '~', '%ff'),
      fc.stringMatching(/^[\w.~%-]{1,20}$/),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...endpoints.keys()),
        body,
        segment,
        async (name, text, id) => {
          const route = endpoints.get(name);
          assert.ok(route);
          const { method, path, output, failures } = route;
          // The session has to last.
          if (name === 'sessions.end' || name === 'sessions.create') id = 'none';
          const answer = await send(port, {
            method,
            path: path.replace('{id}', id),
            headers: { cookie, origin, 'content-type': 'application/json' },
            body: method === 'GET' ? undefined : text,
          });
          if (answer.status === 204) return;
          if (answer.status === 200) assert.ok(v.is(output, JSON.parse(answer.text)), name);
          else {
            const said = assertFailure(answer, answer.status, name, NO_STORE);
            const documented = [...ALWAYS, ...failures];
            assert.ok(documented.includes(answer.status), `${name} ${answer.status} ${said}`);
          }
        },
      ),
      { numRuns: cases(400) },
    );
    assert.deepEqual(
      log.filter(({ message }) => message === 'request failed'),
      [],
    );
  });
});
