// Whether two names are of the same person, where no index of folded names is asked.

import { once } from '../lib/once.ts';

/** Making one takes longer than thousands of comparisons. */
const collator = once(() => new Intl.Collator(undefined, { sensitivity: 'base' }));

/** Between the names of several people in one, such as "Ana & Bo". What stands in brackets is no name. */
const JOINT = /^[^(]*(?:[&+,/;]| (?:and|et|och|og|und) )/;

/** Returns whether a name is of several people, such as "Ana & Bo". */
export function isJoint(name: string): boolean {
  return JOINT.test(name);
}

/**
 * Returns the only name that goes on after another one, such as "Henrik Holm" for "Henrik", or "Ana Ruiz (office)" for "Ana Ruiz".
 * A name of several people is nobody's.
 */
export function longerName(name: string, all: readonly string[]): string | undefined {
  const [longer, another] = all.filter((each) => each.startsWith(`${name} `) && !isJoint(each));
  return another === undefined ? longer : undefined;
}

/** Returns whether two names are the same, without case and accents. */
export function isSameName(one: string, other: string): boolean {
  return collator().compare(one, other) === 0;
}
