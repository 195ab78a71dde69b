// Where the app's own endpoints are: the paths under /app/v1 that only its pages need. The reads of /v1 are there, too.

import type { ByEndpoint, Target } from '../../contract/targets.ts';

const get = <const P extends Path>(path: P) => ({ method: 'GET', path }) as const;
const post = <const P extends Path>(path: P) => ({ method: 'POST', path }) as const;
const put = <const P extends Path>(path: P) => ({ method: 'PUT', path }) as const;
const remove = <const P extends Path>(path: P) => ({ method: 'DELETE', path }) as const;
type Path = Target['path'];

/** The endpoints, as the pages see them. */
export const appTargets = {
  me: {
    get: get('/app/v1/me'),
    erase: post('/app/v1/me/erase'),
  },
  ways: {
    get: get('/app/v1/ways'),
  },
  imports: {
    create: post('/app/v1/imports'),
    write: put('/app/v1/imports/{id}/files/{n}'),
    check: post('/app/v1/imports/{id}/check'),
    run: post('/app/v1/imports/{id}/run'),
    get: get('/app/v1/imports/{id}'),
    remove: remove('/app/v1/imports/{id}'),
  },
  sources: {
    list: get('/app/v1/sources'),
    save: post('/app/v1/sources'),
    run: post('/app/v1/sources/{id}/run'),
    remove: remove('/app/v1/sources/{id}'),
  },
  shares: {
    list: get('/app/v1/shares'),
    create: post('/app/v1/shares'),
    revoke: remove('/app/v1/shares/{id}'),
  },
  bookmarks: {
    list: get('/app/v1/bookmarks'),
    set: post('/app/v1/bookmarks/{id}'),
  },
  searches: {
    list: get('/app/v1/searches'),
    set: post('/app/v1/searches'),
    months: post('/app/v1/searches/months'),
    newest: post('/app/v1/searches/newest'),
  },
  lengths: {
    unknown: post('/app/v1/days/unknown'),
  },
  companions: {
    list: post('/app/v1/people/companions'),
  },
  speakers: {
    list: post('/app/v1/people/speakers'),
    said: post('/app/v1/people/said'),
  },
  phrases: {
    find: post('/app/v1/phrases'),
  },
  edits: {
    create: post('/app/v1/edits'),
    list: get('/app/v1/edits'),
    undo: remove('/app/v1/edits/{id}'),
  },
  changes: {
    sources: post('/app/v1/changes/sources'),
  },
  deletions: {
    create: post('/app/v1/deletions'),
    list: get('/app/v1/deletions'),
    get: get('/app/v1/deletions/{id}'),
    undo: post('/app/v1/deletions/undo'),
    empty: remove('/app/v1/deletions'),
  },
  claims: {
    look: post('/app/v1/claims/look'),
    create: post('/app/v1/claims'),
  },
  addresses: {
    list: get('/app/v1/addresses'),
  },
  links: {
    create: post('/app/v1/links'),
    look: post('/app/v1/links/look'),
  },
  sessions: {
    create: post('/app/v1/sessions'),
    list: get('/app/v1/sessions'),
    end: remove('/app/v1/sessions/{id}'),
    endOthers: remove('/app/v1/sessions'),
  },
  keys: {
    list: get('/app/v1/keys'),
    create: post('/app/v1/keys'),
    rotate: post('/app/v1/keys/{id}/rotate'),
    revoke: remove('/app/v1/keys/{id}'),
    reads: get('/app/v1/keys/{id}/reads'),
  },
  grants: {
    list: get('/app/v1/grants'),
    revoke: remove('/app/v1/grants/{id}'),
    reads: get('/app/v1/grants/{id}/reads'),
  },
  consents: {
    look: post('/app/v1/consents/look'),
    allow: post('/app/v1/consents'),
    deny: post('/app/v1/consents/deny'),
  },
  agents: {
    list: get('/app/v1/agents'),
  },
  notes: {
    get: get('/app/v1/memories/{id}/markdown'),
    captions: get('/app/v1/memories/{id}/captions'),
    page: post('/app/v1/memories/{id}/page'),
  },
  challenges: {
    create: post('/app/v1/challenges'),
  },
  passkeys: {
    list: get('/app/v1/passkeys'),
    create: post('/app/v1/passkeys'),
    relabel: post('/app/v1/passkeys/{id}'),
    remove: remove('/app/v1/passkeys/{id}'),
  },
  password: {
    set: post('/app/v1/password'),
    remove: remove('/app/v1/password'),
  },
  events: {
    list: get('/app/v1/events'),
  },
} as const satisfies ByEndpoint<Target>;
