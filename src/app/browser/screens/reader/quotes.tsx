// The bar below a transcript: what can be done with the marked lines, or with the selected text.

import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import { escapeHtml } from '../../../../lib/html.ts';
import { hueClass, type Hues } from '../../../../text/hues.ts';
import { nameOwner, OWNER } from '../../../../text/speaker.ts';
import { splitTranscript, type TranscriptLine, beginsTurn } from '../../../../text/turns.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { copy, CopyText, type CopiedText } from '../../parts/controls/copy.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { place } from '../../state/router.ts';
import { me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { drawQuote } from './keep/quote-picture.ts';
import { numberOf } from './line-element.ts';
import { fragmentOf, quoteOf, rangeText, type QuotedLines, type ShownLines } from './lines.ts';
import type { ReaderState } from './reader-state.ts';

/** What the bar needs. */
export interface QuotesProps {
  readonly memory: Memory;
  readonly title: string;
  readonly lines: readonly TranscriptLine[];
  readonly marked: ShownLines | undefined;
  readonly hues: Hues;
  readonly state: ReaderState;
}

/** The bar with what can be done with the marked lines or the selected text. */
export function Quotes({ memory, title, lines, marked, hues, state }: QuotesProps) {
  const selected = state.selected.value;
  const [said, setSaid] = useState('');
  const [byHand, setByHand] = useState<string>();
  useEffect(() => {
    const look = () => {
      state.selected.value = selectedLines();
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, []);
  // At once: after the paint it could take away what a quick key press has said about the new selection.
  useLayoutEffect(() => {
    setSaid('');
    setByHand(undefined);
  }, [JSON.stringify(selected), marked]);
  const range = selected ?? marked;
  // A link, a hit or a landmark only leads to its line.
  const isPicked = place.value.hash.replace('#', '') === state.picked.value;
  const take = async (copied: CopiedText, done: string) => {
    const worked = await copy(copied);
    setSaid(worked ? done : '');
    setByHand(worked ? undefined : copied.text);
  };
  const address = () =>
    `${location.origin}${location.pathname}${range === undefined ? '' : `#${fragmentOf(lines, range)}`}`;
  // Others read it, to whom “You” would be somebody else.
  const owner = me.value?.account.name ?? '';
  const day = formats.value.date(memory.started_at);
  const link = () => take({ text: address(), html: linkOf(address(), title) }, 'Link copied');
  const quote = () => {
    if (range === undefined) {
      setSaid('Select text, or click the number of a line first.');
      return;
    }
    const words = `“${nameOwner(quoteOf(lines, range), owner)}”`;
    const quoted = {
      text: `${words}\n— ${title}, ${day}\n${address()}`,
      html: `<blockquote>${words.split('\n').map(escapeHtml).join('<br>')}</blockquote><p>— ${linkOf(address(), title)}, ${day}</p>`,
    };
    void take(quoted, 'Quote copied');
  };
  const picture = async (quoted: QuotedLines) => {
    const parts = splitTranscript(quoteOf(lines, quoted));
    const turns = parts.map(({ text, speaker = '' }, at) => ({
      name: !beginsTurn(parts, at + 1) ? undefined : speaker === OWNER ? owner : speaker,
      color: colorOf(hueClass(hues, speaker)),
      text: speaker === '' ? text : text.slice(speaker.length + 1).trim(),
    }));
    try {
      const { png, isWhole } = await drawQuote({ turns, title, day, address: address() });
      saveFile(`${title}, ${rangeText(quoted).toLowerCase()}.png`, png);
      setSaid(isWhole ? 'Picture saved' : 'Picture saved with the beginning of this long quote');
    } catch {
      setSaid('The picture could not be made. Reload the page, and try again.');
    }
  };
  useShortcuts([
    { keys: ['c'], text: 'Copy quote with link', run: quote },
    { keys: ['y'], text: 'Copy link', run: link },
  ]);
  return (
    // A press must not end the selection that is to be copied.
    <div
      class="quotes"
      onPointerDown={(event) => event.target instanceof HTMLButtonElement && event.preventDefault()}
    >
      {range === undefined || !(selected || isPicked) ? (
        <p class="note" role="status">
          {said}
        </p>
      ) : (
        <p class="actions">
          {/* In place of the lines, so that nothing moves. */}
          <span role="status">{said || rangeText(range)}</span>
          <button type="button" onClick={quote}>
            Copy quote with link
          </button>
          <button type="button" onClick={link}>
            Copy link
          </button>
          <button type="button" onClick={() => picture(range)}>
            Picture
          </button>
          {me.value?.can_share && (
            <button
              type="button"
              onClick={() => {
                state.shared.value = range;
              }}
            >
              Share
            </button>
          )}
        </p>
      )}
      {byHand !== undefined && <CopyText label="Copy this" text={byHand} isLong />}
    </div>
  );
}

/** Returns the lines of the transcript that are selected, or undefined. */
function selectedLines(): QuotedLines | undefined {
  const selection = getSelection();
  if (selection?.type !== 'Range') return undefined;
  const range = selection.getRangeAt(0);
  const first = positionOf(range.startContainer, range.startOffset);
  const last = positionOf(range.endContainer, range.endOffset);
  if (first === undefined || last === undefined) return undefined;
  const lines = { first: first.line, last: last.line, start: first.at };
  // A triple click ends at the beginning of the next line.
  if (last.at === 0 && last.line > first.line) return { ...lines, last: last.line - 1 };
  const isNothing = first.at === last.at || selection.toString().trim() === '';
  return first.line === last.line && isNothing ? undefined : { ...lines, end: last.at };
}

/** Returns the line of a point of the page, and how far into its text the point is. */
function positionOf(node: Node, offset: number) {
  const line = (node instanceof Element ? node : node.parentElement)?.closest('.line');
  const said = line?.lastElementChild;
  if (!line || !said) return undefined;
  const before = new Range();
  before.selectNodeContents(said);
  if (before.comparePoint(node, offset) < 0) before.collapse(true);
  else if (before.comparePoint(node, offset) === 0) before.setEnd(node, offset);
  return { line: numberOf(line), at: before.toString().length };
}

/** Returns the colour that a class gives a name on a light page. */
function colorOf(name: string): string {
  const probe = document.createElement('i');
  probe.className = name;
  probe.style.colorScheme = 'light';
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Returns a link as HTML. */
function linkOf(address: string, title: string): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(title)}</a>`;
}
