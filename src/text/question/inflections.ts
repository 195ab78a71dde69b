// Inflections: the forms of a question's words in other languages than English, such as Treppe and Treppen, by Snowball's stemmers.

import { andThen, type Awaitable } from '../../lib/async.ts';
import type { RankedQuery } from '../ranked-query.ts';
import { formsWith, type Stemming } from '../stems.ts';
import { isStopWord } from '../stop-words.ts';
import type { Language } from './languages.ts';

/** What a language needs: its stemmer, which is loaded with the first question in it, and its endings, folded. */
interface Inflections {
  readonly importStemmer: () => Promise<{ readonly stemmer: (word: string) => string }>;
  readonly endings: string;
  /** Endings of plurals that the stemmer does not know, and those of their singulars. */
  readonly plurals?: readonly (readonly [plural: string, singular: string])[];
  /** Endings that it knows with their accents only. */
  readonly accents?: readonly (readonly [folded: string, accented: string])[];
}

const LANGUAGES: Readonly<Record<Language, Inflections>> = {
  de: {
    importStemmer: () => import('@orama/stemmers/german'),
    endings:
      'e en em er ern es n s st t et end ende enden ung ungen heit heiten keit keiten lich liche lichen ig ige igen isch ische ischen',
  },
  es: {
    importStemmer: () => import('@orama/stemmers/spanish'),
    endings:
      'a e o as es os an en ar er ir aba aban ado ada ados adas ando ido ida idos idas iendo io ia ian ieron aron amos emos imos ' +
      'ara aran era eran ira iran acion aciones cion ciones ador adora adores adoras dor dora dores doras mente amiento amientos ' +
      'imiento imientos able ables ible ibles ista istas ico ica icos icas oso osa osos osas idad idades ivo iva ivos ivas ancia ' +
      'ancias encia encias',
    plurals: [['ces', 'z']],
    accents: [['ion', 'ión']],
  },
  fr: {
    importStemmer: () => import('@orama/stemmers/french'),
    plurals: [['aux', 'al']],
    endings:
      'e s es x ent er ez ai ais ait aient ant ante ants antes ons ions iez ee ees era erai eras erez eront erons i ie ies is it ir ' +
      'ira issons issez issent re ment ement ements ation ations ateur ateurs atrice atrices eur eurs euse euses if ifs ive ives ' +
      'ique iques able ables iste istes ite ites al ale aux ales ence ences ance ances el elle els elles ier iere iers ieres',
  },
  it: {
    importStemmer: () => import('@orama/stemmers/italian'),
    plurals: [['aie', 'aia']],
    endings:
      'a e i o ia ie io he hi ai are ere ire ato ata ati ate uto uta uti ute ito iti ite ando endo ano ono iamo ava avano eva evano ' +
      'iva ivano era eranno erai ira azione azioni ione ioni atore atori atrice atrici amento amenti imento imenti mente abile ' +
      'abili ibile ibili ista iste isti ico ica ici iche oso osa osi ose ivo ivi ive anza anze enza enze ita',
  },
  nl: {
    importStemmer: () => import('@orama/stemmers/dutch'),
    plurals: [
      ['zen', 's'],
      ['ven', 'f'],
    ],
    endings:
      'e en n s es er ers t te ten d de den end ende heid heden ing ingen je jes lijk lijke baar bare ig ige isch ische',
  },
  pt: {
    importStemmer: () => import('@orama/stemmers/portuguese'),
    endings:
      'a e o s as es os am em ar er ir ado ada ados adas ido ida idos idas ando endo indo ou eu iu aram eram iram ava avam ia iam ' +
      'amos emos imos ara era ira acao acoes ao oes ador adora adores adoras mente amento amentos imento imentos avel aveis ivel ' +
      'iveis ista istas ico ica icos icas oso osa osos osas idade idades ivo iva ivos ivas ancia ancias encia encias al ais el eis',
    plurals: [
      ['oes', 'ao'],
      ['ais', 'al'],
      ['eis', 'el'],
    ],
    accents: [['cao', 'ção']],
  },
};

/** Returns the forms of a folded word in a language. */
type FormsOf = (word: string) => string[];

const loaded = new Map<Language, FormsOf>();

/** Adds the forms of a query's words if it is in another language than English. Returns a promise only for the first in a language. */
export function withInflections(query: RankedQuery): Awaitable<RankedQuery> {
  if (query.language === undefined) return query;
  return andThen(loaded.get(query.language) ?? loadForms(query.language), (formsOf) => {
    const terms = query.terms.map((term) => {
      if (!term.isWord || isStopWord(term.word)) return term;
      return { ...term, forms: [...term.forms, ...formsOf(term.word).map((form) => [form])] };
    });
    return { ...query, terms };
  });
}

async function loadForms(language: Language): Promise<FormsOf> {
  const { importStemmer, endings, plurals = [], accents = [] } = LANGUAGES[language];
  const { stemmer } = await importStemmer();
  const stemming: Stemming = {
    endings: ['', ...endings.split(' ')],
    // In Dutch, a letter is written twice for the length of a vowel: lek, lekken; afspraken, afspraak.
    basesOf: (stem, word) => [
      stem,
      replaceEnd(word, plurals),
      ...(language === 'nl'
        ? [stem + stem.slice(-1), stem.replace(/([aeou])([^aeiou])$/, '$1$1$2')]
        : []),
    ],
    stemOf: (word) => {
      let stem = replaceEnd(replaceEnd(word, plurals), accents);
      // As long as it gets shorter: the stem of "alquileres" is "alquiler", and that of "alquiler" another one.
      for (let next = stemmer(stem); next.length < stem.length; next = stemmer(stem)) stem = next;
      return stem;
    },
  };
  const singulars = plurals.map(([plural, singular]) => [singular, plural] as const);
  const formsOf: FormsOf = (word) => {
    const forms = formsWith(word, stemming);
    return [...new Set([...forms, ...forms.map((form) => replaceEnd(form, singulars))])];
  };
  loaded.set(language, formsOf);
  return formsOf;
}

/** Replaces the first of some endings that a word has. */
function replaceEnd(word: string, endings: readonly (readonly [string, string])[]): string {
  const [end = '', other = ''] = endings.find(([each]) => word.endsWith(each)) ?? [];
  return word.slice(0, word.length - end.length) + other;
}
