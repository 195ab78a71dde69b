// The report of the importer: counts of new, changed and known memories, their days, and the files that it could not read.

import type { InferOutput } from 'valibot';

import type { ImportReport as ReportSchema } from '../../../contract/import-records.ts';
import { counted, countedMemories } from '../../format.ts';
import { FactList } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { titleOf } from '../../parts/title.ts';
import { dates, formats } from '../../time-formats.ts';

type Report = InferOutput<typeof ReportSchema>;
type Counts = Report['formats'];

/** The report: what an import would do until it has ended, and then what it did. */
export function ImportReport({ report, isDone }: ReportProps) {
  const { added, updated, unchanged, rejected, memories, rejects, partly_read, advice } = report;
  const count = added + updated + unchanged;
  const isNothing = count + rejected === 0;
  const { formats: products } = report;
  return (
    <>
      {isNothing && advice.length === 0 && (
        <p>
          There is no recording of a known kind in these files: choose others, or get an export as
          below.
        </p>
      )}
      <FactList facts={factsOf(report, isDone)} />
      {memories.length > 0 && (
        <details open={memories.length <= OPEN}>
          <summary>
            {memories.length < count
              ? `Names of the first ${memories.length}`
              : countedMemories(count)}
          </summary>
          <ul class="log">
            {memories
              .toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1))
              .map(({ id, name, started_at, result }) => (
                <li key={id}>
                  <time dateTime={started_at}>{formats.value.moment(started_at)}</time>
                  {isDone || result !== 'added' ? (
                    <Link to={`m/${id}`}>
                      <bdi>{titleOf(name)}</bdi>
                    </Link>
                  ) : (
                    <bdi>{titleOf(name)}</bdi>
                  )}
                  <span class="note">{RESULTS[result]}</span>
                </li>
              ))}
          </ul>
        </details>
      )}
      {products.length > FEW && (
        <details>
          <summary>All that they are read as</summary>
          <p>{listOf(products, '; ')}</p>
        </details>
      )}
      {advice.map((text) => (
        <p key={text} class="notice">
          {text}
        </p>
      ))}
      {report.dated_by_file > 0 && (
        <p class="note">
          Without a time: {report.dated_by_file}. They start when their file was last changed.
        </p>
      )}
      {rejects.length > 0 && (
        <details open>
          <summary>What is left out</summary>
          <ul class="plain-list">
            {partly_read.map(({ file, read, unread }) => (
              <li key={file}>
                {file}: {read} can be read, {unread} cannot.
              </li>
            ))}
            {Array.from(
              Map.groupBy(rejects, ({ reason }) => reason),
              ([reason, of]) => (
                <li key={reason}>
                  {[...new Set(of.map(({ file }) => file))].join(', ')}: {reason}.
                </li>
              ),
            )}
          </ul>
        </details>
      )}
      {report.not_kept.length > 0 && (
        <details>
          <summary>What the files have that is not kept</summary>
          <p class="note">The original is kept, so that a later version can read it again.</p>
          <FactList
            facts={Object.fromEntries(
              report.not_kept.map(({ format, names }) => [format, listOf(names)]),
            )}
          />
        </details>
      )}
    </>
  );
}

function factsOf(report: Report, isDone: boolean): Record<string, string> {
  const { first_started_at, last_started_at, skipped, skipped_files } = report;
  const products = report.formats.toSorted((a, b) => b.count - a.count).slice(0, FEW);
  const others = report.formats.length - products.length;
  return {
    ...(report.updated > 0 && some(isDone ? 'Added' : 'New', report.added)),
    ...some(isDone ? 'Updated' : 'Changed', report.updated),
    ...some('Known already', report.unchanged),
    ...(first_started_at !== null &&
      last_started_at !== null && {
        Recorded: formats.value.spanOfYear(first_started_at, last_started_at),
      }),
    ...(report.months.length > 1 && { When: listOf(whenOf(report.months)) }),
    ...(report.formats.length > 0 && {
      'Read as': listOf(products, '; ') + (others > 0 ? ` and ${counted(others, 'other')}` : ''),
    }),
    ...some('Without a transcript', report.without_transcript),
    ...some('Without times of lines', report.without_line_times),
    ...some('Speakers without names', report.unnamed_speakers),
    ...(skipped.length > 0 && { Skipped: listOf(skipped) }),
    ...(skipped_files.length > 0 && { 'Skipped files': skipped_files.join(', ') }),
  };
}

function some(name: string, count: number): Record<string, string> {
  return count > 0 ? { [name]: String(count) } : {};
}

/** More formats than these are folded, so that the button to import stays in view. */
const FEW = 3;

/** More memories than these are folded. */
const OPEN = 12;

/** What becomes of a memory that is not new. */
const RESULTS = { added: '', updated: 'changed', unchanged: 'known already' } as const;

/** More months than these are told by year. */
const MAX_MONTHS = 12;

/** Returns how many memories there are by month, or by year, newest first. */
function whenOf(months: Counts): Counts {
  const isLong = months.length > MAX_MONTHS;
  const counts = new Map<string, number>();
  for (const { name, count } of months.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
    const when = isLong ? name.slice(0, 'YYYY'.length) : dates.value.monthOfYear(name);
    counts.set(when, (counts.get(when) ?? 0) + count);
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}

interface ReportProps {
  readonly report: Report;
  readonly isDone: boolean;
}

function listOf(counts: Counts, between = ', '): string {
  return counts.map(({ name, count }) => `${name} (${count})`).join(between);
}
