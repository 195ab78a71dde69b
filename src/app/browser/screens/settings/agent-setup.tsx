// How to connect an agent with a new key: a choice of clients, and the configuration of one with the key in it.

import { useId, useState } from 'preact/hooks';

import type { KEY_PLACEHOLDER } from '../../../records.ts';
import { CopyText } from '../../parts/copy.tsx';
import { useResource } from '../../state/resource.ts';
import { app } from '../../state/session.ts';
import { KEY } from '../../texts.ts';

// The type has it from the contract, so they cannot differ. The contract itself would bring its schemas.
const PLACEHOLDER: typeof KEY_PLACEHOLDER = 'YOUR_API_KEY';

interface AgentSetupProps {
  /** The text of the key. */
  readonly apiKey: string;
  readonly onCopied: () => void;
}

/** The choice of a client. Without the list it is absent: the key alone is enough. */
export function AgentSetup({ apiKey, onCopied }: AgentSetupProps) {
  const id = useId();
  const [chosen, setChosen] = useState('');
  const setups = useResource('agents', app.agents.list).data;
  if (setups === undefined) return null;
  const setup = setups.find(({ client }) => client === chosen);
  return (
    <>
      <p class="field">
        <label for={id}>{KEY.agent}</label>
        <select id={id} onChange={(event) => setChosen(event.currentTarget.value)}>
          <option value="">{KEY.noAgent}</option>
          {setups.map(({ client }) => (
            <option key={client}>{client}</option>
          ))}
        </select>
      </p>
      {setup !== undefined && (
        <>
          <CopyText
            key={chosen}
            label={KEY.agentFor(chosen)}
            text={setup.text.replaceAll(PLACEHOLDER, apiKey)}
            isLong
            onCopied={onCopied}
          />
          <p class="note">{KEY.agentPlace(setup.place)}</p>
        </>
      )}
    </>
  );
}
