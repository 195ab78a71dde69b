// The APIs of products for meetings, as documented: Fathom, Fireflies, tl;dv, Read AI and Vexa.

import { fathom } from '../../../src/sources/products/fathom.ts';
import { fireflies } from '../../../src/sources/products/fireflies.ts';
import { readai } from '../../../src/sources/products/readai.ts';
import { tldv } from '../../../src/sources/products/tldv.ts';
import { vexa } from '../../../src/sources/products/vexa.ts';
import { pageOf, type Received } from './fake-product.ts';
import {
  between,
  cut,
  find,
  NEVER,
  NOT_FOUND,
  timeOfQuery,
  type ProductApi,
  type Recording,
} from './product-api.ts';

const fathomApi: ProductApi = {
  source: fathom,
  sinceOf: (request) => timeOfQuery(request, 'created_after'),
  answer: (request, recordings, size) => {
    if (request.path !== '/meetings') return NOT_FOUND;
    const [from, to] = [
      timeOfQuery(request, 'created_after'),
      timeOfQuery(request, 'created_before', NEVER),
    ];
    const found = between(recordings, from, to - 1);
    const { items, next = null } = pageOf(found, request.query.get('cursor'), size);
    const hasWords = request.query.get('include_transcript') === 'true';
    const meetings = items.map(({ id, title, at }) => ({
      title,
      recording_id: Number(id),
      url: `https://fathom.example/calls/${id}`,
      created_at: at.toISOString(),
      recording_start_time: at.toISOString(),
      recording_end_time: at.toISOString(),
      transcript: hasWords ? [{ speaker: { display_name: 'Mira' }, text: 'It rains.' }] : null,
      default_summary: null,
      action_items: null,
    }));
    return { body: { limit: size, next_cursor: next, items: meetings } };
  },
};

/** The variables of a GraphQL request. */
function variablesOf({ body }: Received) {
  const { variables } = body as {
    variables: { limit: number; skip: number; fromDate: string | null; toDate: string | null };
  };
  return variables;
}

const firefliesApi: ProductApi = {
  source: fireflies,
  count: 27,
  // GraphQL states errors in the body of a successful response.
  refusal: {
    body: {
      data: null,
      errors: [{ code: 'auth_failed', extensions: { code: 'auth_failed', status: 401 } }],
    },
  },
  sinceOf: (request) => Date.parse(variablesOf(request).fromDate ?? '1970-01-01'),
  answer: (request, recordings) => {
    if (request.path !== '/graphql' || request.method !== 'POST') return NOT_FOUND;
    const { skip, limit, fromDate, toDate } = variablesOf(request);
    const [from, to] = [Date.parse(fromDate ?? '1970-01-01'), Date.parse(toDate ?? NEVER)];
    const found = between(recordings, from, to);
    const transcripts = found.slice(skip, skip + limit).map(({ id, title, at }) => ({
      id,
      title,
      date: at.getTime(),
      duration: 1,
      is_live: false,
      sentences: [{ speaker_name: 'Mira', speaker_id: 0, text: 'It rains.', end_time: 2 }],
      summary: { short_summary: '', overview: '', action_items: null, bullet_gist: null },
    }));
    return { body: { data: { transcripts } } };
  },
};

const tldvApi: ProductApi = {
  source: tldv,
  hasDetails: true,
  refusal: { status: 401, body: { name: 'AuthorizationRequiredError', message: '' } },
  sinceOf: (request) => timeOfQuery(request, 'from'),
  answer: (request, recordings, size) => {
    const toMeeting = ({ id, title, at }: Recording) => ({
      id,
      name: title,
      happenedAt: at.toISOString(),
      duration: 60.5,
    });
    if (request.path !== '/v1alpha1/meetings') {
      const [, , , , part] = request.path.split('/');
      const found = find(recordings, request, /^\/v1alpha1\/meetings\/([^/]+)/);
      if (found === undefined || (part === 'transcript' && found.isPending === true))
        return NOT_FOUND;
      if (part === undefined) return { body: toMeeting(found) };
      // The notes of the first meeting are not there.
      if (part === 'notes' && found.id === '1') return NOT_FOUND;
      if (part === 'notes')
        return { body: { structuredNotes: [], markdownContent: 'Rain.', topics: [] } };
      const data = [{ speaker: 'Mira', text: 'It rains.', startTime: 1, endTime: 2 }];
      return { body: { id: `t${found.id}`, meetingId: found.id, data } };
    }
    const page = Number(request.query.get('page'));
    const [from, to] = [timeOfQuery(request, 'from'), timeOfQuery(request, 'to', NEVER)];
    const found = between(recordings, from, to);
    const results = cut(found, `${(page - 1) * size}`, size).map(toMeeting);
    const pages = Math.ceil(found.length / size);
    return { body: { page, pages, total: found.length, pageSize: size, results } };
  },
};

const readaiApi: ProductApi = {
  source: readai,
  refusal: { status: 401, body: { detail: 'Unauthorized' } },
  sinceOf: ({ query }) => Number(query.get('start_time_ms.gte')),
  answer: (request, recordings, size) => {
    const { path, query } = request;
    if (path !== '/v1/meetings')
      return find(recordings, request, /^\/v1\/meetings\/(.+)$/) ? { body: {} } : NOT_FOUND;
    const before = Number(query.get('start_time_ms.lt') ?? Infinity);
    const found = between(recordings, Number(query.get('start_time_ms.gte') ?? 0), before - 1);
    const { items, next } = pageOf(found, query.get('cursor'), size);
    const hasWords = query.getAll('expand[]').includes('transcript');
    const data = items.map(({ id, title, at }) => ({
      id,
      title,
      start_time_ms: at.getTime(),
      end_time_ms: at.getTime() + 60_000,
      report_url: '',
      ...(hasWords && { transcript: { speakers: [], turns: [], text: '[Mira]: It rains.' } }),
    }));
    return { body: { object: 'list', url: '/v1/meetings', has_more: next !== undefined, data } };
  },
};

const vexaApi: ProductApi = {
  source: vexa,
  hasDetails: true,
  answer: (request, recordings, size) => {
    const toMeeting = ({ id, title, at, changed }: Recording) => ({
      id: Number(id),
      platform: 'google_meet',
      native_meeting_id: 'abc-defg-hij', // the same link for all of them
      status: 'completed',
      start_time: withoutOffset(at),
      end_time: withoutOffset(at),
      data: { name: title },
      created_at: withoutOffset(at),
      updated_at: withoutOffset(changed),
    });
    if (request.path !== '/meetings') {
      const found = find(recordings, request, /^\/transcripts\/by-id\/(\d+)$/);
      if (found === undefined || found.isPending === true) return NOT_FOUND;
      const segments = [{ speaker: 'Mira', text: 'It rains.', start: 0, end: 1, completed: true }];
      return { body: { ...toMeeting(found), segments } };
    }
    return {
      body: { meetings: cut(recordings, request.query.get('offset'), size).map(toMeeting) },
    };
  },
};

/** Vexa writes times in UTC without saying so. */
function withoutOffset(time: Date): string {
  return time.toISOString().replace('Z', '');
}

/** The APIs, in the order of help. */
export const meetingApis: readonly ProductApi[] = [
  fathomApi,
  firefliesApi,
  tldvApi,
  readaiApi,
  vexaApi,
];
