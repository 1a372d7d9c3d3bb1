/** What was seen of triggers counts in its epoch: a server that knows less gives lost versions anew. */

import { describe, expect, it } from 'vitest'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import type { FiringRecord } from '../../../../src-engine/model/trigger.ts'
import { firingKey, firingValue, triggerKey, triggerValue } from '../../../../src-engine/model/trigger.ts'
import {
  bucketWrite,
  headWrite,
  loadWatchedFiles,
} from '../../../../src-engine/runtime/file-watch/watched-files.ts'
import { lookAtRegister } from '../../../../src-engine/runtime/register-look.ts'
import { keepPlace, loadPlace } from '../../../../src-engine/runtime/triggers/history-places.ts'
import type {
  GuardedWrite,
  TriggerRegistersParts,
} from '../../../../src-engine/runtime/triggers/trigger-registers.ts'
import {
  catalogueKey,
  grownCatalogue,
  listTriggers,
  loadStoredFiring,
  loadTrigger,
  movedTrigger,
  writeRegisters,
} from '../../../../src-engine/runtime/triggers/trigger-registers.ts'
import type { FailingOver } from '../failed-over.ts'
import { failingOver } from '../failed-over.ts'
import { aTrigger } from './trigger-record.ts'

const name = { workflowId: workflowId('w'), triggerId: 't' }

const trigger = aTrigger()

const firing: FiringRecord = {
  ...name,
  id: 'f',
  kind: 'event',
  at: 0,
  runId: null,
  reason: 'filtered',
  words: 'No.',
  slots: null,
  sources: [],
  depth: 1,
  conditionOf: [],
  carried: null,
}

let count = 0
const partsOf = ({ store }: FailingOver): TriggerRegistersParts => ({
  store,
  partition: 0,
  clock: { now: () => 1_000 },
  ids: { next: () => `id${(count += 1)}` },
})

const write = async (parts: TriggerRegistersParts, key: string, value: JsonValue): Promise<void> => {
  const { version } = await lookAtRegister(parts, key)
  expect(await writeRegisters(parts, [{ key, version, value }])).toBe(true)
}

const given = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('It is not there.')
  return value
}

interface Seen {
  readonly of: string
  readonly key: string
  /** As it is written, the number of the writing in it. */
  readonly value: (times: number) => JsonValue
  readonly look: (parts: TriggerRegistersParts) => Promise<GuardedWrite>
}

const watched = 'watched-files/w/t'

const seen: readonly Seen[] = [
  {
    of: 'a trigger that was looked at',
    key: triggerKey(name),
    value: (times) => triggerValue({ ...trigger, firedCount: times }),
    look: async (parts) =>
      movedTrigger(given(await loadTrigger(parts, name)), { record: trigger, dueAt: null }),
  },
  {
    of: 'a trigger in a list',
    key: triggerKey(name),
    value: (times) => triggerValue({ ...trigger, firedCount: times }),
    look: async (parts) =>
      movedTrigger(given((await listTriggers(parts))[0]), { record: trigger, dueAt: null }),
  },
  {
    of: 'the record of an occurrence',
    key: firingKey(firing.id),
    value: (times) => firingValue({ ...firing, depth: times }),
    look: async (parts) => {
      const { epoch, version } = given(await loadStoredFiring(parts, firing.id))
      return { key: firingKey(firing.id), epoch, version, value: firingValue(firing) }
    },
  },
  {
    of: 'the catalogue',
    key: catalogueKey,
    value: (times) => ({ at: times }),
    look: grownCatalogue,
  },
  {
    of: 'the beginning of a watched folder',
    key: watched,
    value: (times) => ({ since: times }),
    look: async (parts) => headWrite(name, await loadWatchedFiles(parts, name), 7),
  },
  {
    of: 'files of a watched folder',
    key: `${watched}/003`,
    value: (times) => ({ 'a.txt': `${times}:1` }),
    look: async (parts) =>
      bucketWrite(name, await loadWatchedFiles(parts, name), { bucket: 3, files: new Map() }),
  },
]

describe('after a failover that took back what was known', () => {
  it.each(seen)('$of is not written over what another wrote', async ({ key, value, look }) => {
    const server = failingOver()
    const parts = partsOf(server)
    await write(parts, key, value(1))
    const before = server.snapshot()
    await write(parts, key, value(2))
    const mine = await look(parts)
    server.failOver(before)
    await write(parts, key, value(3))
    expect((await lookAtRegister(parts, key)).version).toBe(mine.version)
    expect(await writeRegisters(parts, [mine])).toBe(false)
    expect((await lookAtRegister(parts, key)).register?.value).toEqual(value(3))
    // Looked at again, it may be written.
    expect(await writeRegisters(parts, [await look(parts)])).toBe(true)
    await server.store.close()
  })

  it('a place in the history that another keeps stays his', async () => {
    const server = failingOver()
    const parts = partsOf(server)
    const at = (seq: number) => ({ partition: 0, epoch: 1, seq })
    const first = given(await keepPlace(parts, { ...(await loadPlace(parts, 0)), place: at(5) }))
    const before = server.snapshot()
    const mine = given(await keepPlace(parts, { ...first, place: at(6) }))
    server.failOver(before)
    given(await keepPlace(parts, { ...(await loadPlace(parts, 0)), place: at(9) }))
    expect(await keepPlace(parts, { ...mine, place: at(7) })).toBeNull()
    expect((await loadPlace(parts, 0)).place.seq).toBe(9)
    await server.store.close()
  })
})
