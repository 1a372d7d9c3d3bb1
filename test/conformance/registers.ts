/** Registers and counted slots: the preconditions that coordinate without a lock. */

import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { registerBytesMax } from '../../src-engine/model/limits.ts'
import type { StoreSubject } from './scene.ts'
import { accept, commit, refuse, useScene } from './scene.ts'
import { aCheckpoint, anInvocation, aRun, byRun, moving, start, starting } from './story.ts'

const setting = (key: string, version: number, value: JsonValue | null) =>
  aCheckpoint({
    expect: { registers: [{ key, version }] },
    writes: { registers: [{ key, value }] },
    events: [
      {
        runId: null,
        invocationId: null,
        cause: { kind: 'manual', by: null, detail: null },
        body: { type: 'register.changed', key, value },
      },
    ],
  })

/** One that comes due, or does no more. */
const coming = (key: string, version: number, dueAt: number | null) =>
  aCheckpoint({
    expect: { registers: [{ key, version }] },
    writes: { registers: [{ key, value: key, dueAt }] },
  })

export function registerSuite(subject: StoreSubject): void {
  describe('registers and slots', () => {
    const scene = useScene(subject)
    const register = (key: string) => scene.other.load(0, 'register', { key })

    test('a register grows by one version with each write, and can be removed', async () => {
      expect(await register('k')).toBeNull()
      await accept(scene.store, setting('k', 0, { a: 1 }))
      await accept(scene.other, setting('k', 1, null))
      expect(await register('k')).toBeNull()
      await accept(scene.store, setting('k', 0, [2]), setting('k', 1, 'x'))
      expect(await register('k')).toEqual({ key: 'k', value: 'x', version: 2 })
    })

    test('of two writers that saw the same version, one wins', async () => {
      const answers = await Promise.all([
        commit(scene.store, setting('k', 0, 1)),
        commit(scene.other, setting('k', 0, 2)),
      ])
      expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['accepted', 'refused'])
      expect(await refuse(scene.store, setting('k', 0, 3))).toMatchObject({ kind: 'lost-race', record: 'k' })
    })

    test('a repeated write is known by its op-id, with and without an event', async () => {
      const told = setting('k', 0, 1)
      const untold = { ...setting('q', 0, 1), events: [] }
      await accept(scene.store, told, untold)
      expect(await commit(scene.other, told)).toEqual({ kind: 'repeated' })
      expect(await commit(scene.other, untold)).toEqual({ kind: 'repeated' })
    })

    test('a register holds 64 KB and no more', async () => {
      const text = (bytes: number) => 'x'.repeat(bytes - 2)
      await accept(scene.store, setting('k', 0, text(registerBytesMax)))
      const refusal = await refuse(scene.store, setting('k', 1, text(registerBytesMax + 1)))
      expect(refusal).toMatchObject({ kind: 'invalid' })
      expect(JSON.stringify(refusal)).toContain(`at most ${registerBytesMax} fit`)
      expect((await register('k'))?.version).toBe(1)
    })

    test('registers are listed by prefix and key', async () => {
      await accept(scene.store, ...['b/2', 'a/2', 'a/1', 'a_1', 'A/1'].map((key) => setting(key, 0, key)))
      const list = async (prefix: string, after: string | null, limit = 10) =>
        (await scene.other.list(0, 'registers', { filter: { prefix }, page: { after, limit } })).map(
          ({ key }) => key,
        )
      expect(await list('a/', null)).toEqual(['a/1', 'a/2'])
      expect(await list('', null, 3)).toEqual(['A/1', 'a/1', 'a/2'])
      expect(await list('', 'a/2', 3)).toEqual(['a_1', 'b/2'])
    })

    test('registers come due in the order of their instants, and nothing else is told', async () => {
      const due = async (upTo: number, limit = 10) => {
        const found = await scene.other.load(0, 'dueRegisters', { upTo, limit })
        return { keys: found.due.map(({ key, dueAt }) => `${key}@${dueAt - start}`), nextAt: found.nextAt }
      }
      expect(await due(start)).toEqual({ keys: [], nextAt: null })
      await accept(
        scene.store,
        setting('never', 0, 1),
        coming('c', 0, start + 20),
        coming('b', 0, start + 10),
        coming('a', 0, start + 20),
      )
      expect(await due(start + 9)).toEqual({ keys: [], nextAt: start + 10 })
      expect(await due(start + 10)).toEqual({ keys: ['b@10'], nextAt: start + 20 })
      expect(await due(start + 30)).toEqual({ keys: ['b@10', 'a@20', 'c@20'], nextAt: null })
      expect(await due(start + 30, 1)).toEqual({ keys: ['b@10'], nextAt: start + 20 })
      const { due: registers } = await scene.other.load(0, 'dueRegisters', { upTo: start + 10, limit: 1 })
      expect(registers).toEqual([{ key: 'b', value: 'b', version: 1, dueAt: start + 10 }])
    })

    test('a register moves in what comes due by a write that says so, and goes with its end', async () => {
      const due = async () =>
        (await scene.other.load(0, 'dueRegisters', { upTo: start + 99, limit: 10 })).due.map(
          ({ key, value, version, dueAt }) => [key, value, version, dueAt - start],
        )
      await accept(scene.store, coming('a', 0, start + 20), coming('b', 0, start + 10))
      await accept(scene.store, setting('a', 1, 'left alone'))
      expect(await due()).toEqual([
        ['b', 'b', 1, 10],
        ['a', 'left alone', 2, 20],
      ])
      await accept(scene.store, coming('a', 2, start + 5), coming('b', 1, null))
      expect(await due()).toEqual([['a', 'a', 3, 5]])
      await accept(scene.store, setting('a', 3, null))
      expect(await due()).toEqual([])
      // One of its name is another one.
      await accept(scene.store, setting('a', 0, 'anew'))
      expect(await due()).toEqual([])
      expect(await refuse(scene.store, coming('b', 1, start))).toMatchObject({ kind: 'lost-race' })
      expect(await due()).toEqual([])
    })

    test('slots are taken up to their limit and refused beyond it, with the holders', async () => {
      const run = aRun()
      const nodes = ['a', 'b', 'c'].map((node) => anInvocation(run, node))
      const [a, b, c] = nodes.map((record) => {
        const take = [{ key: 'pool', holder: record.id, limit: 2, expiresAt: null }]
        return moving(record, ['CONCURRENCY_CONTROLLED', 'REROUTED'], { actor: byRun, writes: { take } })
      })
      if (a === undefined || b === undefined || c === undefined) throw new Error('There are three.')
      await accept(scene.store, starting(run, nodes), a)
      await accept(scene.other, b)
      expect(await refuse(scene.store, c)).toEqual({
        kind: 'slot-taken',
        key: 'pool',
        holders: ['r1/a', 'r1/b'],
      })
      const release = [{ key: 'pool', holder: 'r1/a' }]
      await accept(scene.store, { ...c, writes: { ...c.writes, release } })
      const holders = await scene.other.load(0, 'slotHolders', { key: 'pool' })
      expect(holders.map(({ holder }) => holder)).toEqual(['r1/b', 'r1/c'])
    })

    test('taking what one holds already is free', async () => {
      const run = aRun()
      const record = anInvocation(run, 'a')
      const take = [{ key: 'pool', holder: 'x', limit: 1, expiresAt: null }]
      await accept(scene.store, starting(run, [record]))
      const parked = moving(record, ['WAITING'], { writes: { take } })
      const [written] = parked.writes.invocations
      if (written === undefined) throw new Error('A move writes its record.')
      await accept(scene.store, parked, moving(written, ['REROUTED'], { writes: { take } }))
      expect(await scene.store.load(0, 'slotHolders', { key: 'pool' })).toEqual(take)
      for (const { holder } of take) {
        const one = await scene.store.load(0, 'slotHolders', { key: 'pool', holder })
        expect(one).toEqual(take.filter((slot) => slot.holder === holder))
      }
      expect(await scene.store.load(0, 'slotHolders', { key: 'pool', holder: 'nobody' })).toEqual([])
    })
  })
}
