// What of the reader's menu keeps a memory elsewhere: as a file, or on paper.

import type { Memory } from '../../../../../contract/schemas/memory.ts';
import { useShortcuts } from '../../../keyboard/keyboard.ts';
import { useAction } from '../../../parts/controls/action.ts';
import { MenuAction } from '../../../parts/controls/menu.tsx';
import { FailureNotice } from '../../../parts/notice.tsx';
import { app } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import type { ShownLines, TranscriptLine } from '../lines.ts';
import { colorOf } from '../quotes.tsx';
import { hueClass, type Hues } from '../speakers.ts';
import { oneFileOf } from './one-file.ts';
import { saveFile } from './save-file.ts';

/** What is kept. */
export interface KeepProps {
  readonly memory: Memory;
  readonly title: string;
  readonly lines: readonly TranscriptLine[];
  readonly hues: Hues;
  readonly marked: ShownLines | undefined;
  /** Whether lines of the transcript have times. */
  readonly hasTimes: boolean;
}

/** Creates the actions, and what is shown outside of the menu when one of them fails. */
export function useKeepActions({ memory, title, lines, hues, marked, hasTimes }: KeepProps) {
  const { id, started_at, summary } = memory;
  const saving = useAction();
  const save = (read: typeof app.notes.get, type: string) => () =>
    saving.run(async () => {
      const { name, text } = await read({ id });
      saveFile(name, new Blob([text], { type }));
    });
  const saveNote = save(app.notes.get, 'text/markdown');
  const ofSpeaker = (speaker: string) => colorOf(hueClass(hues, speaker));
  const saveOne = () => {
    const { date, longDay, time } = formats.value;
    const when = `${longDay(started_at)}, ${time(started_at)}`;
    const saved = date(new Date().toISOString());
    const text = oneFileOf({
      title,
      when,
      saved,
      summary,
      lines,
      range: marked,
      colorOf: ofSpeaker,
    });
    saveFile(`${title}.html`, new Blob([text], { type: 'text/html' }));
  };
  useShortcuts([{ keys: ['e'], text: 'Markdown', run: saveNote }]);
  const actions = (
    <>
      <MenuAction isBusy={saving.isBusy} onRun={saveNote}>
        Markdown
      </MenuAction>
      {hasTimes && (
        <MenuAction isBusy={saving.isBusy} onRun={save(app.notes.captions, 'text/vtt')}>
          Captions (VTT)
        </MenuAction>
      )}
      <MenuAction onRun={saveOne}>
        {marked === undefined ? 'Save as one file' : 'Save marked lines as one file'}
      </MenuAction>
      <MenuAction onRun={() => printOnly(marked && 'marked')}>
        {marked === undefined ? 'Print' : 'Print marked lines'}
      </MenuAction>
      {summary.quick_summary !== '' && lines.length > 0 && (
        <MenuAction onRun={() => printOnly('summary')}>Print the summary</MenuAction>
      )}
    </>
  );
  return { actions, shown: <FailureNotice failure={saving.failure} /> };
}

/** Prints the memory, or a part of it that the style knows. */
function printOnly(part: 'marked' | 'summary' | undefined): void {
  const { dataset } = document.documentElement;
  if (part !== undefined) dataset['print'] = part;
  addEventListener('afterprint', () => delete dataset['print'], { once: true });
  print();
}
