// A dialog over the page, and a button that opens one. The browser holds the focus in it, and gives it back.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { FailureNotice } from '../notice.tsx';
import { useAction } from './action.ts';

/** What a dialog needs. */
export interface DialogProps {
  readonly title: string;
  /** Called when the reader wants to close it, with Escape as well. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** What had the focus before each open dialog. */
const openers = new WeakMap<Element, Element | null>();

/** Returns what gets the focus after a dialog that opens now. If it opens over another, that is what the other one would give it to. */
function findOpener(): Element | null {
  const below = Array.from(document.querySelectorAll('dialog[open]')).at(-1);
  return below === undefined ? document.activeElement : (openers.get(below) ?? null);
}

/** A dialog, open as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Its end must not wait for the next frame: keys go to what has the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return undefined;
    const opener = findOpener();
    openers.set(dialog, opener);
    dialog.showModal();
    // What somebody types replaces the old name, instead of following it.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.select();
    return () => {
      // The browser gives the focus back if the dialog is closed before it is removed, but not to what was in
      // another dialog that is gone.
      dialog.close();
      const { activeElement: now } = document;
      const isLost = now === document.body || dialog.contains(now);
      if (isLost && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault(); // the owner decides
    onClose();
  };
  // Chromium closes a dialog at a repeated Escape without asking.
  const stay = () => {
    if (ref.current === null) return;
    ref.current.showModal();
    onClose();
  };
  return (
    <dialog ref={ref} aria-labelledby={id} onCancel={cancel} onClose={stay}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The button below what a dialog shows. It is quieter than what can be done with that. */
export function DoneButton({ onDone }: { readonly onDone: () => void }) {
  return (
    <p class="actions">
      <button type="button" onClick={onDone}>
        Done
      </button>
    </p>
  );
}

/**
 * Returns how a dialog closes that shows a secret once, and its end. Unless it is safe, because the secret was copied or
 * there is none, it asks first.
 */
export function useSecretEnd(what: string, isSafe: boolean, onClose: () => void) {
  const [isAsking, setAsking] = useState(false);
  const close = () => (isSafe ? onClose() : setAsking(true));
  const end = isAsking ? (
    <div class="notice" role="alert">
      <p>You have not copied the {what}. Close anyway?</p>
      <p class="actions">
        <button type="button" class="danger" onClick={onClose}>
          Close without copying
        </button>
        <button type="button" onClick={() => setAsking(false)}>
          Back to the {what}
        </button>
      </p>
    </div>
  ) : (
    <DoneButton onDone={close} />
  );
  return [close, end] as const;
}

/** What a question needs. */
export interface QuestionProps extends DialogProps {
  /** The text of the button that does it. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Does it. A failure is shown. Otherwise the question closes, unless this returns `false`. */
  readonly onAction: () => Promise<unknown>;
}

/** A dialog with one action and "Cancel". */
export function Question(props: QuestionProps) {
  const { action, isDangerous, onAction, onClose, children, title } = props;
  const acting = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void acting.run(async () => {
      if ((await onAction()) !== false) onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        <FailureNotice failure={acting.failure} />
        <p class="actions">
          <button class={isDangerous ? 'danger' : 'primary'} disabled={acting.isBusy}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}

interface AskButtonProps extends Omit<QuestionProps, 'onClose'> {
  /** The text of the button. */
  readonly text: string;
  readonly class?: string;
  readonly disabled?: boolean;
  /** What asks. Default: the question alone. */
  readonly asking?: (props: QuestionProps) => ComponentChildren;
}

/** A button that asks before it does something. */
export function AskButton(props: AskButtonProps) {
  const { text, class: own, disabled, asking: Asking = Question, ...question } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class={own} disabled={disabled} onClick={() => setAsking(true)}>
        {text}
      </button>
      {isAsking && <Asking {...question} onClose={() => setAsking(false)} />}
    </>
  );
}
