// Descriptions of details, people, tags and action items in the OpenAPI document.

import type { Details } from '../schemas/details.ts';
import type { FoundItem, PersonTotals, TagTotals } from '../schemas/facets.ts';
import {
  timeFilters,
  type Descriptions,
  type EndpointDescriptions,
  type Groups,
} from './description-types.ts';

/** The fields of details. */
export const detailsDescriptions: Descriptions<Details> = {
  memory_id: 'The id of the memory.',
  source:
    'Where the memory is from: product, format, the id and the address there, and when it was imported.',
  language: 'The language, as the source names it.',
  line_starts_ms:
    'When each line of the transcript starts, in milliseconds from `started_at`. `null` if it is not known. A key that reads summaries only gets `null`.',
  audio: 'Where the sound is.',
  people: 'Who took part, with their role, and how much they said.',
  tags: 'The folders, tags and stars of the source.',
  chapters: 'The chapters, with the line at which each begins.',
  action_items: 'What the source found to do.',
  corrections: 'What was put right since the import.',
  original: 'What the memory was made from, if it was kept.',
};

/** The fields of a person. */
export const personDescriptions: Descriptions<PersonTotals> = {
  name: 'The name, as the latest memory has it.',
  memories: 'How many memories have the person.',
  lines: 'How many lines the person says.',
  words: 'How many words the person says.',
  speaking_ms: 'How long the person speaks, in milliseconds. `null` if it is known of no memory.',
  first_at: 'When the first of these memories started.',
  last_at: 'When the last of these memories started.',
};

/** The fields of a tag or a source. */
export const tagDescriptions: Descriptions<TagTotals> = {
  name: 'The name, as the latest memory has it.',
  kind: 'What it is: `folder`, `tag`, `star` or `source`.',
  memories: 'How many memories have it.',
  first_at: 'When the first of these memories started.',
  last_at: 'When the last of these memories started.',
};

/** The fields of an action item. */
export const itemDescriptions: Descriptions<FoundItem> = {
  memory_id: 'The id of the memory.',
  name: 'The name of the memory.',
  started_at: 'When the recording began, in UTC with three decimals.',
  text: 'What is to be done.',
  owner: 'Who is to do it. `null` if the source does not say.',
  due: 'When it is due, as the source has it. `null` if it does not say.',
  done: 'Whether it is done. `null` if the source does not say.',
  line: 'The line of the transcript, counted from 1. `null` if it is not known.',
};

type Endpoints = EndpointDescriptions<Groups>;

/** The endpoint of the details of a memory. */
export const detailsEndpoint: Endpoints['memories']['details'] = {
  description:
    'What the source knew of a memory besides its fields. An import from before there were details left none: then only `memory_id` is known. If the key may read summaries only, times and numbers of lines are `null`.',
  response: 'The details. All fields are always present.',
  parameters: { memory_id: 'The id of the memory.' },
};

/** The endpoint of what a memory was made from. */
export const originalEndpoint: Endpoints['memories']['original'] = {
  description:
    'The bytes as they were imported, in their own media type: a file, or the part of an export that the memory was made from. If no original was kept, the response is 404. If the key may read summaries only, it is 403.',
  response: 'The original. A browser saves it under the name in `content-disposition`.',
  parameters: { memory_id: 'The id of the memory.' },
};

/** The endpoint of the recording of a memory. */
export const audioEndpoint: Endpoints['memories']['audio'] = {
  description:
    'The recording as it lies on the server, if the operator has named its folder. If there is none, the response is 404. If the key may read summaries only, it is 403.',
  response: 'The recording, in its own media type.',
  parameters: { memory_id: 'The id of the memory.' },
};

/** The parameters of lists in pages. */
const pages = {
  limit: "Page size. Default: the cursor's page size, or all.",
  cursor:
    'Opaque token for the next page, copied from the `link` header. Only `limit` may accompany it. Default: the first page.',
};

/** The endpoints of lists. */
export const detailEndpoints: Pick<Endpoints, 'people' | 'tags' | 'actionItems'> = {
  people: {
    list: {
      description:
        'Names that differ in case and accents alone are one person. With `limit` you get one page, and the `link` header has the URL of the next page while more follow.',
      response: 'The people, those with the most memories first.',
      parameters: {
        ...pages,
        q: 'Only people whose name has this text. Case and accents are ignored. Default: all.',
        ...timeFilters,
      },
      examples: { limit: 20 },
    },
  },
  tags: {
    list: {
      description:
        'A source is a product, or a format if it is not known which product wrote a file.',
      response: 'The tags and the sources, those with the most memories first.',
      parameters: timeFilters,
    },
  },
  actionItems: {
    list: {
      description:
        'Each item is as its source has it. With `limit` you get one page, and the `link` header has the URL of the next page while more follow.',
      response: 'The items, those of the newest memories first.',
      parameters: {
        ...pages,
        done: '`true` lists only items that are done, `false` only those that are not. Default: all, also those of which the source does not say.',
        owner:
          'Only items of the person with this name. Case and accents are ignored. Default: all.',
        ...timeFilters,
      },
      examples: { limit: 20 },
    },
  },
};
