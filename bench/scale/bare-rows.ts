/** The limit of queueing: the very rows that a store wrote, put into an empty file by bare statements. */

import Database from 'better-sqlite3'
import { cpuMicros } from './own-cost.ts'
import { timed } from './scale-row.ts'

/** As many as share a transaction when runs are queued. */
const runsPerCommit = 250
const tables = ['run', 'work', 'event_row'] as const

/** Milliseconds and processor microseconds per run, measured over the newest so many. */
export async function bareRows(
  files: { readonly from: string; readonly to: string },
  runs: number,
): Promise<{ readonly ms: number; readonly cpu: number }> {
  const from = new Database(files.from, { readonly: true })
  const rows = tables.map((table) =>
    from
      .prepare<[number], Record<string, unknown>>(`select * from ${table} order by 1 desc limit ?`)
      .all(runs),
  )
  from.close()
  const to = new Database(files.to)
  to.pragma('synchronous = FULL')
  to.pragma('wal_autocheckpoint = 4000')
  const inserts = tables.map((table, index) => {
    const columns = Object.keys(rows[index]?.[0] ?? {})
    return to.prepare(`insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`)
  })
  const values = rows.map((ofTable) => ofTable.toReversed().map((row) => Object.values(row)))
  const write = to.transaction((first: number) => {
    for (let index = first; index < Math.min(runs, first + runsPerCommit); index += 1) {
      for (const [table, insert] of inserts.entries()) insert.run(...(values[table]?.[index] ?? []))
    }
  })
  let cpu = 0
  const { ms } = await timed(async () => {
    cpu = await cpuMicros(async () => {
      for (let first = 0; first < runs; first += runsPerCommit) write.immediate(first)
    })
  })
  to.close()
  return { ms: ms / runs, cpu: cpu / runs }
}
