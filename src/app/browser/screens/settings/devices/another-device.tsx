// A button that makes a sign-in link for another device, and shows it as a QR code.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { QrCode } from '../../../../contract/records.ts';
import { useAction } from '../../../parts/controls/action.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Dialog, DoneButton } from '../../../parts/controls/dialog.tsx';
import { Link } from '../../../parts/link.tsx';
import { FailureNotice } from '../../../parts/notice.tsx';
import { isOnThisMachine, signInPage } from '../../../state/base.ts';
import { app, me } from '../../../state/session.ts';

interface ShownLink {
  readonly address: string;
  readonly qr: InferOutput<typeof QrCode> | null;
}

interface AnotherDeviceProps {
  /** The address of the sign-in page as the other device opens it. Default: as this one has it. */
  readonly page?: string;
  /** Called when the link was read. */
  readonly onDone?: () => void;
  readonly children: ComponentChildren;
}

/** A button that signs in another device. */
export function AnotherDevice({ page = signInPage(), onDone, children }: AnotherDeviceProps) {
  const linking = useAction();
  const [link, setLink] = useState<ShownLink>();
  const create = () =>
    linking.run(async () => {
      const { secret, qr_code: qr } = await app.links.create({ page });
      setLink({ address: `${page}#${secret}`, qr });
    });
  const close = () => {
    setLink(undefined);
    onDone?.();
  };
  return (
    <>
      <button
        type="button"
        class="primary"
        disabled={me.value?.can_write === false || linking.isBusy}
        onClick={create}
      >
        {children}
      </button>
      <FailureNotice failure={linking.failure} />
      {link !== undefined && (
        <Dialog title="Sign in another device" onClose={close}>
          {page === signInPage() && isOnThisMachine() ? (
            <p>
              Other devices cannot reach this address. <Link to="settings/phone">Phone</Link> shows
              how to give them one. This link is for another browser of this computer. It works
              once, within 10 minutes.
            </p>
          ) : (
            <>
              <p>
                Open it on the other device, or scan the code. It works once, within 10 minutes.
              </p>
              {link.qr !== null && <QrImage {...link.qr} />}
            </>
          )}
          <CopyText label="Sign-in link" text={link.address} isLong class="primary" />
          <DoneButton onDone={close} />
        </Dialog>
      )}
    </>
  );
}

/** A QR code, always dark on white, as cameras need it. */
function QrImage({ size, path }: InferOutput<typeof QrCode>) {
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of the sign-in link"
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
