// A table of keys or clients with buttons in each row. In a narrow window each row becomes a block.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import { Awaited } from '../../parts/notice.tsx';
import type { Resource } from '../../state/resource.ts';
import { me } from '../../state/session.ts';

interface TableProps<R> {
  readonly rows: readonly R[];
  /** The cells of a row by the heads of their columns. The first one names the row. */
  readonly columns: Readonly<Record<string, (row: R) => ComponentChildren>>;
  /** The buttons of a row by their texts. Without them, the last column is at the end. */
  readonly buttons?: Readonly<Record<string, (row: R) => void>> | undefined;
}

/** A table. Nothing in it can be changed while the database cannot be written. */
export function Table<R extends { readonly id: string }>(props: TableProps<R>) {
  const { rows, columns, buttons } = props;
  const heads = Object.keys(columns);
  return (
    <table class="keys">
      <thead>
        <tr>
          {[...heads, ...(buttons ? ['Actions'] : [])].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} {...{ row, columns, buttons }} />
        ))}
      </tbody>
    </table>
  );
}

interface LoadedTableProps<R> extends Omit<TableProps<R>, 'rows'> {
  readonly loaded: Omit<Resource<readonly R[]>, 'replace'>;
  /** What is said if there are no rows. */
  readonly none: ComponentChildren;
}

/** What was loaded as a table, or what is in its place: a failure, that it is loading, or that there is nothing. */
export function LoadedTable<R extends { readonly id: string }>(props: LoadedTableProps<R>) {
  const { loaded, none, ...table } = props;
  const rows = loaded.data ?? [];
  return (
    <>
      <Awaited {...loaded} rows={3} />
      {loaded.data?.length === 0 && <p role="status">{none}</p>}
      {rows.length > 0 && <Table rows={rows} {...table} />}
    </>
  );
}

function Row<R>({ row, columns, buttons }: Omit<TableProps<R>, 'rows'> & { readonly row: R }) {
  const name = useId();
  const cells = Object.entries(columns).map(([head, cell]) => ({ head, content: cell(row) }));
  return (
    <tr>
      <th scope="row" id={name}>
        {cells[0]?.content}
      </th>
      {cells.slice(1).map(({ head, content }, at) => (
        <td
          key={head}
          data-head={head}
          class={buttons === undefined && at === cells.length - 2 ? 'buttons' : undefined}
        >
          {content}
        </td>
      ))}
      {buttons !== undefined && (
        <td class="buttons">
          {Object.entries(buttons).map(([text, press]) => (
            <button
              key={text}
              type="button"
              disabled={me.value?.can_write === false}
              aria-describedby={name}
              onClick={() => press(row)}
            >
              {text}
            </button>
          ))}
        </td>
      )}
    </tr>
  );
}
