// What stands for a person on every screen: a portrait and the address of the person's page.

import { hueOf } from '../../../../text/hues.ts';
import { personOf } from '../../parts/title.ts';
import { hueOwners } from '../../state/session.ts';

/** A portrait: the first letter in the colour that the person has in all transcripts. The name is beside it, so it is not read aloud. */
export function Portrait({ name }: { readonly name: string }) {
  const [first = ''] = personOf(name).match(/[\p{L}\p{N}]/u) ?? [];
  return (
    <span class={`portrait hue-${hueOf(name, hueOwners())}`} aria-hidden="true">
      {first.toLocaleUpperCase()}
    </span>
  );
}

/** Returns the path of a person's page. */
export function pathOfPerson(name: string): string {
  return `people/${encodeURIComponent(name)}`;
}
