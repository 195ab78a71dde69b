// A text to copy: a field that can be selected, and a button that also works on plain http.

import { useId, useRef, useState } from 'preact/hooks';

import { isSecure } from '../state/base.ts';

/** What a text to copy needs. */
export interface CopyTextProps {
  readonly label: string;
  readonly text: string;
  /** Shows all of it on several lines. */
  readonly isLong?: boolean;
  readonly onCopied?: () => void;
}

/** A text with the button "Copy". */
export function CopyText({ label, text, isLong, onCopied }: CopyTextProps) {
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState<boolean>();
  const copy = async () => {
    if (field.current === null) return;
    const worked = await copyField(field.current);
    setCopied(worked);
    if (worked) onCopied?.();
  };
  const common = {
    id,
    ref: field,
    class: 'code',
    readOnly: true,
    value: text,
    spellcheck: false,
    translate: false, // a key must not reach the translator of a browser
    autocomplete: 'off',
    onFocus: () => field.current?.select(),
    onCopy: onCopied,
  } as const;
  return (
    <div class="copy">
      <label for={id}>{label}</label>
      {isLong === true ? (
        <textarea rows={Math.min(text.split('\n').length + 2, 14)} {...common} />
      ) : (
        <input type="text" {...common} />
      )}
      <button type="button" onClick={copy}>
        Copy
      </button>
      <p class="note" role="status">
        {isCopied === undefined
          ? ''
          : isCopied
            ? 'Copied'
            : 'Press Ctrl+C or ⌘C to copy the selected text.'}
      </p>
    </div>
  );
}

/** Copies the text of a field. Returns whether it worked. The field stays selected. */
async function copyField(field: HTMLInputElement | HTMLTextAreaElement): Promise<boolean> {
  field.focus({ preventScroll: true });
  field.select();
  return (await write(field.value)) || document.execCommand('copy');
}

/** Copies a text that is in no field. Returns whether it worked. Focus and selection stay as they are. */
export async function copyText(text: string): Promise<boolean> {
  // First, because nothing is selected for it: whoever looks at the selection would see it change.
  if (await write(text)) return true;
  const { activeElement } = document;
  const selection = getSelection();
  const range = selection?.rangeCount === 1 ? selection.getRangeAt(0) : undefined;
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.focus({ preventScroll: true });
  field.select();
  const worked = document.execCommand('copy');
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
  if (range !== undefined) {
    selection?.removeAllRanges();
    selection?.addRange(range);
  }
  return worked;
}

/** Writes to the clipboard. Returns whether it worked: on plain http there is none, and it may not be allowed. */
async function write(text: string): Promise<boolean> {
  try {
    if (isSecure) await navigator.clipboard.writeText(text);
    return isSecure;
  } catch {
    return false;
  }
}
