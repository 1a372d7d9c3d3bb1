/** When an operation leaves the journal: once a replica surely has it, and not what was read before a failover. */

import { expect, test } from 'vitest'
import { opId } from '../../../../../src-engine/model/ids.ts'
import { OpJournal } from '../../../../../src-engine/store/redis/journal/op-journal.ts'
import {
  createReplicaMarks,
  replicationOf,
} from '../../../../../src-engine/store/redis/journal/replica-marks.ts'
import { partitionKeys } from '../../../../../src-engine/store/redis/layout.ts'
import { emptyUnit } from '../../../../../src-engine/store/redis/unit.ts'

/** A master with one replica, as it tells of itself. */
function scene() {
  const server = { line: 'a', written: 10, replicated: 10, epoch: 1, headLine: 'a', isAway: false }
  const journal = new OpJournal(null)
  const met: number[] = []
  let due: (() => void) | null = null
  const marks = createReplicaMarks({
    router: {
      ownerOf: () => 'somewhere:1',
      ask: async () => [String(server.epoch), server.headLine],
      async askNode() {
        if (server.isAway) throw new Error('it is away')
        return `slave0:ip=1,port=2,state=online,offset=${server.replicated},lag=0\nmaster_replid:${server.line}\nmaster_repl_offset:${server.written}`
      },
    },
    clock: {
      now: () => 0,
      after(_, call) {
        due = call
        return () => {}
      },
    },
    journal,
    keysOf: (partition) => partitionKeys('s', partition),
    onEpoch: (_, epoch) => met.push(epoch),
  })
  const note = (epoch = server.epoch): void => {
    journal.note(0, { opId: opId(`op ${journal.last}`), unit: emptyUnit, place: { epoch, seq: 1 }, at: 0 })
    marks.wake()
  }
  const look = async (): Promise<void> => {
    const call = due
    due = null
    call?.()
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return { server, journal, met, note, look }
}

test('an operation leaves once the replica is where its master was after it', async () => {
  const { server, journal, note, look } = scene()
  note()
  Object.assign(server, { written: 20, replicated: 15 })
  await look()
  await look()
  expect(journal.size).toBe(1)
  server.replicated = 20
  await look()
  expect(journal.size).toBe(0)
})

test('who waits for all that was noted so far is told when replicas have it, and not by what comes later', async () => {
  const { server, journal, note, look } = scene()
  await journal.left()
  note()
  let hasLeft = false
  void journal.left().then(() => (hasLeft = true))
  Object.assign(server, { written: 20, replicated: 15 })
  await look()
  await look()
  expect(hasLeft).toBe(false)
  note()
  Object.assign(server, { written: 30, replicated: 20 })
  await look()
  await Promise.resolve()
  expect([hasLeft, journal.size]).toEqual([true, 1])
})

test('what was noted before a failover stays, though the new master’s replica has all that its master has', async () => {
  const { server, journal, note, look } = scene()
  note()
  // The replica that leads by now never had it, and nobody has written to the partition since.
  Object.assign(server, { line: 'b', written: 5, replicated: 5 })
  await look()
  await look()
  expect(journal.size).toBe(1)
  Object.assign(server, { headLine: 'b', epoch: 2 })
  await look()
  await look()
  expect(journal.size).toBe(1)
})

test('how far a master had come says nothing of the one that leads since', async () => {
  const { server, journal, note, look } = scene()
  note()
  Object.assign(server, { written: 20, replicated: 15 })
  await look()
  // The stream of another server, far longer, which the operation was never in.
  Object.assign(server, { line: 'b', headLine: 'b', epoch: 2, written: 500, replicated: 500 })
  await look()
  await look()
  expect(journal.size).toBe(1)
})

test('what the slowest replica has is what all have, and a replica that is not there yet is none', () => {
  const replica = (number: number, state: string, offset: number) =>
    `slave${number}:ip=1,port=2,state=${state},offset=${offset},lag=0`
  const told = (...replicas: readonly string[]) =>
    replicationOf(['role:master', ...replicas, 'master_replid:a', 'master_repl_offset:30'].join('\r\n'))
  const all = told(replica(0, 'online', 20), replica(1, 'online', 10), replica(2, 'wait_bgsave', 0))
  expect(all).toEqual({ id: 'a', offset: 30, acknowledged: 10 })
  expect(told().acknowledged).toBeNull()
})

test('what is written again is confirmed by what was read after that, not by what was read before', async () => {
  const { server, journal, note, look } = scene()
  note()
  Object.assign(server, { line: 'b', headLine: 'b', epoch: 2, written: 5, replicated: 5 })
  await look()
  const [entry] = journal.entriesOf(0)
  if (entry === undefined) throw new Error('it is there')
  journal.move(entry, { epoch: 2, seq: 3 }, entry.unit)
  server.written = 6
  // The replica has what was there at the last look, and not yet what was written again.
  await look()
  expect(journal.size).toBe(1)
  server.replicated = 6
  await look()
  expect(journal.size).toBe(0)
})

test('an epoch is heard of though the server that is asked for its length doesn’t answer', async () => {
  const { server, met, note, look } = scene()
  note()
  Object.assign(server, { isAway: true, epoch: 4 })
  await look()
  expect(met).toEqual([4])
})
