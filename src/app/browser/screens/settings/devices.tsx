// Settings → Devices: the sessions, a link for another device, passkeys, the password, and the log.

import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { AccountEvent, QrCode, Session } from '../../../records.ts';
import { useAction } from '../../parts/action.ts';
import { CopyText } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { formats } from '../../parts/formats.ts';
import { FailureNotice, Loading, Notice } from '../../parts/notice.tsx';
import { isLoopback, signInPage } from '../../state/base.ts';
import { useResource } from '../../state/resource.ts';
import { app, me, signOut } from '../../state/session.ts';
import { COMMON, DEVICES, NAV } from '../../texts.ts';
import { Factors } from './factors.tsx';
import { Settings } from './settings.tsx';

type SessionRecord = InferOutput<typeof Session>;

interface ShownLink {
  readonly address: string;
  readonly qr: InferOutput<typeof QrCode> | null;
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
      <Settings title={DEVICES.title} isReady>
        <p>{DEVICES.noSession}</p>
      </Settings>
    );
  return (
    <Settings title={DEVICES.title} isReady={isReady}>
      <p class="note">{DEVICES.intro}</p>
      <FailureNotice failure={sessions.failure} onRetry={reload} />
      {sessions.data === undefined && sessions.failure === undefined && <Loading rows={3} />}
      {sessions.data !== undefined && <Sessions sessions={sessions.data} onChange={reload} />}
      <Factors onChange={reload} />
      <h2>{DEVICES.log}</h2>
      <p class="note">{DEVICES.logIntro}</p>
      <FailureNotice failure={events.failure} onRetry={events.reload} />
      <Log events={events.data ?? []} />
    </Settings>
  );
}

interface SessionsProps {
  readonly sessions: readonly SessionRecord[];
  readonly onChange: () => void;
}

function Sessions({ sessions, onChange }: SessionsProps) {
  const ending = useAction();
  const linking = useAction();
  const [link, setLink] = useState<ShownLink>();
  const canWrite = me.value?.can_write !== false;
  const end = (work: () => Promise<unknown>) =>
    ending.run(async () => {
      await work();
      onChange();
    });
  const another = () =>
    linking.run(async () => {
      const page = signInPage();
      const { secret, qr_code: qr } = await app.links.create({ page });
      setLink({ address: `${page}#${secret}`, qr });
    });
  const closeLink = () => {
    setLink(undefined);
    onChange();
  };
  return (
    <>
      <ul class="items">
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionText session={session} />
            {session.is_current ? (
              <button type="button" disabled={!canWrite} onClick={() => ending.run(signOut)}>
                {NAV.signOut}
              </button>
            ) : (
              <button
                type="button"
                disabled={!canWrite}
                aria-describedby={`session-${session.id}`}
                onClick={() => end(() => app.sessions.end({ id: session.id }))}
              >
                {DEVICES.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      <FailureNotice failure={ending.failure ?? linking.failure} />
      <p class="actions">
        <button type="button" class="primary" disabled={!canWrite} onClick={another}>
          {DEVICES.another}
        </button>
        <button
          type="button"
          disabled={!canWrite || sessions.length < 2}
          onClick={() => end(() => app.sessions.endOthers())}
        >
          {DEVICES.endOthers}
        </button>
      </p>
      {link !== undefined && <LinkDialog {...link} onClose={closeLink} />}
    </>
  );
}

function SessionText({ session }: { readonly session: SessionRecord }) {
  const { id, agent, way, is_current, created_at, seen_at, ends_at } = session;
  const now = Date.now();
  const facts = [
    `${DEVICES.since(formats.value.moment(created_at))} ${DEVICES.ways[way]}`,
    DEVICES.seen(formats.value.fromNow(seen_at, now)),
    DEVICES.until(formats.value.date(ends_at)),
  ];
  return (
    <div>
      <b id={`session-${id}`}>{agent}</b>
      {is_current && <span class="tag">{DEVICES.thisOne}</span>}
      <p class="note">{facts.join(' · ')}</p>
    </div>
  );
}

function LinkDialog({ address, qr, onClose }: ShownLink & { readonly onClose: () => void }) {
  return (
    <Dialog title={DEVICES.another} onClose={onClose}>
      <p>{DEVICES.anotherHint}</p>
      {isLoopback() && <Notice>{DEVICES.loopback}</Notice>}
      {qr !== null && <QrImage {...qr} />}
      <CopyText label={DEVICES.anotherLink} text={address} />
      <p class="actions">
        <button type="button" class="primary" onClick={onClose}>
          {COMMON.done}
        </button>
      </p>
    </Dialog>
  );
}

function Log({ events }: { readonly events: readonly InferOutput<typeof AccountEvent>[] }) {
  return (
    <ol class="log">
      {events.map(({ at, kind, subject, agent }, index) => (
        <li key={`${at} ${index}`}>
          <time dateTime={at}>{formats.value.moment(at)}</time>
          <span>
            {DEVICES.events[kind]}
            {subject === '' ? '' : ` · ${subject}`}
          </span>
          <span class="note">{agent}</span>
        </li>
      ))}
    </ol>
  );
}

/** A QR code, always dark on white, as cameras need it. */
function QrImage({ size, path }: InferOutput<typeof QrCode>) {
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={DEVICES.anotherQr}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
