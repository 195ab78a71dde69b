// How the gateway understood a query: how much it found, the words that occur nowhere, and what else to try.

import { editDistance } from '../../../../text/edit-distance.ts';
import { corrected, fold, loosen, readPieces, replaceWord } from '../../../../text/query-pieces.ts';
import { countedMemories } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { isolated } from '../../parts/title.ts';
import { useResource } from '../../state/resource.ts';
import { place } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-path.ts';
import type { FoundPassages } from '../../state/search/search.ts';
import { api } from '../../state/session.ts';
import { limitsOf } from './limits.tsx';
import { groupPassages } from './passages.ts';

interface UnderstoodProps {
  readonly found: FoundPassages;
}

/** How many memories were found. Chips beside it say within which limits. */
export function FoundCount({ found }: UnderstoodProps) {
  const { q, input, next, passages, memories_found, memories_searched, searched_instead } = found;
  // A word that is left out leaves some of them without a passage.
  const shown = next === undefined ? groupPassages(passages).length : memories_found;
  return (
    <p class="understood note" role="status">
      {memories_found === 0
        ? 'Found by meaning'
        : `Found in ${Math.min(shown, memories_found).toLocaleString('en')} of ${countedMemories(memories_searched)}`}
      {q !== input.q && Object.keys(searched_instead).length === 0 && (
        <>
          , with words that begin with “
          <b dir="auto">{isolated(readPieces(q).at(-1)?.text ?? '')}</b>”
        </>
      )}
    </p>
  );
}

/** What was searched instead of words that occur nowhere, and the words that were left out. */
export function Corrections({ found }: UnderstoodProps) {
  const { q, input, passages, absent_words, nearest_words, searched_instead } = found;
  // The last word may not be typed to its end.
  const left = q === input.q ? absent_words.filter((word) => !searched_instead[word]) : [];
  const exactly = Object.keys(searched_instead).reduce(
    (query, word) => replaceWord(query, word, `"${word}"`),
    q,
  );
  if (exactly === q && left.length === 0) return null;
  // A word that is half typed is told as it was found first.
  const begun = q === input.q ? '' : fold(readPieces(q).at(-1)?.text ?? '');
  const words = passages.flatMap(({ text, marks }) => marks.map((mark) => text.slice(...mark)));
  const ended = words.map(fold).find((word) => word.startsWith(begun)) ?? begun;
  const whole = begun === '' ? q : q.replace(/\S+$/, ended);
  const either = Object.entries(searched_instead).map(([word, near]) => [
    word,
    [near.join(' or ')],
  ]);
  return (
    <div class="understood">
      {exactly !== q && (
        <p>
          Results for <b dir="auto">{isolated(corrected(whole, Object.fromEntries(either)))}</b> ·{' '}
          <Link to={withQuery(exactly)}>Search as typed</Link>
        </p>
      )}
      {left.map((word) => (
        <p key={word}>
          Nothing says <b dir="auto">“{isolated(word)}”</b>.{' '}
          <Nearest q={q} word={word} near={meantBy(word, nearest_words)} />
        </p>
      ))}
    </div>
  );
}

/** The most ways on that are offered. */
const MOST = 2;

const ALL = (
  <>
    Try another word, or its first letters. <Link to="">See all memories</Link>
  </>
);

/** That nothing was found, and what helps. */
export function NothingFound({ found }: UnderstoodProps) {
  const { q, input, absent_words, nearest_words } = found;
  const pieces = readPieces(q);
  const isLimited = limitsOf(place.value.query).length > 0;
  const [absent = ''] = absent_words;
  const looser = loosen(q);
  const start = Array.from(absent).slice(0, 3).join('');
  const nearby = absent_words.filter((word) => meantBy(word, nearest_words).length > 0);
  const ways = [
    isLimited && pieces.length > absent_words.length && (
      <Link to={searchPath('', { q })}>Search everywhere</Link>
    ),
    ...nearby.map((word) => <Nearest q={q} word={word} near={meantBy(word, nearest_words)} />),
    looser && (
      <Link to={withQuery(looser.q)}>
        {looser.kind === 'prefix'
          ? `Search without “${looser.text}*”`
          : /\s/.test(looser.text)
            ? `Search “${looser.text}” as separate words`
            : `Search words like “${looser.text}”`}
      </Link>
    ),
    start !== absent && nearby.length === 0 && (
      <Begun q={replaceWord(q, absent, `${start}*`)} input={input} start={start} />
    ),
  ].filter(Boolean);
  return (
    <div class="understood empty">
      <p role="status">
        Nothing says <b dir="auto">“{isolated(q.replaceAll('"', ''))}”</b>
        {isLimited && ' within these limits'}.
      </p>
      {(ways.length > 0 ? ways.slice(0, MOST) : [ALL]).map((way, at) => (
        <p key={at}>{way}</p>
      ))}
    </div>
  );
}

interface BegunProps extends Pick<FoundPassages, 'q' | 'input'> {
  readonly start: string;
}

/** The words that begin like an absent one, if that finds something, otherwise all memories. */
function Begun({ q, input, start }: BegunProps) {
  const { data } = useResource(
    `begun ${q} ${JSON.stringify(input)}`,
    async () => (await api.search.page({ ...input, q, limit: 1 })).items.memories_found,
  );
  if (data === 0) return ALL;
  return data ? (
    <>
      <Link to={withQuery(q)}>Search words that begin with “{start}”</Link>{' '}
      <span class="note">{countedMemories(data)}</span>
    </>
  ) : null;
}

interface NearestProps {
  readonly q: string;
  readonly word: string;
  readonly near: readonly string[];
}

/** Words of fewer letters are another word with two other letters. */
const LONG = 8;

/** Returns the words that somebody may have meant by one. */
function meantBy(word: string, nearest: FoundPassages['nearest_words']): readonly string[] {
  const near = nearest[word] ?? [];
  return near.filter((other) => word.length >= LONG || editDistance(word, other, 1) === 1);
}

/** Words that can be tried instead of one. */
function Nearest({ q, word, near }: NearestProps) {
  return (
    <>
      {near.map((other, at) => (
        <>
          {at > 0 ? ' or ' : 'Did you mean '}
          <Link to={withQuery(replaceWord(q, word, other))}>{other}</Link>
          {at === near.length - 1 && '?'}
        </>
      ))}
    </>
  );
}

function withQuery(q: string): string {
  return searchPath(place.value.query, { q });
}
