// Types of selected fields and of changes: programs that compile, and programs that must not. Checked by tsc, never run.

import type { Api, FollowOptions, Page } from '../../src/contract/api.ts';
import type { Change, Memory, MemoryField } from '../../src/contract/schemas/memory.ts';

declare const api: Api;
const { signal } = new AbortController();

/** Compiles only if both types are equal, not if one is merely assignable to the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;
function same<A, B>(_: Same<A, B>): void {}

type Named = Pick<Memory, 'id' | 'name'>;
type Slim = Omit<Memory, 'transcript'>;

// `fields` selects the fields of each result, which always include the id.
const list = api.memories.list({ fields: ['id', 'name'], limit: 1 });
const noId = api.memories.list({ fields: ['name'] });
const one = api.memories.get({ memory_id: 'a', fields: ['name'] }, { signal });
const page = api.memories.page({ fields: ['name'], q: 'milk', order: 'asc' });
const each = api.memories.each({ fields: ['name'], is_processing: false });
same<typeof list, Promise<Named[]>>(true);
same<typeof noId, Promise<Named[]>>(true);
same<typeof one, Promise<Named>>(true);
same<typeof page, Promise<Page<Named[]>>>(true);
same<typeof each, AsyncGenerator<Named, void, undefined>>(true);

// Without `fields` a result has all fields.
const whole = api.memories.get({ memory_id: 'a' });
const noFields = api.memories.list({ fields: undefined, started_after: '2026-11-21' });
same<typeof whole, Promise<Memory>>(true);
same<typeof noFields, Promise<Memory[]>>(true);

// Names in a constant.
const slimFields = [
  'id',
  'name',
  'started_at',
  'ended_at',
  'is_processing',
  'user_id',
  'duration_seconds',
  'summary',
] as const satisfies MemoryField[];
const slim = api.memories.list({ fields: slimFields });
export const slimList: Promise<Slim[]> = slim;
// @ts-expect-error: a slim memory has no transcript
void slim.then(([first]) => first?.transcript);

// Names that are only known at run time: any field may be missing except the id.
declare const some: MemoryField[];
declare const few: ('name' | 'summary')[];
declare const texts: string[];
declare const perhaps: MemoryField[] | undefined;
const any = api.memories.get({ memory_id: 'a', fields: some });
const either = api.memories.get({ memory_id: 'a', fields: few });
const maybe = api.memories.get({ memory_id: 'a', fields: perhaps });
export const anyId: Promise<string> = any.then(({ id }) => id);
export const anyName: Promise<string | undefined> = any.then(({ name }) => name);
// @ts-expect-error: the name may be missing
export const anyNamed: Promise<string> = any.then(({ name }) => name);
// @ts-expect-error: the name may be missing
export const eitherNamed: Promise<string> = either.then(({ name }) => name);
export const eitherName: Promise<string | undefined> = either.then(({ name }) => name);
// @ts-expect-error: the transcript is not among them
void either.then(({ transcript }) => transcript);
// @ts-expect-error: the name may be missing
export const maybeNamed: Promise<string> = maybe.then(({ name }) => name);

// A cursor contains its fields, so a program names them again for the types.
const next = api.memories.page<'id' | 'name'>({ cursor: 'c' });
const rest = api.memories.each<'name'>({ cursor: 'c' });
const cut = api.memories.list<'name'>({ cursor: 'c' });
same<typeof next, Promise<Page<Named[]>>>(true);
same<typeof rest, AsyncGenerator<Named, void, undefined>>(true);
same<typeof cut, Promise<Named[]>>(true);
// @ts-expect-error: no such field
void api.memories.page<'titel'>({ cursor: 'c' });

// @ts-expect-error: no such field
void api.memories.list({ fields: ['titel'] });
// @ts-expect-error: no such field among others
void api.memories.each({ fields: ['id', 'titel'] });
// @ts-expect-error: fields are a list of names
void api.memories.get({ memory_id: 'a', fields: 'name' });
// @ts-expect-error: names that may be any text
void api.memories.get({ memory_id: 'a', fields: texts });
// @ts-expect-error: a switch is true or false
void api.memories.list({ is_processing: 'true' });
// @ts-expect-error: a moment is text
void api.memories.list({ started_after: new Date() });
// @ts-expect-error: a query is text
void api.memories.list({ q: ['milk'] });
// @ts-expect-error: no such parameter
void api.memories.list({ fields: ['id'], page: 1 });
// @ts-expect-error: the id is needed
void api.memories.get({ fields: ['id'] });

// A feed always has a cursor to continue from.
const changes = api.changes.list({ since: 'c', limit: 5 });
const changed = api.changes.page();
const following = api.changes.follow({ since: undefined }, { signal, everyMs: 1000 });
same<typeof changes, Promise<Change[]>>(true);
same<typeof changed, Promise<Page<Change[], string>>>(true);
same<typeof following, AsyncGenerator<Page<Change[], string>, never, undefined>>(true);
same<Change['change'], 'upsert' | 'delete'>(true);
export const options: FollowOptions = { everyMs: undefined, signal: undefined };
// @ts-expect-error: a cursor is text
void api.changes.list({ since: 1 });
// The latest changes first have pages that end.
const latest = api.changes.page({ order: 'desc', limit: 5 });
const earlier = api.changes.page({ cursor: 'c' });
same<typeof latest, Promise<Page<Change[]>>>(true);
same<typeof earlier, Promise<Page<Change[]>>>(true);
// @ts-expect-error: only the feed goes on
void api.changes.follow({ order: 'desc' });
// @ts-expect-error: changes have no fields
void api.changes.page({ fields: ['memory_id'] });
// @ts-expect-error: a time is a number
void api.changes.follow({}, { everyMs: '1000' });
// @ts-expect-error: only a feed is asked again
void api.changes.list({}, { everyMs: 1000 });
// @ts-expect-error: a list that ends is walked, not followed
void api.memories.follow();
// @ts-expect-error: a feed has no end to walk to
void api.changes.each();
const told = api.memories.list<'id' | 'name'>({ fields: ['id', 'name'] });
same<typeof told, Promise<Named[]>>(true);
