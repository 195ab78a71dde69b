// The APIs of products for one person, as documented: Omi, Granola, Bee, screenpipe and Speakr.

import { bee } from '../../../src/sources/products/bee.ts';
import { granola } from '../../../src/sources/products/granola.ts';
import { omi } from '../../../src/sources/products/omi.ts';
import { screenpipe } from '../../../src/sources/products/screenpipe.ts';
import { speakr } from '../../../src/sources/products/speakr.ts';
import { pageOf } from './fake-product.ts';
import {
  between,
  cut,
  find,
  NEVER,
  NOT_FOUND,
  since,
  timeOfQuery,
  type ProductApi,
  type Recording,
} from './product-api.ts';

const CONVERSATIONS = '/v1/dev/user/conversations';

const omiApi: ProductApi = {
  source: omi,
  refusal: { status: 401, body: { detail: 'Invalid API Key' } },
  sinceOf: (request) => timeOfQuery(request, 'start_date'),
  answer: (request, recordings, size) => {
    if (request.path !== CONVERSATIONS)
      return find(recordings, request, /conversations\/(.+)$/) ? { body: {} } : NOT_FOUND;
    const hasWords = request.query.get('include_transcript') === 'true';
    const [from, to] = [
      timeOfQuery(request, 'start_date'),
      timeOfQuery(request, 'end_date', NEVER),
    ];
    const found = between(recordings, from, to);
    return {
      body: cut(found, request.query.get('offset'), size).map(({ id, at, title }) => ({
        id,
        created_at: at.toISOString(),
        started_at: at.toISOString(),
        finished_at: at.toISOString(),
        structured: { title, overview: '', action_items: [] },
        ...(hasWords && { transcript_segments: [{ text: 'It rains.', speaker_name: 'Mira' }] }),
      })),
    };
  },
};

const granolaApi: ProductApi = {
  source: granola,
  hasDetails: true,
  sinceOf: (request) => timeOfQuery(request, 'updated_after'),
  answer: (request, recordings, size) => {
    if (request.path !== '/v1/notes') {
      const found = find(recordings, request, /^\/v1\/notes\/(.+)$/);
      if (found === undefined || found.isPending === true) return NOT_FOUND;
      const { id, title, at } = found;
      const transcript = [
        { speaker: { name: 'Mira' }, text: 'It rains.', start_time: at, end_time: at },
      ];
      const isAsked = request.query.get('include') === 'transcript';
      return {
        body: {
          id,
          object: 'note',
          title,
          summary_markdown: '',
          transcript: isAsked ? transcript : null,
        },
      };
    }
    const found = since(recordings, timeOfQuery(request, 'updated_after'), 'changed');
    const { items, next = null } = pageOf(found, request.query.get('cursor'), size);
    const notes = items.map(({ id, at, changed }) => ({
      id,
      object: 'note',
      created_at: at.toISOString(),
      updated_at: changed.toISOString(),
    }));
    return { body: { notes, hasMore: next !== null, cursor: next } };
  },
};

const beeApi: ProductApi = {
  source: bee,
  hasDetails: true,
  answer: (request, recordings, size) => {
    const toBee = ({ id, title, at }: Recording) => ({
      id: Number(id),
      start_time: at.getTime(),
      end_time: at.getTime() + 60_000,
      created_at: at.getTime(),
      summary: `They spoke about ${title}.`,
      state: 'COMPLETED',
    });
    if (request.path !== '/v1/conversations') {
      const found = find(recordings, request, /^\/v1\/conversations\/(\d+)$/);
      if (found === undefined || found.isPending === true) return NOT_FOUND;
      const utterances = [{ text: 'It rains.', speaker: 'Mira', spoken_at: found.at.getTime() }];
      const transcriptions = [{ id: 1, realtime: false, utterances }];
      return { body: { conversation: { ...toBee(found), transcriptions }, timezone: 'UTC' } };
    }
    const { items, next = null } = pageOf(recordings, request.query.get('cursor'), size);
    return { body: { conversations: items.map(toBee), next_cursor: next, timezone: 'UTC' } };
  },
};

const screenpipeApi: ProductApi = {
  source: screenpipe,
  refusal: { status: 403, body: { error: 'unauthorized' } },
  marginMs: 300_000,
  sinceOf: (request) => timeOfQuery(request, 'start_time'),
  answer: (request, recordings, size) => {
    const end = Date.parse(request.query.get('end_time') ?? '9999-01-01');
    const found = since(recordings, timeOfQuery(request, 'start_time'));
    const data = found.filter(({ at }) => at.getTime() <= end).slice(0, size);
    return {
      body: {
        data: data.map(({ id, at, title }) => ({
          type: 'Audio',
          content: { chunk_id: Number(id), timestamp: at.toISOString(), transcription: title },
        })),
        pagination: { limit: size, offset: 0, total: found.length },
      },
    };
  },
};

const speakrApi: ProductApi = {
  source: speakr,
  hasDetails: true,
  sinceOf: (request) => timeOfQuery(request, 'updated_since'),
  answer: (request, recordings, size) => {
    const toSpeakr = ({ id, title, at, changed }: Recording) => ({
      id: Number(id),
      title,
      status: 'COMPLETED',
      created_at: at.toISOString(),
      updated_at: changed.toISOString(),
      meeting_date: at.toISOString(),
      audio_duration: 60,
    });
    if (request.path !== '/api/v1/recordings') {
      const found = find(recordings, request, /^\/api\/v1\/recordings\/(\d+)$/);
      if (found === undefined || found.isPending === true) return NOT_FOUND;
      return { body: { ...toSpeakr(found), transcription: '[Mira]: It rains.', summary: '' } };
    }
    const page = Number(request.query.get('page'));
    const found = since(recordings, timeOfQuery(request, 'updated_since'), 'changed');
    return {
      body: {
        recordings: cut(found, `${(page - 1) * size}`, size).map(toSpeakr),
        pagination: { page, per_page: size, has_next: page * size < found.length },
      },
    };
  },
};

/** The APIs, in the order of help. */
export const personalApis: readonly ProductApi[] = [
  omiApi,
  granolaApi,
  beeApi,
  screenpipeApi,
  speakrApi,
];
