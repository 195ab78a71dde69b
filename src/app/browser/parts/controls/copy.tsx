// A text to copy: a field that can be selected, and a button that also works on plain http.

import { useId, useRef, useState } from 'preact/hooks';

import { isSecure } from '../../state/base.ts';

/** What a text to copy needs. */
export interface CopyTextProps {
  readonly label: string;
  readonly text: string;
  /** Shows all of it on several lines. A field of one line shows only the end of a text that is selected in it. */
  readonly isLong?: boolean;
  /** The class of the button. */
  readonly class?: string;
  readonly onCopied?: () => void;
}

/** A text with the button "Copy". */
export function CopyText({ label, text, isLong, class: own, onCopied }: CopyTextProps) {
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isCopied, setCopied] = useState<boolean>();
  // So that it can be copied by hand.
  const select = () => field.current?.select();
  const press = async () => {
    field.current?.focus({ preventScroll: true });
    select();
    const worked = await copy({ text });
    setCopied(worked);
    if (!worked) return;
    button.current?.focus();
    onCopied?.();
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
    onFocus: select,
    onCopy: onCopied,
  } as const;
  return (
    <div class="copy">
      <label for={id}>{label}</label>
      {isLong ? (
        <textarea
          rows={Math.min(text.split('\n').length + 2, 14)}
          wrap={text.includes('\n ') ? 'off' : undefined}
          {...common}
        />
      ) : (
        <input type="text" {...common} />
      )}
      <button type="button" ref={button} class={own} aria-live="polite" onClick={press}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      {isCopied === false && (
        <p class="note" role="status">
          Press Ctrl+C or ⌘C to copy the selected text.
        </p>
      )}
    </div>
  );
}

/** A text to copy, and the same as HTML for programs that take it. */
export interface CopiedText {
  readonly text: string;
  readonly html?: string;
}

/**
 * Copies a text. Returns whether it worked: on plain http there is no clipboard, and it may not be allowed.
 * Focus and selection stay as they are.
 */
export async function copy({ text, html }: CopiedText): Promise<boolean> {
  const types = { 'text/plain': text, ...(html !== undefined && { 'text/html': html }) };
  try {
    // First, because nothing is selected for it: whoever looks at the selection would see it change.
    if (isSecure) {
      await navigator.clipboard.write([new ClipboardItem(types)]);
      return true;
    }
  } catch {
    // It may not be allowed.
  }
  const fill = (event: ClipboardEvent) => {
    event.preventDefault();
    for (const [type, data] of Object.entries(types)) event.clipboardData?.setData(type, data);
  };
  const { activeElement } = document;
  const selection = getSelection();
  const range = selection?.rangeCount === 1 ? selection.getRangeAt(0) : undefined;
  // Safari copies only if something is selected.
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.focus({ preventScroll: true });
  field.select();
  document.addEventListener('copy', fill);
  const worked = document.execCommand('copy');
  document.removeEventListener('copy', fill);
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
  if (range !== undefined) {
    selection?.removeAllRanges();
    selection?.addRange(range);
  }
  return worked;
}
