// The configuration of a client with its new key in it.

import type { KEY_PLACEHOLDER } from '../../../../contract/records.ts';
import type { Setup } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';

// The type has it from the contract, so they cannot differ. The contract itself would bring its schemas.
const PLACEHOLDER: typeof KEY_PLACEHOLDER = 'YOUR_API_KEY';

interface ClientTextProps {
  readonly setup: Setup;
  /** The text of the key. */
  readonly apiKey: string;
  readonly onCopied: () => void;
}

/** The configuration of a client, and what to do with it. */
export function ClientText({ setup, apiKey, onCopied }: ClientTextProps) {
  const { client, text, place, afterwards } = setup;
  return (
    <>
      <CopyText
        label={`For ${client}`}
        text={text.replaceAll(PLACEHOLDER, apiKey)}
        isLong
        class="primary"
        onCopied={onCopied}
      />
      <p class="note">
        Put this into {place}. {afterwards}
      </p>
    </>
  );
}
