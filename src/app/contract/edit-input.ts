// The input of an edit, which the app's endpoint and the command share.

import * as v from 'valibot';

import { Label } from '../../contract/schemas/label.ts';
import { MemoryId, Timestamp } from '../../contract/schemas/memory.ts';
import { OldSpeaker, renamedTwice, SpeakerName } from '../../store/details/new-correction.ts';

/** What is to be put right in a memory. Without `memory_id`: speakers, in all memories and those of later imports. */
export const NewEdit = v.pipe(
  v.strictObject({
    memory_id: v.optional(MemoryId),
    name: v.optional(Label),
    started_at: v.optional(
      v.pipe(Timestamp, v.description('a UTC time such as 2026-11-18T09:00:00.000Z')),
    ),
    speakers: v.optional(
      v.pipe(
        v.array(v.strictObject({ from: OldSpeaker, to: SpeakerName })),
        v.minLength(1),
        v.check((speakers) => renamedTwice(speakers.map(({ from }) => from)) === undefined),
        v.everyItem(({ from, to }) => from !== to, 'Give each speaker another name.'),
        v.description(
          `a list of speakers, each once, with "from" and another name as "to": ${v.getDescription(SpeakerName)}`,
        ),
      ),
    ),
  }),
  v.check(
    ({ name, started_at, speakers }) => (name ?? started_at ?? speakers) !== undefined,
    'Send "name", "started_at" or "speakers".',
  ),
  v.check(
    ({ memory_id, name, started_at }) =>
      memory_id !== undefined || (name ?? started_at) === undefined,
    'Send "memory_id" with a name or a start, because only speakers can be edited in all memories.',
  ),
);

/** What is to be put right in a memory. */
export type NewEdit = v.InferOutput<typeof NewEdit>;
