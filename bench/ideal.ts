/**
 * The limit engine: what SQLite and Node allow in this harness, not what a product does. One writer,
 * prepared statements, everything that completes in one turn of the event loop in one transaction; runs,
 * tasks with their results, and history are stored with `synchronous=FULL`, and a run goes on only after its commit. No
 * retries, leases, expressions, events or checks.
 */

import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { OpenSubject, Subject } from './subject.ts'

const schema = `
create table run (id integer primary key, status integer not null, left_count integer not null) strict;
create table task (
  id integer primary key, run integer not null, step integer not null, status integer not null, lease integer,
  result text
) strict;
create index task_ready on task (id) where status = 0;
create table history (id integer primary key, run integer not null, task integer not null, body text not null) strict;
`
const result = JSON.stringify({
  ok: true,
  value: 'a result of the usual size, eighty-five bytes long with its frame',
})

export const openIdeal: OpenSubject = async (directory) => {
  const database = new Database(join(directory, 'ideal.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('wal_autocheckpoint = 4000')
  database.exec(schema)
  return createSubject(database)
}

function createSubject(database: Database.Database): Subject {
  const transact = createGroup(database)
  const insertRun = database.prepare('insert into run (status, left_count) values (0, ?)')
  const insertTask = database.prepare('insert into task (run, step, status, lease) values (?, ?, 1, 1)')
  const endTask = database.prepare('update task set status = 2, lease = null, result = ? where id = ?')
  const insertHistory = database.prepare('insert into history (run, task, body) values (?, ?, ?)')
  const endRun = database.prepare('update run set status = 1 where id = ?')
  const count = database
    .prepare<[number], number>('update run set left_count = left_count - 1 where id = ? returning left_count')
    .pluck()
  const begin = (tasks: number, left: number) =>
    transact(() => {
      const run = Number(insertRun.run(left).lastInsertRowid)
      return {
        run,
        tasks: Array.from({ length: tasks }, () => Number(insertTask.run(run, 0).lastInsertRowid)),
      }
    })
  const complete = (run: number, task: number): void => {
    endTask.run(result, task)
    insertHistory.run(run, task, result)
  }
  return {
    async chain(steps) {
      const begun = await begin(1, 1)
      let task = begun.tasks[0] ?? 0
      for (let step = 1; step < steps; step += 1) {
        const done = task
        task = await transact(() => {
          complete(begun.run, done)
          return Number(insertTask.run(begun.run, step).lastInsertRowid)
        })
      }
      await transact(() => {
        complete(begun.run, task)
        endRun.run(begun.run)
      })
    },
    async fan(branches) {
      const { run, tasks } = await begin(branches, branches)
      const branch = (task: number) =>
        transact(() => {
          complete(run, task)
          return count.get(run) === 0 ? Number(insertTask.run(run, 1).lastInsertRowid) : null
        })
      const joins = await Promise.all(tasks.map(branch))
      const join = joins.find((task) => task !== null) ?? 0
      await transact(() => {
        complete(run, join)
        endRun.run(run)
      })
    },
    async close() {
      database.close()
    },
  }
}

/** Runs operations in one transaction per turn of the event loop. */
function createGroup(database: Database.Database) {
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  let queue: (() => () => void)[] = []
  const flush = (): void => {
    const batch = queue
    queue = []
    begin.run()
    const answers = batch.map((operation) => operation())
    commit.run()
    for (const answer of answers) answer()
  }
  return <Answer>(operation: () => Answer): Promise<Answer> =>
    new Promise((resolve) => {
      if (queue.length === 0) setImmediate(flush)
      queue.push(() => {
        const answer = operation()
        return () => resolve(answer)
      })
    })
}
