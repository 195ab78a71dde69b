// The command that prints a sign-in link, and where to run it.

import { CopyText } from '../../parts/controls/copy.tsx';
import { APP, isOnThisMachine } from '../../state/base.ts';
import type { SignedInAccount } from '../../state/session.ts';

interface CommandProps {
  readonly ways: SignedInAccount['ways'];
}

/** Returns the option of commands that keeps the port of this page. On another machine, its owner knows the port. */
export function portOption(): string {
  return isOnThisMachine() && APP.port ? `--port ${APP.port}` : '';
}

/** The command to copy. On another machine, its owner knows the database. */
export function SignInCommand({ ways: { command, database_option } }: CommandProps) {
  const words = [`${command} sign-in`, portOption(), database_option];
  const place = command.startsWith('npm ') ? ' in the folder of Memory Gateway' : '';
  return (
    <CopyText
      label={`On the computer that has the memories, run this${place}, and open the link that it prints:`}
      text={words.filter(Boolean).join(' ')}
      isLong
    />
  );
}
