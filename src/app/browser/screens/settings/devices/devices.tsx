// Settings → Devices: the sessions, a link for another device, passkeys, the password, and the log.

import type { InferOutput } from 'valibot';

import type { AccountEvent } from '../../../../contract/event-records.ts';
import type { SessionEntry } from '../../../../contract/records.ts';
import { counted, countedMemories } from '../../../format.ts';
import { useAction } from '../../../parts/controls/action.ts';
import { FailureNotice } from '../../../parts/notice.tsx';
import { shortDate, shortMoment } from '../../../parts/short-date.ts';
import { tellFailure } from '../../../state/changes/undo.ts';
import { useResource } from '../../../state/resource.ts';
import { app, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { OfMemory } from '../edits.tsx';
import { Items } from '../rows.tsx';
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

/** Returns the text of an event that only has a count, such as "2 memories deleted". */
function countText(kind: EventRecord['kind'], count: number): string | undefined {
  if (kind === 'edits-undone') return `${counted(count, 'edit')} undone`;
  if (kind === 'bin-emptied') return `${countedMemories(count)} erased`;
  const [what, done] = kind.split('-');
  return what === 'memories' ? `${countedMemories(count)} ${done}` : undefined;
}

/** The screen of the devices. */
export function DevicesScreen() {
  if (me.value?.session !== null) return <Devices />;
  return (
    <SettingsScreen title="Devices">
      <p>The program that embeds this gateway signs you in.</p>
    </SettingsScreen>
  );
}

function Devices() {
  const sessions = useResource('sessions', app.sessions.list);
  const passkeys = useResource('passkeys', app.passkeys.list);
  const events = useResource('events', app.events.list);
  const reload = () => {
    sessions.reload();
    events.reload();
  };
  return (
    <SettingsScreen title="Devices" loaded={[sessions, passkeys, events]}>
      <Items
        loaded={{ ...sessions, data: sessions.data?.toSorted(currentFirst), reload }}
        none="None."
        tell={factsOf}
        // This browser signs out in the menu, which asks if there is no way back.
        actionsOf={({ id, is_current }) =>
          is_current ? {} : { 'Sign out': () => app.sessions.end({ id }) }
        }
      />
      {sessions.data && <MoreActions isAlone={sessions.data.length < 2} onChange={reload} />}
      <Factors passkeys={passkeys} onChange={reload} />
      <h2>Log</h2>
      <FailureNotice failure={events.failure} onRetry={events.reload} />
      <Log events={events.data ?? []} />
    </SettingsScreen>
  );
}

interface MoreProps {
  /** Whether no other session is there. */
  readonly isAlone: boolean;
  readonly onChange: () => void;
}

function MoreActions({ isAlone, onChange }: MoreProps) {
  const ending = useAction(tellFailure);
  const endOthers = () =>
    ending.run(async () => {
      await app.sessions.endOthers();
      onChange();
    });
  return (
    <p class="actions">
      <AnotherDevice onDone={onChange}>Sign in another device</AnotherDevice>
      {!isAlone && (
        <button type="button" disabled={me.value?.can_write === false} onClick={endOthers}>
          Sign out all others
        </button>
      )}
    </p>
  );
}

function currentFirst(a: SessionRecord, b: SessionRecord): number {
  return Number(b.is_current) - Number(a.is_current);
}

function factsOf({ agent, way, is_current, created_at, seen_at, ends_at }: SessionRecord) {
  const { fromNow } = formats.value;
  return {
    title: is_current ? 'This browser' : agent,
    facts: [
      is_current ? agent : `last used ${fromNow(seen_at, Date.now())}`,
      // The time of day tells browsers of one kind apart.
      `signed in ${shortMoment(created_at)} by ${way === 'header' ? 'your proxy' : way}`,
      `until ${shortDate(ends_at)}`,
    ],
  };
}

/** The log by days. The browser is that of this page, where no other is named. */
function Log({ events }: { readonly events: readonly EventRecord[] }) {
  const { date, time } = formats.value;
  const days = Map.groupBy(events, ({ at }) => date(at));
  return [...days].map(([day, all]) => (
    <section key={day}>
      <h3>{day}</h3>
      <ol class="log">
        {all.map(({ at, kind, subject, agent }, index) => (
          <li key={`${at} ${index}`}>
            <time dateTime={at}>{time(at)}</time>
            <span>
              {countText(kind, Number(subject)) ?? (
                <>
                  {eventText(kind)}
                  {subject !== '' && ' · '}
                  {kind.startsWith('share-') ? <OfMemory id={subject} /> : subject}
                </>
              )}
            </span>
            <span class="note">{agent !== me.value?.session?.agent && agent}</span>
          </li>
        ))}
      </ol>
    </section>
  ));
}
