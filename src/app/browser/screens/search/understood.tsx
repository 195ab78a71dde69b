// How the gateway understood a query: how much it found, the words that occur nowhere, and what else to try.

import { editDistance } from '../../../../text/edit-distance.ts';
import { fold, loosen, readPieces, replaceWord } from '../../../../text/query-pieces.ts';
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
  const { q, input, passages, absent_words, searched_instead } = found;
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
  const meant = Object.entries(searched_instead).reduce(
    (query, [word, near]) => replaceWord(query, word, near.join(' or ')),
    whole,
  );
  return (
    <div class="understood">
      {exactly !== q && (
        <p>
          Results for <b dir="auto">{isolated(meant)}</b> ·{' '}
          <Link to={withQuery(exactly)}>Search as typed</Link>
        </p>
      )}
      {left[0] && (
        <p>
          {left.map((word) => (
            <>
              Nothing says <b dir="auto">“{isolated(word)}”</b>.{' '}
            </>
          ))}
          <Nearest found={found} words={left} />
        </p>
      )}
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
  const hasNear = absent_words.some((word) => meantBy(word, nearest_words).length > 0);
  const ways = [
    isLimited && (hasNear || pieces.length > absent_words.length) && (
      <Link to={searchPath('', { q })}>Search everywhere</Link>
    ),
    hasNear && <Nearest found={found} words={absent_words} />,
    looser && (
      <Link to={withQuery(looser.q)}>
        {looser.kind === 'prefix'
          ? `Search without “${looser.text}*”`
          : /\s/.test(looser.text)
            ? `Search “${looser.text}” as separate words`
            : `Search words like “${looser.text}”`}
      </Link>
    ),
    start !== absent && !hasNear && (
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

interface NearestProps extends UnderstoodProps {
  readonly words: readonly string[];
}

/** Words of fewer letters are another word with two other letters. */
const LONG = 8;

/** Returns the words that somebody may have meant by one. */
function meantBy(word: string, nearest: FoundPassages['nearest_words']): readonly string[] {
  const near = nearest[word] ?? [];
  return near.filter((other) => word.length >= LONG || editDistance(word, other, 1) === 1);
}

/** What can be tried instead of words that nothing says: all misspelt ones are put right at once. */
function Nearest({ found: { q, nearest_words: nearest }, words }: NearestProps) {
  const [word = '', ...others] = words.filter((each) => meantBy(each, nearest).length > 0);
  const rest = others.reduce(
    (query, each) => replaceWord(query, each, meantBy(each, nearest)[0] ?? each),
    q,
  );
  return (
    <>
      {meantBy(word, nearest).map((other, at) => {
        const meant = replaceWord(rest, word, other);
        return (
          <>
            {at > 0 ? ' or ' : 'Did you mean '}
            <Link to={withQuery(meant)}>{rest === q ? other : meant}</Link>
          </>
        );
      })}
      {word && '?'}
    </>
  );
}

function withQuery(q: string): string {
  return searchPath(place.value.query, { q });
}
