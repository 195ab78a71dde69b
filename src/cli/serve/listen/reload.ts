// What is logged, and how SIGHUP changes it: it reads the files with settings again while the server runs.

import { Refusal } from '../../../store/refusal.ts';
import type { Args } from '../../args/args.ts';
import { readLogFormat, readLogSettings, type LogSettings } from '../../args/log.ts';
import type { OptionName } from '../../args/options/options.ts';
import { UsageError } from '../../args/parse.ts';
import type { Context } from '../../context.ts';
import type { LogFormat, ProgramLog } from '../../output/logger.ts';

/** Returns whether requests are logged now. Undefined if that cannot change, and they are not. */
export type AccessLogSwitch = (() => boolean) | undefined;

/** What is logged, and how it changes. */
export interface LogControl {
  readonly format: LogFormat | undefined;
  readonly accessLog: AccessLogSwitch;
  readonly settings: () => LogSettings;
  /**
   * Returns what SIGHUP does, or undefined if it stops the program: if there is no file to read again, and on
   * a terminal, where it means that the terminal is gone.
   */
  readonly onHangUp: (log: ProgramLog) => (() => void) | undefined;
}

/** Reads what is logged. `options` are those of the command. Throws `UsageError`. */
export function createLogControl(
  args: Args,
  options: readonly OptionName[],
  { stdin, stdout, stderr }: Context,
): LogControl {
  let current = readLogSettings(args);
  const isOnTerminal = [stdin, stdout, stderr].some(({ isTTY }) => isTTY);
  const canReload = args.settings.files().length > 0 && !isOnTerminal;
  const mayLog = current.accessLog || canReload;
  return {
    format: readLogFormat(args),
    accessLog: mayLog ? () => current.accessLog : undefined,
    settings: () => current,
    onHangUp(log) {
      if (!canReload) return undefined;
      return createReload(args, options, {
        log,
        apply(settings) {
          current = settings;
          log.logger.level = settings.level;
        },
      });
    },
  };
}

/** Creates the function that reads the files again. If one is wrong, it logs an error and nothing changes. */
function createReload(
  args: Args,
  options: readonly OptionName[],
  { log, apply }: { readonly log: ProgramLog; readonly apply: (settings: LogSettings) => void },
): () => void {
  const read = () => new Map(options.map((name) => [name, args.text(name)]));
  let active = read();
  return () => {
    try {
      args.settings.load();
      apply(readLogSettings(args));
    } catch (error) {
      if (!(error instanceof UsageError) && !(error instanceof Refusal)) throw error;
      log.logger.error({ reason: error.message }, 'settings not reloaded');
      return;
    }
    const now = read();
    const changed = options.filter((name) => now.get(name) !== active.get(name));
    const waiting = changed.filter((name) => !isLive(name, active.get(name), now.get(name)));
    active = now;
    log.logger.info({ files: args.settings.files(), changed }, 'settings reloaded');
    if (waiting.length > 0)
      log.logger.warn({ options: waiting }, 'restart the program for these options');
  };
}

/** Returns whether an option takes effect without a restart. Addresses are read only if the server started so. */
function isLive(name: OptionName, before: string | undefined, now: string | undefined): boolean {
  if (name === 'access-log') return before !== 'address' && now !== 'address';
  return name === 'log-level';
}
