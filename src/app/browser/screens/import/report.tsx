// The report of the importer: counts of new, changed and known memories, their days, and the files that it could not read.

import type { InferOutput } from 'valibot';

import { lengthOf } from '../../../../text/length.ts';
import type { ImportReport as ReportSchema } from '../../../contract/import-records.ts';
import { counted, countedMemories } from '../../format.ts';
import { FactList } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { shortMoment } from '../../parts/short-date.ts';
import { titleOf } from '../../parts/title.ts';
import { formats } from '../../time-formats.ts';

type Report = InferOutput<typeof ReportSchema>;
type Counts = Report['formats'];

/** The report: what an import would do until it has ended, and then what it did. */
export function ImportReport({ report, isDone }: ReportProps) {
  const { added, updated, unchanged, rejected, rejects, advice, in_bin } = report;
  const count = added + updated + unchanged;
  const isMixed = Math.max(added, updated, unchanged) < count;
  const memories = report.memories.toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1));
  const [first, others] = [memories.slice(0, FEW), memories.slice(FEW)];
  const facts = factsOf(report);
  return (
    <>
      {count + rejected + in_bin.length === 0 && advice.length === 0 && (
        <p>There is no recording of a known kind in these files: choose others.</p>
      )}
      {first.length > 0 && <Names memories={first} {...{ isDone, isMixed }} />}
      {others.length > 0 && (
        <details>
          <summary>
            {memories.length < count
              ? `The next ${others.length.toLocaleString('en')} of ${count.toLocaleString('en')}`
              : `${others.length.toLocaleString('en')} more`}
          </summary>
          <Names memories={others} {...{ isDone, isMixed }} />
        </details>
      )}
      {count > 0 && in_bin.length > 0 && (
        <details open>
          <summary>In the bin</summary>
          <Names memories={in_bin} isDone />
        </details>
      )}
      {advice.map((text) => (
        <p key={text} class="notice">
          {text}
        </p>
      ))}
      {rejects.length + report.skipped_files.length > 0 && (
        <details open>
          <summary>What is left out</summary>
          <ul class="plain-list">
            {rejects.map(({ file, reason }) => (
              <li key={reason}>
                {file}: {reason}.
              </li>
            ))}
            {report.skipped_files.length > 0 && (
              <li>{report.skipped_files.join(', ')}: no recording of a known kind.</li>
            )}
          </ul>
        </details>
      )}
      {Object.keys(facts).length > 0 && (
        <details open={count + in_bin.length === 0}>
          <summary>Details</summary>
          <FactList facts={facts} />
        </details>
      )}
      {report.dated_by_file > 0 && (
        <p class="note">
          {countedMemories(report.dated_by_file)} without a time of its own: the start is when the
          file was last changed.
        </p>
      )}
    </>
  );
}

interface NamesProps {
  readonly memories: Report['in_bin'] | Report['memories'];
  /** Whether new ones are there, and can be opened. */
  readonly isDone: boolean;
  /** Whether not all are new, changed or known. */
  readonly isMixed?: boolean;
}

function Names({ memories, isDone, isMixed }: NamesProps) {
  return (
    <ul class="items">
      {memories.map(({ id, name, started_at: at, duration_seconds, lines, ...more }) => {
        const title = <bdi>{titleOf(name)}</bdi>;
        const result = 'result' in more ? more.result : 'added';
        const facts = [
          isMixed && RESULTS[result],
          shortMoment(at),
          lengthOf(duration_seconds),
          lines > 0 && counted(lines, 'line'),
        ];
        return (
          <li key={id}>
            <div>
              <b>{isDone || result !== 'added' ? <Link to={`m/${id}`}>{title}</Link> : title}</b>
              <p class="note">{facts.filter(Boolean).join(' · ')}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function factsOf(report: Report): Record<string, string> {
  const { first_started_at, last_started_at, skipped, not_kept } = report;
  return {
    ...(first_started_at !== null &&
      last_started_at !== null && {
        Recorded: formats.value.spanOfYear(first_started_at, last_started_at),
      }),
    ...(report.formats.length > 0 && {
      'Read as': listOf(report.formats.toSorted((a, b) => b.count - a.count)),
    }),
    ...some('Without a transcript', report.without_transcript),
    ...some('Without times of lines', report.without_line_times),
    ...some('Speakers without names', report.unnamed_speakers),
    ...(skipped.length > 0 && { Skipped: listOf(skipped) }),
    // The original is kept, so that a later version can read it again.
    ...(not_kept.length > 0 && {
      'In the originals alone': not_kept
        .map(({ format, names }) => `${format}: ${listOf(names)}`)
        .join('; '),
    }),
  };
}

function some(name: string, count: number): Record<string, string> {
  return count > 0 ? { [name]: String(count) } : {};
}

/** More memories than these are folded. */
const FEW = 5;

/** What becomes of a memory that is not new. */
const RESULTS = { added: '', updated: 'changed', unchanged: 'known already' } as const;

interface ReportProps {
  readonly report: Report;
  /** Whether the memories are there, because they were imported now or before. */
  readonly isDone: boolean;
}

function listOf(counts: Counts): string {
  return counts.map(({ name, count }) => `${name} (${count})`).join(', ');
}
