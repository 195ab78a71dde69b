// How the gateway understood a query: its pieces, the words that occur nowhere, and what else to try.

import { countedMemories } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { isolated, personOf } from '../../parts/title.ts';
import { useResource } from '../../state/resource.ts';
import { place } from '../../state/router.ts';
import {
  loosen,
  readPieces,
  replaceWord,
  type PieceKind,
} from '../../state/search/query-pieces.ts';
import { searchPath } from '../../state/search/search-path.ts';
import type { FoundPassages } from '../../state/search/search.ts';
import { api } from '../../state/session.ts';
import { limitsOf } from './limits.tsx';
import { groupPassages } from './passages.ts';

const KINDS: Readonly<Partial<Record<PieceKind, string>>> = {
  phrase: 'Phrase',
  prefix: 'Begins with',
  without: 'Without',
  only: 'Only',
};

interface UnderstoodProps {
  readonly found: FoundPassages;
}

/** The pieces of a query, and hints about its words. */
export function Understood({ found }: UnderstoodProps) {
  const { passages, memories_found, memories_searched } = found;
  const { absent_words, nearest_words, searched_instead } = found;
  const { q, input, isNewest, next } = found;
  const pieces = readPieces(q);
  // Of words there is nothing to explain.
  const told = pieces.filter(({ kind }) => KINDS[kind]);
  const hasNone = memories_found === 0 && !passages.length;
  const shown = groupPassages(passages).length;
  // The other memories are too long, or have the words apart from the person.
  const isElsewhere = !isNewest && next === undefined && shown < memories_found;
  const [absent = ''] = absent_words;
  const start = Array.from(absent).slice(0, 3).join('');
  const people = input.person?.map(personOf).join(' and ');
  // Of memories with all words, some may be missing because of one word.
  const isApart = isNewest && pieces.length > 1;
  const absences = absent_words.map(
    (word) =>
      // Otherwise the first sentence says it.
      (!hasNone || isApart || nearest_words[word] || searched_instead[word]) && (
        <p key={word}>
          {(!hasNone || pieces.length > 1) && (
            <>
              Nothing says <bdi>“{isolated(word)}”</bdi>.{' '}
            </>
          )}
          <Nearest word={word} found={found} />
        </p>
      ),
  );
  return (
    <div class={hasNone ? 'understood empty' : 'understood note'}>
      {!hasNone && absences}
      <p role="status">
        {hasNone ? (
          <>
            {isApart ? 'No memory has all words of' : 'Nothing says'}{' '}
            <bdi>“{isolated(q.replaceAll('"', ''))}”</bdi>
          </>
        ) : memories_found > 0 ? (
          `Found in ${memories_found.toLocaleString('en')} of ${countedMemories(memories_searched)}`
        ) : (
          'Found by meaning'
        )}
        {people && (isElsewhere ? `, near ${people} in ${shown}` : ` with ${people}`)}
      </p>
      {(!hasNone || pieces.length > 1) && told.length > 0 && (
        <ul>
          {told.map(({ kind, text }, i) => (
            <li key={i}>
              {KINDS[kind]} <bdi>{isolated(kind === 'prefix' ? `${text}…` : text)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {hasNone && absences}
      {isElsewhere && (
        <p>
          <Link to={searchPath(place.value.query, { q, sort: 'newest' })}>
            Show the memories with all words
          </Link>
        </p>
      )}
      {hasNone && (
        <>
          {limitsOf(place.value.query).length > 0 && pieces.length > absent_words.length && (
            <p>
              <Link to={searchPath('', { q })}>Search all memories</Link>
            </p>
          )}
          <Looser q={q} />
          {start !== absent && !nearest_words[absent] && (
            <Begun q={replaceWord(q, absent, `${start}*`)} input={input} start={start} />
          )}
          <p>
            Look in the <Link to="calendar">calendar</Link> or among the{' '}
            <Link to="people">people</Link>.
          </p>
        </>
      )}
    </div>
  );
}

interface BegunProps extends Pick<FoundPassages, 'q' | 'input'> {
  readonly start: string;
}

/** The words that begin like an absent one, if that finds something. */
function Begun({ q, input, start }: BegunProps) {
  const { data } = useResource(
    `begun ${q} ${JSON.stringify(input)}`,
    async () => (await api.search.page({ ...input, q, limit: 1 })).items.memories_found,
  );
  return data ? (
    <p>
      <Link to={withQuery(q)}>Search words that begin with “{start}”</Link>{' '}
      <span class="note">{countedMemories(data)}</span>
    </p>
  ) : null;
}

interface NearestProps extends UnderstoodProps {
  readonly word: string;
}

/** The words that were searched instead of an absent one, and the way to what was typed, or words that can be tried. */
function Nearest({ word, found: { q, nearest_words, searched_instead } }: NearestProps) {
  const instead = searched_instead[word];
  return (
    <>
      {(instead ?? nearest_words[word])?.map((near, at) => (
        <>
          {at > 0 ? ' · ' : instead === undefined ? 'Try ' : 'Searched instead: '}
          <Link to={withQuery(replaceWord(q, word, near))}>{near}</Link>
        </>
      ))}
      {instead && (
        <>
          {'. '}
          <Link to={withQuery(replaceWord(q, word, `"${word}"`))}>Search exactly “{word}”</Link>
        </>
      )}
    </>
  );
}

/** What must occur, and is dropped most easily. */
function Looser({ q }: { readonly q: string }) {
  const looser = loosen(q);
  return (
    looser && (
      <p>
        <Link to={withQuery(looser.q)}>
          {looser.kind === 'prefix'
            ? `Search without “${looser.text}*”`
            : /\s/.test(looser.text)
              ? `Search “${looser.text}” as separate words`
              : `Search words like “${looser.text}”`}
        </Link>
      </p>
    )
  );
}

function withQuery(q: string): string {
  return searchPath(place.value.query, { q });
}
