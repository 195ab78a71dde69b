// Joins of tables by what their rows belong to: one memory, or one original.

/** What a join has to have. The query builder's own types follow from it. */
interface Joinable<Join> {
  onRef(column: never, operator: '=', other: never): Join;
}

/** Returns the name of the column of a table that names a memory. */
function idOf(table: string): string {
  return table === 'memories' ? 'memories.id' : `${table}.memory_id`;
}

/** Joins rows of two tables that belong to the same memory. The tables may have other names in the query. */
export function ofSameMemory(one: string, other: string) {
  return <Join extends Joinable<Join>>(join: Join): Join =>
    join
      .onRef(`${one}.account_id` as never, '=', `${other}.account_id` as never)
      .onRef(idOf(one) as never, '=', idOf(other) as never);
}

/** Joins the original of details. */
export function originalOfDetails<Join extends Joinable<Join>>(join: Join): Join {
  return join
    .onRef('originals.account_id' as never, '=', 'details.account_id' as never)
    .onRef('originals.sha256' as never, '=', 'details.original_sha256' as never);
}
