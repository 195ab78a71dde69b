// Facets: the people, tags and sources of memories, and how their names compare.

import type { ReadDetails } from '../../contract/schemas/details.ts';
import { foldText } from '../../text/tokenizer.ts';
import type { FacetName } from '../scope.ts';
import type { DetailTables } from '../sql/tables/detail-tables.ts';

/** The longest name that is compared. An index of PostgreSQL takes no longer one. */
const LENGTH = 200;

/** Returns a name as it is compared: without case, accents and repeated spaces. It may be empty. */
export function facetKey(name: string): string {
  const folded = foldText(storable(name)).replaceAll(/\s+/g, ' ').trim();
  return folded.slice(0, LENGTH).toWellFormed();
}

/** Returns how a facet is found by its name. */
export function facetName(kind: FacetName['kind'], name: string): FacetName {
  return { kind, folded: facetKey(name) };
}

/** What chooses memories by their people, tags and source. */
interface GivenFacets {
  readonly person?: readonly string[] | undefined;
  readonly tag?: string | readonly string[] | undefined;
  readonly source?: string | undefined;
}

/** Returns the facets that memories must have. Undefined: none. */
export function toFacets({ person = [], tag = [], source }: GivenFacets): FacetName[] | undefined {
  const facets = [
    ...person.map((name) => facetName('person', name)),
    ...[tag].flat().map((name) => facetName('tag', name)),
    ...(source === undefined ? [] : [facetName('source', source)]),
  ];
  return facets.length === 0 ? undefined : facets;
}

/** Returns a text as both engines can store it: without lone surrogates and U+0000. */
export function storable(text: string): string {
  return withoutNul(text.toWellFormed());
}

/** Returns a text as PostgreSQL stores it, which cannot hold U+0000. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '\u2400');
}

type Facet = DetailTables['facets'];
type Measured = Pick<Facet, 'name' | 'labels' | 'lines' | 'words' | 'speaking_ms'>;

/** Returns the facets of a memory. Names that compare as equal are one. */
export function facetsOf(
  { people, tags, source }: ReadDetails,
  of: Pick<Facet, 'account_id' | 'memory_id' | 'started_at'>,
): Facet[] {
  const all = new Map<string, Facet>();
  const add = (kind: Facet['kind'], one: Measured): void => {
    const folded = facetKey(one.name);
    if (folded === '') return;
    const before = all.get(`${kind} ${folded}`);
    const facet = { ...of, kind, folded, ...(before ? joined(before, one) : one) };
    all.set(`${kind} ${folded}`, { ...facet, name: storable(facet.name) });
  };
  const nothing = { labels: '', lines: 0, words: 0, speaking_ms: null };
  for (const { name, lines, words, speaking_ms } of people)
    add('person', { name, labels: '', lines, words, speaking_ms });
  for (const { name, kind } of tags) add('tag', { ...nothing, name, labels: kind });
  const product = source.product ?? source.format;
  if (product !== null) add('source', { ...nothing, name: product });
  return [...all.values()];
}

function joined(one: Measured, other: Measured): Measured {
  const labels = new Set([...one.labels.split(','), ...other.labels.split(',')]);
  return {
    name: one.name,
    labels: [...labels].toSorted().join(','),
    lines: one.lines + other.lines,
    words: one.words + other.words,
    speaking_ms: addKnown(one.speaking_ms, other.speaking_ms),
  };
}

/** Adds two numbers of which either may be unknown. */
export function addKnown(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}
