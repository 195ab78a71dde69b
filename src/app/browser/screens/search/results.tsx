// What a search has found: each memory with its passages, whose marked words are the ones that the gateway found.

import { useEffect, useState } from 'preact/hooks';

import { corrected, fold, splitAtWords } from '../../../../text/query-pieces.ts';
import { OWNER } from '../../../../text/speaker.ts';
import { counted } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { MoreButton } from '../../parts/lists/pages.tsx';
import { PassingButton } from '../../parts/notice.tsx';
import { isolated, personOf, plainText, titleOf, YOU } from '../../parts/title.ts';
import { news } from '../../state/changes/change-list.ts';
import { readRow } from '../../state/list/list.ts';
import { rowSpeakers, wordsOf } from '../../state/list/row-speakers.ts';
import { useResource } from '../../state/resource.ts';
import { moreFound, type FoundPassages } from '../../state/search/search.ts';
import { formats } from '../../time-formats.ts';
import { sideDate } from '../list/rows.tsx';
import { Hits } from './month-strip.tsx';
import {
  groupPassages,
  linePath,
  markedWords,
  shownLines,
  withNewWords,
  type MarkedText,
  type PassagesOfMemory,
} from './passages.ts';

/** If the first passages are of fewer memories, the next ones are read as well, up to so many. */
const [ENOUGH, MOST] = [5, 60];

/** What the results need. */
export interface ResultsProps {
  readonly found: FoundPassages;
  readonly onAgain: () => void;
}

/** The results. They change only if the reader asks for it. */
export function Results({ found, onAgain }: ResultsProps) {
  const { input, query, begun, searched_instead } = found;
  // The reader opens with these words. A space after the last one says that it is whole.
  const words = corrected(begun ? input.q.trim() : input.q, searched_instead);
  const groups = groupPassages(found.passages);
  // The words of a name that are found elsewhere: with a person, names are no passages.
  const marked = new Set(found.passages.flatMap(markedWords));
  useEffect(() => {
    if (groups.length < ENOUGH && found.passages.length < MOST) void moreFound();
  }, [found]);
  return (
    <>
      {(found.memories_found > 0 || /\b(from|to)=/.test(query)) && <Hits found={found} />}
      {news.value !== found.news && (
        <p class="note">
          Memories have changed.{' '}
          <PassingButton class="plain" onClick={onAgain}>
            Search again
          </PassingButton>
        </p>
      )}
      {groups.map((passages) => (
        <Passages key={passages[0].memory_id} q={words} {...{ passages, found, marked }} />
      ))}
      {found.next !== undefined && <MoreButton onMore={moreFound} />}
    </>
  );
}

interface PassagesProps {
  readonly q: string;
  readonly passages: PassagesOfMemory;
  readonly found: FoundPassages;
  /** The words that were found, folded. */
  readonly marked: ReadonlySet<string>;
}

/** How many passages of a memory are shown first, so that a long one does not hide the others. */
const FIRST = 3;

/** The passages of one memory: the best of each word, or all if the reader asks for them. */
function Passages({ q, passages, found, marked }: PassagesProps) {
  const { opened, input, lacked, passages: ranked } = found;
  const [of] = passages;
  const id = of.memory_id;
  const [isOpen, setOpen] = useState(opened.has(id));
  // A name that is shown as it is has its marks in the heading.
  const named = passages.find(
    ({ source, text, marks }) =>
      source === 'name' && (marks.length === 0 || text === titleOf(of.name)),
  );
  // With a person, it can be found by its name alone, beside lines of the person that say no such word.
  const isByName =
    splitAtWords(titleOf(of.name), marked).some(({ isMarked }) => isMarked) &&
    passages.every(({ marks, isSpoken }) => isSpoken || marks.length === 0);
  const lines = isByName ? [] : passages.filter((passage) => passage !== named);
  const own = ranked.filter((each) => lines.includes(each));
  const best = [...new Set([...withNewWords(own), ...own])].slice(0, FIRST);
  const hidden = lines.length - best.length;
  const shown = lines
    .filter((passage) => isOpen || best.includes(passage))
    .map((passage) => ({ passage, said: shownLines(passage, input.person) }));
  const open = () => {
    setOpen(!isOpen);
    // Back finds it as it was left.
    if (!opened.delete(id)) opened.add(id);
  };
  return (
    <section aria-labelledby={`memory-${id}`} class="hit">
      <h2 id={`memory-${id}`}>
        {/* Who wants the memory by its name reads it from its top. */}
        <Link
          to={linePath(of, undefined, fold(of.name) === fold(q.trim()) ? '' : q)}
          class={named || isByName ? 'found' : ''}
        >
          <bdi>
            <Marked parts={splitAtWords(titleOf(of.name), marked)} />
          </bdi>
        </Link>{' '}
        <time dateTime={of.started_at}>{sideDate(formats.value.dayOf(of.started_at))}</time>
      </h2>
      <ul class="rows">
        {lines.length === 0 && <Gist id={id} />}
        {shown.map(({ passage, said: all }, at, { [at - 1]: before }) => (
          <li key={`${passage.source} ${passage.lines[0]} ${passage.text}`}>
            {all.map(({ number, speaker, turn, said, isContext }) => (
              <Link
                key={number}
                to={linePath(passage, number, q)}
                class={isContext ? 'passage' : 'passage found'}
              >
                <span class={isContext ? 'said note' : 'said'} dir="auto">
                  {passage.source === 'summary' && before?.passage.source !== 'summary' && (
                    <i class="note">Summary: </i>
                  )}
                  {speaker !== undefined && (
                    <b class="speaker" dir="auto">
                      <Marked
                        parts={turn.map((part) => ({
                          ...part,
                          text: isolated(
                            speaker === OWNER ? part.text.replace(OWNER, YOU) : part.text,
                          ),
                        }))}
                      />
                    </b>
                  )}
                  <Marked parts={said} />
                </span>
              </Link>
            ))}
          </li>
        ))}
        {lacked[id] && (
          <li class="note">
            Without <bdi>{isolated(lacked[id].join(', '))}</bdi>
          </li>
        )}
        {hidden > 0 && (
          <li>
            <button type="button" class="plain found" aria-expanded={isOpen} onClick={open}>
              {isOpen ? 'Fewer' : counted(hidden, 'more passage')}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** What is below a name alone: the summary of the memory, otherwise who speaks, or how it begins. */
function Gist({ id }: { readonly id: string }) {
  const { data } = useResource(`gist ${id}`, () => readRow(id));
  const names = rowSpeakers(id).flatMap(({ name }) => (name === null ? [] : personOf(name)));
  return (
    <li class="note" dir="auto">
      {plainText(data?.summary.quick_summary ?? '') ||
        names.join(', ') ||
        wordsOf(id)?.text ||
        '\u00a0'}
    </li>
  );
}

function Marked({ parts }: { readonly parts: readonly MarkedText[] }) {
  return (
    <>{parts.map(({ text, isMarked }, i) => (isMarked ? <mark key={i}>{text}</mark> : text))}</>
  );
}
