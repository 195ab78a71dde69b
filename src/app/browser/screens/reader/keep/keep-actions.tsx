// What of the reader's menu keeps a memory elsewhere: as a file, or on paper.

import type { Memory } from '../../../../../contract/schemas/memory.ts';
import type { TranscriptLine } from '../../../../../text/turns.ts';
import { useShortcuts } from '../../../keyboard/keyboard.ts';
import { useAction } from '../../../parts/controls/action.ts';
import { MenuAction } from '../../../parts/controls/menu.tsx';
import { saveFile } from '../../../parts/save-file.ts';
import { tellFailure } from '../../../state/changes/undo.ts';
import { app } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import type { ShownLines } from '../lines.ts';
import { whenOf } from './when-of.ts';

/** What is kept. */
export interface KeepProps {
  readonly memory: Memory;
  readonly title: string;
  readonly lines: readonly TranscriptLine[];
  readonly marked: ShownLines | undefined;
  /** Whether lines of the transcript have times. */
  readonly hasTimes: boolean;
  /** Whether all lines are there. Before that, nothing can be kept that is made of them. */
  readonly isWhole: boolean;
}

interface ChosenProps extends KeepProps {
  /** The lines that are saved alone: selected or marked. */
  readonly chosen: ShownLines | undefined;
}

/** Creates the actions. */
export function useKeepActions(props: ChosenProps) {
  const { memory, title, lines, marked, chosen, hasTimes, isWhole } = props;
  const { id, summary } = memory;
  const when = whenOf(memory);
  const saving = useAction(tellFailure);
  const save = (read: () => ReturnType<typeof app.notes.get>, type: string) => () =>
    saving.run(async () => {
      const { name, text } = await read();
      saveFile(name, new Blob([text], { type }));
    });
  const saveNote = save(() => app.notes.get({ id }), 'text/markdown');
  const saveOne = (
    only: ShownLines | undefined,
    form: 'html' | 'txt' | 'json' = 'html',
    type = 'text/html',
  ) =>
    void save(async () => {
      const range = only && { first_line: only.first, last_line: only.last };
      const characters = memory.transcript.length;
      const saved = formats.value.date(new Date().toISOString());
      const { text } = await app.notes.page({ id, ...range, characters, when, saved, form });
      return { name: `${title}.${form}`, text };
    }, type)();
  useShortcuts([{ keys: ['e'], text: 'Markdown', run: saveNote }]);
  const actions = (
    <>
      <MenuAction isBusy={saving.isBusy} onRun={() => saveOne(chosen)}>
        {chosen === undefined ? 'Save as one file' : 'Save marked lines as one file'}
      </MenuAction>
      <details>
        <summary>Other files</summary>
        <MenuAction isBusy={saving.isBusy} onRun={saveNote}>
          Markdown
        </MenuAction>
        <MenuAction isBusy={!isWhole} onRun={() => saveOne(undefined, 'txt', 'text/plain')}>
          Plain text
        </MenuAction>
        <MenuAction isBusy={!isWhole} onRun={() => saveOne(undefined, 'json', 'application/json')}>
          JSON
        </MenuAction>
        {hasTimes && (
          <MenuAction
            isBusy={saving.isBusy}
            onRun={save(() => app.notes.captions({ id }), 'text/vtt')}
          >
            Captions (VTT)
          </MenuAction>
        )}
      </details>
      <MenuAction isBusy={!isWhole} onRun={() => printOnly(marked && 'marked')}>
        {marked === undefined ? 'Print' : 'Print marked lines'}
      </MenuAction>
      {summary.quick_summary !== '' && lines.length > 0 && (
        <MenuAction onRun={() => printOnly('summary')}>Print the summary</MenuAction>
      )}
    </>
  );
  return { actions, saveOne, run: saving.run };
}

/** Prints the memory, or a part of it that the style knows. */
function printOnly(part: 'marked' | 'summary' | undefined): void {
  const { dataset } = document.documentElement;
  if (part !== undefined) dataset['print'] = part;
  addEventListener('afterprint', () => delete dataset['print'], { once: true });
  print();
}
