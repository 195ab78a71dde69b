// Settings → Devices: the sessions, a link for another device, passkeys, the password, and the log.

import type { InferOutput } from 'valibot';

import type { AccountEvent, SessionEntry } from '../../../../contract/records.ts';
import { useAction } from '../../../parts/controls/action.ts';
import { Awaited, FailureNotice } from '../../../parts/notice.tsx';
import { useResource } from '../../../state/resource.ts';
import { app, me, signOut } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { SettingsScreen } from '../settings.tsx';
import { AnotherDevice } from './another-device.tsx';
import { Factors } from './factors.tsx';

type SessionRecord = InferOutput<typeof SessionEntry>;
type EventRecord = InferOutput<typeof AccountEvent>;

/** The events whose texts are not their names. */
const EVENTS: Readonly<Partial<Record<EventRecord['kind'], string>>> = {
  'link-created': 'Sign-in link created',
  'grant-allowed': 'Client connected',
  'grant-revoked': 'Client revoked',
};

/** Returns the text of an event, such as "Key created" for `key-created`. */
function eventText(kind: EventRecord['kind']): string {
  return EVENTS[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1).replace('-', ' ');
}

/** The screen of the devices. */
export function DevicesScreen() {
  const sessions = useResource('sessions', app.sessions.list);
  const events = useResource('events', app.events.list);
  const reload = () => {
    sessions.reload();
    events.reload();
  };
  const isReady = sessions.data !== undefined && events.data !== undefined;
  if (me.value?.session === null)
    return (
      <SettingsScreen title="Devices" isReady>
        <p>
          The program that embeds this gateway decides who is signed in, so there are no devices
          here.
        </p>
      </SettingsScreen>
    );
  return (
    <SettingsScreen title="Devices" isReady={isReady}>
      <p class="note">Browsers that are signed in to your account.</p>
      <Awaited {...sessions} reload={reload} rows={3} />
      {sessions.data !== undefined && <Sessions sessions={sessions.data} onChange={reload} />}
      <Factors onChange={reload} />
      <h2>Log</h2>
      <p class="note">The latest sign-ins and changes.</p>
      <FailureNotice failure={events.failure} onRetry={events.reload} />
      <Log events={events.data ?? []} />
    </SettingsScreen>
  );
}

interface SessionsProps {
  readonly sessions: readonly SessionRecord[];
  readonly onChange: () => void;
}

function Sessions({ sessions, onChange }: SessionsProps) {
  const ending = useAction();
  const canWrite = me.value?.can_write !== false;
  const end = (work: () => Promise<unknown>) =>
    ending.run(async () => {
      await work();
      onChange();
    });
  return (
    <>
      <ul class="items">
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionText session={session} />
            {session.is_current ? (
              <button type="button" disabled={!canWrite} onClick={() => ending.run(signOut)}>
                Sign out
              </button>
            ) : (
              <button
                type="button"
                disabled={!canWrite}
                aria-describedby={`session-${session.id}`}
                onClick={() => end(() => app.sessions.end({ id: session.id }))}
              >
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      <FailureNotice failure={ending.failure} />
      <p class="actions">
        <AnotherDevice onDone={onChange}>Sign in another device</AnotherDevice>
        <button
          type="button"
          disabled={!canWrite || sessions.length < 2}
          onClick={() => end(() => app.sessions.endOthers())}
        >
          End all others
        </button>
      </p>
    </>
  );
}

function SessionText({ session }: { readonly session: SessionRecord }) {
  const { id, agent, way, is_current, created_at, seen_at, ends_at } = session;
  const now = Date.now();
  const facts = [
    `signed in ${formats.value.moment(created_at)} by ${way === 'header' ? 'your proxy' : way}`,
    `seen ${formats.value.fromNow(seen_at, now)}`,
    `until ${formats.value.date(ends_at)}`,
  ];
  return (
    <div>
      <b id={`session-${id}`}>{agent}</b>
      {is_current && <span class="tag">this browser</span>}
      <p class="note">{facts.join(' · ')}</p>
    </div>
  );
}

function Log({ events }: { readonly events: readonly EventRecord[] }) {
  return (
    <ol class="log">
      {events.map(({ at, kind, subject, agent }, index) => (
        <li key={`${at} ${index}`}>
          <time dateTime={at}>{formats.value.moment(at)}</time>
          <span>
            {eventText(kind)}
            {subject === '' ? '' : ` · ${subject}`}
          </span>
          <span class="note">{agent}</span>
        </li>
      ))}
    </ol>
  );
}
