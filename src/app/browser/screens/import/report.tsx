// The report of the importer: what is new, what is known, from which days, and what cannot be imported.

import type { InferOutput } from 'valibot';

import type { ImportReport as Report } from '../../../import-records.ts';
import { countedMemories } from '../../format.ts';
import { FactList } from '../../parts/facts.tsx';
import { formats } from '../../parts/time-formats.ts';

/** The report, before an import or after it. */
export function ImportReport({ report, isDone }: ReportProps) {
  const { added, updated, unchanged, rejected, rejects, first_started_at, last_started_at } =
    report;
  const facts = {
    [isDone ? 'Added' : 'New']: countedMemories(added),
    [isDone ? 'Updated' : 'Changed']: String(updated),
    'Known already': String(unchanged),
    ...(first_started_at !== null && { From: day(first_started_at), To: day(last_started_at) }),
    ...(report.formats.length > 0 && { Kind: listOf(report.formats) }),
    ...(report.skipped.length > 0 && { Skipped: listOf(report.skipped) }),
    ...(rejected > 0 && { 'Cannot be read': String(rejected) }),
  };
  const isNothing = added + updated + unchanged + rejected === 0;
  return (
    <>
      {isNothing ? (
        <p>
          There is no recording of a known kind in these files. Try another export of your product.
        </p>
      ) : (
        <FactList facts={facts} />
      )}
      {report.dated_by_file > 0 && (
        <p class="note">
          {report.dated_by_file} of them say no time, so they get the time at which their file was
          changed.
        </p>
      )}
      {rejects.length > 0 && (
        <details>
          <summary>What cannot be read</summary>
          <ul class="plain-list">
            {rejects.map(({ file, reason }) => (
              <li key={file + reason}>
                {file}: {reason}.
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface ReportProps {
  readonly report: InferOutput<typeof Report>;
  readonly isDone: boolean;
}

function listOf(counts: InferOutput<typeof Report>['formats']): string {
  return counts.map(({ name, count }) => `${name} (${count})`).join(', ');
}

function day(time: string | null): string {
  return time === null ? '' : formats.value.date(time);
}
