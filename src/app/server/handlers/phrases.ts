// The handler of phrases of a query that say when, or with whom: they can become limits of the search instead of words of it.

import type * as v from 'valibot';

import type { PersonTotals } from '../../../contract/schemas/facets.ts';
import { once } from '../../../lib/once.ts';
import { dayReader } from '../../../lib/timezone.ts';
import { isSameName } from '../../../text/same-name.ts';
import { wordsOf } from '../../../text/tokenizer.ts';
import type { appRoutes } from '../../contract/app-routes.ts';
import type { GroupOf } from '../call.ts';
import { daysPhrase } from './phrase-days.ts';
import { findMeant, findNamed, findPerson } from './phrase-people.ts';
import { wholeOf } from './phrase-runs.ts';

/** The handler. The pages would need the words of all languages for it, and the tokenizer. */
export const phraseHandlers: GroupOf<'phrases'> = {
  async find({ app, reader, input: { q, timezone, week_start, language } }) {
    const dayOf = await dayReader(timezone);
    const today = dayOf(new Date(app.gateway.now()).toISOString());
    const api = app.gateway.as(reader.account_id);
    const asked = daysPhrase(q, { today, weekStart: week_start, language });
    const whole = wholeOf(q);
    const readMost = once(() => api.people.page({ limit: 100 }));
    const findWhole = once(async () =>
      whole === undefined ? [] : findNamed(api, whole, readMost),
    );
    // June may be somebody.
    const isUnsure =
      asked?.isWord === true || (asked?.isName === true && (await findWhole()).length > 0);
    const said = isUnsure ? undefined : asked;
    const offered = isUnsure && asked ? { from: asked.from, to: asked.to, q: asked.q } : null;
    const days = said && { from: said.from, to: said.to, q: withoutPhrase(q, said.phrase) };
    const people: NamedPerson[] = [];
    let rest = said?.q ?? q;
    while (people.length < MOST_PEOPLE) {
      const person = await findPerson(api, rest);
      if (person === undefined) break;
      people.push({ name: person.name, q: withoutPhrase(q, person.phrase) });
      rest = person.q;
    }
    const isWhole = days === undefined && people.length === 0;
    const found = isWhole ? await findWhole() : [];
    const meant = isWhole && whole ? await findMeant(api, whole, found, readMost) : undefined;
    const named = meant ? [meant] : found;
    const last = q.split(/\s/).at(-1) ?? '';
    // Words before a phrase are typed to their end.
    const isOpen = rest === q || rest === '' || (last !== '' && rest.endsWith(last));
    const words = nameIn(meant?.name ?? q, named) ?? (isOpen ? rest : `${rest} `);
    return {
      output: {
        days: days ?? null,
        people,
        named,
        rest: words,
        meant: meant?.name ?? null,
        offered,
      },
    };
  },
};

/** Who is named by a phrase, and the query without it. */
type NamedPerson = v.InferOutput<typeof appRoutes.phrases.find.output>['people'][number];

/** The most people of a query that it is limited to. */
const MOST_PEOPLE = 4;

/** Returns a query without the words of a phrase. Of those that it has several times, the last ones go. */
function withoutPhrase(q: string, phrase: string): string {
  const left = phrase.split(' ');
  const kept = q
    .split(/\s+/)
    .filter((piece) => piece !== '')
    .toReversed()
    .filter((piece) => piece !== left.at(-1) || left.pop() === undefined);
  return kept.toReversed().join(' ');
}

/** Returns the phrase that a query of several words is if it is the whole name of somebody who speaks. Other lines have one of the words. */
function nameIn(q: string, named: readonly PersonTotals[]): string | undefined {
  const name = wholeOf(q) ?? '';
  const isName = named.some((each) => each.lines > 0 && isSameName(each.name, name));
  return isName && wordsOf(name).length > 1 ? `"${name}"` : undefined;
}
