// The recording of a memory: a player that follows the text, or links to it at its product.

import { useMemo, useRef, useState } from 'preact/hooks';

import type { TranscriptLine } from '../../../../../text/turns.ts';
import { useShortcuts } from '../../../keyboard/keyboard.ts';
import { appAddressOf } from '../../../state/base.ts';
import { comebacks } from '../../../state/connection.ts';
import { me, sendInSession } from '../../../state/session.ts';
import { focusedLine } from '../line-element.ts';
import { fragmentOf } from '../lines.ts';
import type { ShownDetails } from '../memory.ts';
import type { ReaderState } from '../reader-state.ts';
import { clockOf, createCues, momentOf, linkOf, turnOf, type Cue, type Cues } from './cues.ts';
import { useTimes } from './times.ts';

/** What the recording of a memory needs. */
export interface PlayerProps {
  readonly id: string;
  readonly details: ShownDetails;
  readonly lines: readonly TranscriptLine[];
  readonly state: ReaderState;
}

interface RecordingProps extends PlayerProps {
  readonly cues: Cues;
}

/** Whether there is a recording that can be heard here or at its product. */
export function canListen({ audio }: ShownDetails): boolean {
  return audio != null && (me.value?.can_listen === true || /^https?:/i.test(audio));
}

/** The recording of a memory. */
export function Player(props: PlayerProps) {
  const { audio, line_starts_ms } = props.details;
  const cues = useMemo(() => createCues(line_starts_ms ?? []), [line_starts_ms]);
  const link = linkOf(audio ?? '');
  return link === undefined ? (
    <Here {...props} cues={cues} />
  ) : (
    <Elsewhere {...props} cues={cues} link={link} />
  );
}

const NO_CUES = createCues([]);
const IN_NEW_TAB = { target: '_blank', rel: 'noreferrer' };

/** A link to the recording at its product. The times are links as well, if moments have addresses. */
function Elsewhere({ link, cues, state }: RecordingProps & { readonly link: URL }) {
  useTimes(state, cues, ({ ms }) => {
    const href = momentOf(link, ms);
    return href === undefined ? undefined : { href, ...IN_NEW_TAB };
  });
  return (
    <p class="when">
      <a href={link.href} {...IN_NEW_TAB}>
        Recording at {link.host}
      </a>
    </p>
  );
}

/** The player of a recording that the gateway serves. */
function Here({ id, lines, cues, state }: RecordingProps) {
  const player = useRef<HTMLAudioElement>(null);
  const last = useRef<Cue>(undefined);
  const [why, setWhy] = useState({ said: '', after: 0 });
  // It is loaded again when the connection has come back.
  const said = why.after === comebacks.value ? why.said : '';
  const url = appAddressOf(`v1/memories/${id}/audio`);
  const play = (cue?: Cue) => {
    if (player.current === null) return;
    if (cue !== undefined) player.current.currentTime = cue.ms / 1000;
    player.current.play().catch(() => undefined); // its error event says why
  };
  const hear = useTimes(state, said === '' ? cues : NO_CUES, (cue) => ({
    href: `#${fragmentOf(lines, { first: cue.line, last: cue.line })}`,
    ariaLabel: `Play from ${clockOf(cue.ms)}`,
    onclick(event) {
      const { ctrlKey, metaKey, shiftKey } = event;
      if (ctrlKey || metaKey || shiftKey) return;
      event.preventDefault();
      play(cue);
    },
  }));
  const follow = () => {
    if (player.current === null) return;
    const before = last.current;
    const now = cues.at(player.current.currentTime * 1000);
    last.current = now;
    hear(now && turnOf(lines, now.line));
    // The text moves only for a reader who sees what is heard.
    const { first, last: end } = state.position.value ?? { first: 1, last: 1 };
    const isSeen = (line: number) => line >= first && line < end;
    const isFollowed = before !== undefined && isSeen(before.line) && !player.current.paused;
    if (isFollowed && now !== undefined && !isSeen(now.line) && state.only.value === undefined)
      state.view.current?.toLine(now.line, innerHeight / 3);
  };
  useShortcuts([
    {
      keys: ['k'],
      text: 'Play or pause',
      run: () => (player.current?.paused === false ? player.current.pause() : play()),
    },
    {
      keys: ['l'],
      text: 'Play from this line',
      run: () => {
        play(cues.of(focusedLine() ?? state.position.value?.first ?? 1));
      },
    },
  ]);
  return said === '' ? (
    <div class="player">
      <audio
        ref={player}
        controls
        preload="metadata"
        src={url}
        aria-label="Recording"
        onTimeUpdate={follow}
        onError={async () => {
          const text = await whyNot(url);
          setWhy({ said: text, after: comebacks.value });
        }}
      />
    </div>
  ) : (
    <p class="note">{said}</p>
  );
}

/** Returns why a recording cannot be played. */
async function whyNot(url: string): Promise<string> {
  try {
    const request = new Request(url, { headers: { range: 'bytes=0-0' } });
    const response = await sendInSession(request);
    if (response.ok) return 'This browser cannot play the recording.';
    return ((await response.json()) as { detail: string }).detail;
  } catch {
    return 'The recording needs a connection.';
  }
}
