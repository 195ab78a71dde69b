// The state of the pages without a browser: what is sent after another tab has changed it, and what is asked for again.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';

import { ROOT } from '../support/world/program.ts';
import { until } from '../support/world/until.ts';

const PAGE = { isSecureContext: false, document: { visibilityState: 'hidden' } };

/** The parts of the modules that are used. Their own types need those of a browser. */
interface State {
  readonly bookmark: (
    id: string,
    change: { readonly is_starred?: boolean; readonly note?: string },
  ) => Promise<void>;
  readonly bookmarkOf: (id: string) => { readonly is_starred: boolean };
  readonly rowSpeakers: (id: string) => readonly { readonly name: string }[];
  readonly wordsOf: (id: string) => { readonly text: string } | undefined;
  readonly putRight: (
    edit: object,
    saying: { readonly said: string; readonly onChange: (isUndone?: boolean) => void },
  ) => Promise<void>;
  readonly tick: (item: string, ids: readonly string[], isTicked: boolean) => Promise<void>;
  readonly undo: () => Promise<void>;
  readonly undoable: { readonly value: { readonly said: string } | undefined };
}

const MODULES = [
  'list/bookmarks',
  'list/done-items',
  'list/row-speakers',
  'changes/put-right',
  'changes/undo',
];

async function importState(): Promise<State> {
  const found: object[] = [];
  for (const name of MODULES)
    found.push((await import(join(ROOT, `src/app/browser/state/${name}.ts`))) as object);
  return Object.assign({}, ...found) as State;
}

type Answer = (path: string, body: Record<string, unknown>) => unknown;

/** Answers the requests of the page: by a value, or 500 for undefined. */
function serveAll(t: TestContext, answer: Answer): void {
  t.mock.method(globalThis, 'fetch', async (request: Request) => {
    const text = await request.text();
    const path = new URL(request.url).pathname.replace(/^.*\/app\/v1\//, '');
    const found = answer(path, text === '' ? {} : JSON.parse(text));
    return found === undefined
      ? Response.json({ status: 500, title: 'Error', detail: 'Broken.' }, { status: 500 })
      : Response.json(found);
  });
}

describe('The state of the pages', () => {
  let state: State;
  before(async () => {
    Object.assign(globalThis, PAGE);
    state = await importState();
  });
  after(() => {
    for (const name of Object.keys(PAGE)) Reflect.deleteProperty(globalThis, name);
  });

  it('keeps the note of a memory that gets a star, and the star of one that gets a note', async (t) => {
    let kept = { memory_id: 'talk', is_starred: false, note: 'Ask Henrik.' };
    serveAll(t, (path, body) => {
      assert.equal(path, 'bookmarks/talk');
      return (kept = { ...kept, ...body });
    });
    // Nothing is read yet.
    await state.bookmark('talk', { is_starred: true });
    assert.deepEqual(kept, { memory_id: 'talk', is_starred: true, note: 'Ask Henrik.' });
    kept = { ...kept, is_starred: false }; // by another tab
    await state.bookmark('talk', { note: 'Asked.' });
    assert.deepEqual(kept, { memory_id: 'talk', is_starred: false, note: 'Asked.' });
    assert.equal(state.bookmarkOf('talk').is_starred, false);
  });

  it(
    'asks again for the speakers of a row that could not be read',
    { timeout: 60_000 },
    async (t) => {
      let asked = 0;
      serveAll(t, () => {
        asked += 1;
        return asked === 1 ? undefined : [{ memory_id: 'talk', name: 'Mira', words: 3 }];
      });
      assert.deepEqual(state.rowSpeakers('talk'), []);
      await until(() => asked === 1);
      await until(() => state.rowSpeakers('talk').length > 0);
      assert.equal(state.rowSpeakers('talk')[0]?.name, 'Mira');
    },
  );

  it(
    'asks once for the first words of a row without names, and again only for what could not be read',
    { timeout: 60_000 },
    async (t) => {
      const asked: string[] = [];
      serveAll(t, (path) => {
        asked.push(path);
        if (path === 'people/speakers') return [];
        const isFirst = asked.filter((each) => each === path).length === 1;
        return path.includes('/memo/') && isFirst ? undefined : { text: ' Good morning. ' };
      });
      // A row that is drawn.
      const draw = (id: string) => {
        state.rowSpeakers(id);
        return state.wordsOf(id)?.text.trim();
      };
      assert.equal(draw('walk'), undefined);
      draw('memo');
      await until(() => draw('walk') === 'Good morning.');
      await until(() => draw('memo') === 'Good morning.');
      assert.deepEqual(asked.toSorted(), [
        'memories/memo/lines',
        'memories/memo/lines',
        'memories/walk/lines',
        'people/speakers',
      ]);
    },
  );

  it('tells whoever made an edit whether it was made or undone', async (t) => {
    serveAll(t, (path) =>
      path === 'edits' ? [{ id: 'e1', memory_id: null, field: 'speaker', replaced: null }] : {},
    );
    const told: (boolean | undefined)[] = [];
    const edit = { speakers: [{ from: 'Henrik', to: 'Parveen' }] };
    await state.putRight(edit, { said: 'Named.', onChange: (isUndone) => told.push(isUndone) });
    assert.equal(state.undoable.value?.said, 'Named.');
    await state.undo();
    assert.deepEqual(told, [undefined, true]);
    assert.equal(state.undoable.value, undefined);
  });

  it('offers to undo a tick for ten seconds, because its box does it as well', async (t) => {
    serveAll(t, () => ({}));
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await state.tick('Buy a fridge', ['memo'], true);
    t.mock.timers.tick(9_000);
    assert.equal(state.undoable.value?.said, 'Marked as done.');
    t.mock.timers.tick(2_000);
    assert.equal(state.undoable.value, undefined);
  });

  it('offers to undo what is changed while an earlier change is undone', async (t) => {
    let toUndo = Promise.withResolvers<void>();
    const isSent = Promise.withResolvers<void>();
    t.mock.method(globalThis, 'fetch', async ({ method }: Request) => {
      if (method === 'POST')
        return Response.json([{ id: 'e1', memory_id: null, field: 'speaker', replaced: null }]);
      isSent.resolve();
      await toUndo.promise;
      return new Response(null, { status: 204 });
    });
    const edit = (to: string) => ({ speakers: [{ from: 'Henrik', to }] });
    await state.putRight(edit('Parveen'), { said: 'First.', onChange: () => {} });
    const undoing = state.undo();
    await isSent.promise;
    await state.putRight(edit('Lucía'), { said: 'Second.', onChange: () => {} });
    toUndo.resolve();
    await undoing;
    assert.equal(state.undoable.value?.said, 'Second.');
    toUndo = Promise.withResolvers<void>();
    toUndo.resolve();
    await state.undo();
    assert.equal(state.undoable.value, undefined);
  });
});
