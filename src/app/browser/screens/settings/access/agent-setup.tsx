// How to connect an agent with a new key: a choice of clients, and the configuration of one with the key in it.

import { useState } from 'preact/hooks';

import type { KEY_PLACEHOLDER } from '../../../../contract/records.ts';
import type { Setup } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Select } from '../../../parts/controls/fields.tsx';
import { useResource } from '../../../state/resource.ts';
import { app } from '../../../state/session.ts';

// The type has it from the contract, so they cannot differ. The contract itself would bring its schemas.
const PLACEHOLDER: typeof KEY_PLACEHOLDER = 'YOUR_API_KEY';

interface AgentSetupProps {
  /** The text of the key. */
  readonly apiKey: string;
  readonly onCopied: () => void;
}

/** The choice of a client. Without the list it is absent: the key alone is enough. */
export function ClientChoice({ apiKey, onCopied }: AgentSetupProps) {
  const [chosen, setChosen] = useState('');
  const setups = useResource('agents', app.agents.list).data;
  if (setups === undefined) return null;
  const setup = setups.find(({ client }) => client === chosen);
  return (
    <>
      <Select
        label="Connect a client"
        options={{
          '': 'Choose a client…',
          ...Object.fromEntries(setups.map(({ client }) => [client, client])),
        }}
        value={chosen}
        onValue={setChosen}
      />
      {setup !== undefined && <ClientText key={chosen} {...{ setup, apiKey, onCopied }} />}
    </>
  );
}

/** The configuration of one client, with the key in it, and what to do with it. */
export function ClientText({
  setup,
  apiKey,
  onCopied,
}: AgentSetupProps & { readonly setup: Setup }) {
  const { client, text, place, afterwards } = setup;
  return (
    <>
      <CopyText
        label={`For ${client}`}
        text={text.replaceAll(PLACEHOLDER, apiKey)}
        isLong
        onCopied={onCopied}
      />
      <p class="note">
        Put this into {place}. {afterwards}
      </p>
    </>
  );
}
