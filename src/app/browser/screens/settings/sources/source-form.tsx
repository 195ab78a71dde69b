// The form of a source: the product, its key and address, and how often it is pulled.

import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { SourceEntry, SourceProduct } from '../../../../contract/source-records.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { Select, TextInput } from '../../../parts/controls/fields.tsx';
import { app } from '../../../state/session.ts';

type Entry = InferOutput<typeof SourceEntry>;
type Product = InferOutput<typeof SourceProduct>;

/** Intervals by their minutes. */
const INTERVALS: Readonly<Record<string, string>> = {
  15: 'every 15 minutes',
  60: 'every hour',
  360: 'every 6 hours',
  1440: 'every day',
};

/** Returns an interval in words. */
export function intervalText(minutes: number): string {
  return INTERVALS[minutes] ?? `every ${minutes} minutes`;
}

/** Returns the product of a source, if it can be set up in the app. */
export function productOf(products: readonly Product[], { kind, name }: Entry) {
  if (kind === 'watch') return undefined;
  return products.find((each) => each.name === name.split(' ')[0]);
}

/** Returns the title of a source: its product, with the address if that is another one. */
export function titleOf(products: readonly Product[], source: Entry): string {
  if (source.kind === 'watch') return 'Watched folder';
  const [, address] = source.name.split(' ');
  const title = productOf(products, source)?.title;
  if (title === undefined) return source.name;
  return address === undefined ? title : `${title} at ${address}`;
}

/** What the form needs. */
export interface SourceFormProps {
  readonly product: Product;
  /** The source to change. Default: a new one. */
  readonly source?: Entry;
  /** Called when it is saved, with a sentence if its key could not be tried. */
  readonly onSaved: (unsure: string | null) => void;
  readonly onClose: () => void;
}

/** A dialog that adds a source, or changes the key or interval of one. */
export function SourceForm({ product, source, onSaved, onClose }: SourceFormProps) {
  const [minutes, setMinutes] = useState(String(source?.every_minutes ?? 60));
  const [key, setKey] = useState('');
  const [url, setUrl] = useState(source?.name.split(' ')[1] ?? '');
  const save = async () => {
    const { unsure } = await app.sources.save({
      product: product.name,
      every_minutes: Number(minutes),
      ...(key !== '' && { key }),
      ...(url !== '' && { url }),
    });
    onSaved(unsure);
  };
  const address = (
    <TextInput
      label="Address"
      required={product.needs_url}
      maxLength={1000}
      hint="Such as https://memories.example"
      value={url}
      onValue={setUrl}
    />
  );
  return (
    <Question
      title={
        source === undefined ? `Add ${product.title}` : `Change “${titleOf([product], source)}”`
      }
      action={source === undefined ? 'Add' : 'Save'}
      onAction={save}
      onClose={onClose}
    >
      {source === undefined && product.needs_url && address}
      {product.key !== 'none' && (
        <TextInput
          label={product.key === 'optional' ? 'Key (if it needs one)' : 'Key'}
          type="password"
          required={source === undefined && product.key === 'needed'}
          maxLength={4096}
          hint={
            source === undefined
              ? `From ${product.key_place ?? 'the settings of the product'}. It is stored encrypted.`
              : 'Leave it empty to keep the one that is stored.'
          }
          value={key}
          onValue={setKey}
        />
      )}
      {source === undefined && !product.needs_url && (
        <details>
          <summary>If you host it yourself</summary>
          {address}
        </details>
      )}
      <Select
        label="Import what is new"
        options={{ [minutes]: intervalText(Number(minutes)), ...INTERVALS }}
        value={minutes}
        onValue={setMinutes}
      />
    </Question>
  );
}
