// Where the app's own endpoints are: the paths under /app/v1 that only its pages need. The reads of /v1 are there, too.

import type { ByEndpoint, Target } from '../../contract/targets.ts';

const get = <const P extends string>(path: P) =>
  ({ method: 'GET', path: `/app/v1/${path}` }) as const;
const post = <const P extends string>(path: P) =>
  ({ method: 'POST', path: `/app/v1/${path}` }) as const;
const put = <const P extends string>(path: P) =>
  ({ method: 'PUT', path: `/app/v1/${path}` }) as const;
const remove = <const P extends string>(path: P) =>
  ({ method: 'DELETE', path: `/app/v1/${path}` }) as const;

/** The endpoints, as the pages see them. */
export const appTargets = {
  me: {
    get: get('me'),
    erase: post('me/erase'),
  },
  ways: {
    get: get('ways'),
  },
  imports: {
    create: post('imports'),
    write: put('imports/{id}/files/{n}'),
    check: post('imports/{id}/check'),
    run: post('imports/{id}/run'),
    get: get('imports/{id}'),
    remove: remove('imports/{id}'),
  },
  sources: {
    list: get('sources'),
    save: post('sources'),
    run: post('sources/{id}/run'),
    remove: remove('sources/{id}'),
  },
  shares: {
    list: get('shares'),
    create: post('shares'),
    revoke: remove('shares/{id}'),
  },
  bookmarks: {
    list: get('bookmarks'),
    set: post('bookmarks/{id}'),
  },
  searches: {
    list: get('searches'),
    set: post('searches'),
    months: post('searches/months'),
    newest: post('searches/newest'),
    lacked: post('searches/lacked'),
  },
  lengths: {
    unknown: post('days/unknown'),
  },
  companions: {
    list: post('people/companions'),
  },
  speakers: {
    list: post('people/speakers'),
    said: post('people/said'),
  },
  phrases: {
    find: post('phrases'),
  },
  edits: {
    create: post('edits'),
    list: get('edits'),
    undo: remove('edits/{id}'),
  },
  changes: {
    sources: post('changes/sources'),
  },
  deletions: {
    create: post('deletions'),
    list: get('deletions'),
    get: get('deletions/{id}'),
    undo: post('deletions/undo'),
    empty: remove('deletions'),
  },
  claims: {
    look: post('claims/look'),
    create: post('claims'),
  },
  addresses: {
    list: get('addresses'),
  },
  links: {
    create: post('links'),
    look: post('links/look'),
  },
  sessions: {
    create: post('sessions'),
    list: get('sessions'),
    end: remove('sessions/{id}'),
    endOthers: remove('sessions'),
  },
  keys: {
    list: get('keys'),
    create: post('keys'),
    rotate: post('keys/{id}/rotate'),
    revoke: remove('keys/{id}'),
    reads: get('keys/{id}/reads'),
  },
  grants: {
    list: get('grants'),
    revoke: remove('grants/{id}'),
    reads: get('grants/{id}/reads'),
  },
  consents: {
    look: post('consents/look'),
    allow: post('consents'),
    deny: post('consents/deny'),
  },
  agents: {
    list: get('agents'),
  },
  notes: {
    get: get('memories/{id}/markdown'),
    captions: get('memories/{id}/captions'),
    page: post('memories/{id}/page'),
  },
  challenges: {
    create: post('challenges'),
  },
  passkeys: {
    list: get('passkeys'),
    create: post('passkeys'),
    relabel: post('passkeys/{id}'),
    remove: remove('passkeys/{id}'),
  },
  password: {
    set: post('password'),
    remove: remove('password'),
  },
  events: {
    list: get('events'),
  },
} as const satisfies ByEndpoint<Target>;
