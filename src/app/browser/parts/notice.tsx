// Notices: a failure with the gateway's own sentence, and a pause before anything says that it loads.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Failure } from '../../../contract/failure.ts';
import { failedRequest } from '../state/connection.ts';
import { focusHeading } from '../state/focus.ts';
import type { Resource } from '../state/resource.ts';
import { me } from '../state/session.ts';

/** A failure: what happened and what to do, and a button that tries again. */
export function FailureNotice({
  failure,
  onRetry,
  isSignIn,
}: {
  readonly failure: Failure | undefined;
  /** Whether a 401 is about what was typed. Elsewhere the sign-in page says it all. */
  readonly isSignIn?: boolean;
  readonly onRetry?: (() => void) | undefined;
}) {
  if (failure === undefined || (failure.status === 401 && !isSignIn)) return null;
  const isLost = failure.reason === 'network';
  // The bar says why, and tries again.
  if (isLost && onRetry) return <p class="note">This opens when the connection is back.</p>;
  return (
    <div class="notice failure" role="alert">
      <p>{isLost ? 'This was not done, because there is no connection.' : failure.detail}</p>
      {failure.status >= 500 && failedRequest.value !== undefined && (
        <p class="note code">Request {failedRequest.value}</p>
      )}
      {onRetry !== undefined && <PassingButton onClick={onRetry}>Try again</PassingButton>}
    </div>
  );
}

interface PassingButtonProps {
  readonly class?: string;
  readonly title?: string | undefined;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A button that goes when it has done its work. The heading of the screen gets its focus. */
export function PassingButton(props: PassingButtonProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    return () => {
      if (document.activeElement === button) focusHeading();
    };
  }, []);
  return <button type="button" ref={ref} {...props} />;
}

/** What the demo does not do, and how to begin with memories of one's own. Nothing, if this is no demo. */
export function DemoNote() {
  const start = me.value?.start_command;
  if (typeof start !== 'string') return null;
  return (
    <Notice>
      This demo imports and deletes nothing. For your own memories, stop it and run{' '}
      <code translate={false}>{start}</code>.
    </Notice>
  );
}

/** A sentence that the reader should know. */
export function Notice({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice" role="status">
      <p>{children}</p>
    </div>
  );
}

/** What is shown in the place of data: a failure, or that it is still loading. */
export function Awaited({ data, failure, reload }: Omit<Resource<unknown>, 'replace'>) {
  return (
    <>
      <FailureNotice failure={failure} onRetry={reload} />
      {data === undefined && failure === undefined && <Loading />}
    </>
  );
}

const PATIENCE_MS = 150;

/** Rows of about the height of what is loading. Nothing for the first 150 ms. */
export function Loading() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <div class="loading" aria-busy="true">
      {Array.from({ length: 6 }, (_, row) => (
        <div key={row} />
      ))}
    </div>
  );
}
