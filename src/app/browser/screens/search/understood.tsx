// How the gateway understood a query: how much it found, the words that occur nowhere, and what else to try.

import { editDistance } from '../../../../text/edit-distance.ts';
import {
  corrected,
  lastWord,
  openEnd,
  readPieces,
  replaceWord,
} from '../../../../text/query-pieces.ts';
import { countedMemories } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { isolated } from '../../parts/title.ts';
import { useResource } from '../../state/resource.ts';
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
  const { begun, next, passages, memories_found, memories_searched } = found;
  // A word that is left out leaves some of them without a passage.
  const shown = next === undefined ? groupPassages(passages).length : memories_found;
  return (
    <p class="understood note" role="status">
      {memories_found === 0
        ? 'Found by meaning'
        : `Found in ${Math.min(shown, memories_found).toLocaleString('en')} of ${countedMemories(memories_searched)}`}
      {begun && (
        <>
          , with words that begin with “<b dir="auto">{isolated(begun)}</b>”
        </>
      )}
    </p>
  );
}

/** So few memories may be all that has a word by mistake, because more was meant. */
const FEW = 3;

/** What was searched instead of words that occur nowhere, and the words that were left out. */
export function Corrections({ found }: UnderstoodProps) {
  const { input, absent_words, searched_instead, memories_found } = found;
  const q = input.q.trim();
  const left = absent_words.filter((word) => !searched_instead[word]);
  const exactly = Object.keys(searched_instead).reduce(
    (query, word) => replaceWord(query, word, `"${word}"`),
    q,
  );
  // The last word may have been meant as the beginning of another.
  if (exactly === q && left.length === 0)
    return q === input.q || memories_found > FEW ? null : (
      <p class="understood">
        <Begun {...{ q, found }} start={lastWord(q)} />
      </p>
    );
  const meant = corrected(q, searched_instead, ' or ');
  return (
    <div class="understood">
      {exactly !== q && (
        <p>
          Results for <b dir="auto">{isolated(meant)}</b> ·{' '}
          <Link to={withQuery(found, exactly)}>Search as typed</Link>
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
  const { input, absent_words, nearest_words } = found;
  const q = input.q.trim();
  const pieces = readPieces(q);
  const isLimited = limitsOf(found.query).length > 0;
  const [absent = ''] = absent_words;
  const looser = q.replaceAll(/["*]/g, '');
  const start = Array.from(absent).slice(0, 3).join('');
  const hasNear = absent_words.some((word) => meantBy(word, nearest_words).length > 0);
  const ways = [
    isLimited && (hasNear || pieces.length > absent_words.length) && (
      <Link to={searchPath('', { q })}>Search everywhere</Link>
    ),
    hasNear && <Nearest found={found} words={absent_words} />,
    looser !== q && (
      <Link to={withQuery(found, looser)}>
        Search “{looser}” {/\s/.test(looser) ? 'as separate words' : 'and words like it'}
      </Link>
    ),
    start !== absent && !hasNear && (
      <Begun q={replaceWord(q, absent, `${start}*`)} {...{ found, start }} />
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

interface BegunProps extends UnderstoodProps {
  readonly q: string;
  readonly start: string;
}

/** The words that begin like one, if that finds more. If nothing is found, all memories. */
function Begun({ q, start, found }: BegunProps) {
  const { input, memories_found } = found;
  const { data } = useResource(
    `begun ${q} ${JSON.stringify(input)}`,
    async () => (await api.search.page({ ...input, q: openEnd(q), limit: 1 })).items.memories_found,
  );
  if (data === 0) return ALL;
  return data && data > memories_found ? (
    <>
      <Link to={withQuery(found, q)}>Search words that begin with “{start}”</Link>{' '}
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
function Nearest({ found, words }: NearestProps) {
  const { input, nearest_words: nearest } = found;
  const q = input.q.trim();
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
            <Link to={withQuery(found, meant)}>{rest === q ? other : meant}</Link>
          </>
        );
      })}
      {word && '?'}
    </>
  );
}

function withQuery({ query }: FoundPassages, q: string): string {
  return searchPath(query, { q });
}
