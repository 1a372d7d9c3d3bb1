/** A checkpoint is written whole or not at all, and only when the world still looks as its author saw it. */

import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import { invocationId } from '../../src-engine/model/ids.ts'
import type { Scene, StoreSubject } from './scene.ts'
import { accept, commit, refuse, theInvocation, theRun, useScene } from './scene.ts'
import {
  aCheckpoint,
  aClaim,
  anAttempt,
  anInvocation,
  aRun,
  byOperator,
  byRecovery,
  byRunner,
  moving,
  movingRun,
  newOp,
  registered,
  registering,
  starting,
} from './story.ts'

const run = aRun()
const first = anInvocation(run, 'first')

/** A run whose first invocation is RUNNING at runner `a`. */
async function running(scene: Scene) {
  await accept(scene.store, starting(run, [first]))
  await accept(scene.store, moving(first, ['PENDING', 'RUNNING'], { actor: byRunner('a') }))
  return theInvocation(scene.store, first.id)
}

export function checkpointSuite(subject: StoreSubject): void {
  describe('checkpoints', () => {
    const scene = useScene(subject)

    test('what was committed is loaded as it was written', async () => {
      await accept(scene.store, starting(run, [first]))
      expect(await theRun(scene.store, run.id)).toEqual({
        ...run,
        status: 'RUNNING',
        startedAt: run.createdAt,
      })
      expect(await theInvocation(scene.store, first.id)).toEqual(first)
    })

    test('what was built on what was seen in another epoch is a lost race, whatever its versions are', async () => {
      const { store } = scene
      const epoch = store.info.epochs[0] ?? 0
      await accept(store, starting(run, [first]))
      const paused = movingRun(await theRun(store, run.id), 'PAUSED')
      const then = { ...paused, expect: { ...paused.expect, epoch: epoch + 1 } }
      expect(await refuse(store, then)).toMatchObject({ kind: 'lost-race', expected: `epoch ${epoch + 1}` })
      await accept(store, { ...paused, expect: { ...paused.expect, epoch } })
    })

    test('every field of an invocation survives', async () => {
      const full = anInvocation(run, 'full', {
        generation: 2,
        path: 'each:3/while:0',
        role: 'compensation',
        priority: 'CRITICAL',
        pool: 'gpu',
        tags: ['a', 'b'],
        attempt: 3,
        failureCount: 2,
        crashCount: 1,
        notBefore: 5,
        startedAt: 4,
        deadlineAt: 9,
        cancelRequestedAt: 8,
        waitReason: { code: 'backoff', message: 'Waits.' },
        cause: { kind: 'retry', by: 'x', detail: 'y' },
        input: { kind: 'inline', json: '{"é":"\\u0000 😀"}' },
        ports: ['out'],
        error: { code: 'task_failed', message: 'm', hint: 'h', details: { n: [1, null] }, retryable: true },
      })
      await accept(scene.store, starting(run, [full]))
      expect(await theInvocation(scene.store, full.id)).toEqual(full)
    })

    test('a result, its attempt and the next claim are one checkpoint', async () => {
      const record = await running(scene)
      const output = { kind: 'inline', json: '[1]' } as const
      const attempt = anAttempt(record, { output, log: { kind: 'inline', json: '[]' } })
      const done = moving(record, ['SUCCESS'], { actor: byRunner('a'), set: { output }, attempt })
      const next = anInvocation(run, 'next')
      const claimed = moving({ ...next, version: 0 }, ['PENDING', 'RUNNING'], { actor: byRunner('a') })
      await accept(scene.store, {
        ...done,
        expect: {
          ...done.expect,
          invocations: [...done.expect.invocations, { id: next.id, version: 0, fence: null }],
        },
        writes: { ...done.writes, invocations: [...done.writes.invocations, ...claimed.writes.invocations] },
        events: [...done.events, registered(next), ...claimed.events],
      })
      expect(await theInvocation(scene.store, record.id)).toMatchObject({
        status: 'SUCCESS',
        output,
        lease: null,
      })
      expect(await theInvocation(scene.store, next.id)).toMatchObject({ status: 'RUNNING', version: 1 })
      expect(await scene.store.load(0, 'attempts', { runId: run.id, invocationId: record.id })).toEqual([
        attempt,
      ])
    })

    test('a stale version is a lost race, told with what was found [P1]', async () => {
      await accept(scene.store, starting(run, [first]))
      await accept(scene.store, moving(first, ['WAITING']))
      expect(await refuse(scene.store, moving(first, ['CANCELLED']))).toEqual({
        kind: 'lost-race',
        previous: 'REGISTERED',
        expected: 'version 1',
        actual: 'version 2 (WAITING)',
        record: first.id,
      })
    })

    test('what builds on a refused one is refused, though the run has the version that it expects', async () => {
      await accept(scene.store, starting(run, [first]))
      const record = await theRun(scene.store, run.id)
      // The same actor sends two at once; somebody else's write arrives before both.
      const mine = { ...movingRun(record, 'WAITING'), actor: byRunner('a') }
      const { run: written } = mine.writes
      if (written === null) throw new Error('It writes the run.')
      const next = { ...movingRun(written, 'RUNNING'), actor: byRunner('a') }
      const after = { id: run.id, version: written.version, after: mine.opId }
      const following = { ...next, expect: { ...next.expect, run: after } }
      await accept(scene.other, { ...movingRun(record, 'WAITING'), actor: byRunner('b') })
      expect(await refuse(scene.store, mine)).toMatchObject({ kind: 'lost-race' })
      expect(await refuse(scene.store, following)).toMatchObject({ kind: 'lost-race', record: run.id })
    })

    test('what builds on an accepted one is accepted, in the same call or in the next', async () => {
      await accept(scene.store, starting(run, [first]))
      const record = await theRun(scene.store, run.id)
      const mine = movingRun(record, 'WAITING')
      const { run: written } = mine.writes
      if (written === null) throw new Error('It writes the run.')
      const next = movingRun(written, 'RUNNING')
      const after = { id: run.id, version: written.version, after: mine.opId }
      const answers = await scene.store.commit(0, [mine, { ...next, expect: { ...next.expect, run: after } }])
      expect(answers).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }])
    })

    test('a record that must not exist yet is refused when it does [P10]', async () => {
      await accept(scene.store, starting(run, [first]))
      expect(await refuse(scene.store, starting(run, []))).toMatchObject({
        kind: 'lost-race',
        record: run.id,
      })
      const again = await refuse(scene.store, registering(await theRun(scene.store, run.id), [first]))
      expect(again).toMatchObject({ kind: 'lost-race', expected: null, record: first.id })
    })

    test('a record that does not exist can not be moved', async () => {
      expect(await refuse(scene.store, moving(first, ['WAITING']))).toMatchObject({
        kind: 'lost-race',
        actual: null,
      })
    })

    test('an old fence is refused whole, result included [S35] [C18] [G1]', async () => {
      const old = await running(scene)
      await accept(scene.store, moving(old, ['RUNNING_RECOVERY', 'REROUTED'], { actor: byRecovery }))
      await scene.store.claim(aClaim('b'))
      const late = moving(old, ['SUCCESS'], { actor: byRunner('a'), attempt: anAttempt(old) })
      expect(await refuse(scene.store, late)).toEqual({
        kind: 'not-the-owner',
        owner: 'b',
        actor: 'a',
        record: old.id,
      })
      expect(await scene.store.load(0, 'attempts', { runId: run.id, invocationId: null })).toEqual([])
    })

    test('the same runner with an older fence is not the owner either', async () => {
      const old = await running(scene)
      await accept(scene.store, moving(old, ['RUNNING_RECOVERY', 'REROUTED'], { actor: byRecovery }))
      await scene.store.claim(aClaim('a'))
      const late = moving(old, ['SUCCESS'], { actor: byRunner('a') })
      expect(await refuse(scene.store, late)).toMatchObject({ kind: 'not-the-owner', owner: 'a' })
    })

    test('who lost a step is told that first, though its run has moved on as well [C18]', async () => {
      const old = await running(scene)
      const { version } = await theRun(scene.store, run.id)
      const late = () => {
        const move = moving(old, ['SUCCESS'], { actor: byRunner('a') })
        return { ...move, expect: { ...move.expect, run: { id: run.id, version } } }
      }
      // Somebody else goes on with the run: the step is still its owner's, who has only to look again.
      await accept(scene.store, registering(await theRun(scene.store, run.id), [anInvocation(run, 'other')]))
      expect(await refuse(scene.store, late())).toMatchObject({ kind: 'lost-race', record: run.id })
      await accept(scene.store, moving(old, ['RUNNING_RECOVERY', 'REROUTED'], { actor: byRecovery }))
      const lost = { kind: 'not-the-owner', actor: 'a', record: old.id } as const
      expect(await refuse(scene.store, late())).toEqual({ ...lost, owner: null })
      await scene.store.claim(aClaim('b', { invocationIds: [old.id] }))
      expect(await refuse(scene.store, late())).toEqual({ ...lost, owner: 'b' })
      expect(await theInvocation(scene.store, old.id)).toMatchObject({ lease: { runnerId: 'b' } })
    })

    test('an acquisition that was decided in an older epoch is to be decided again', async () => {
      const record = first
      await accept(scene.store, starting(run, [record]))
      const move = moving(record, ['PENDING'], { actor: byRunner('a') })
      const [next] = move.writes.invocations
      if (next === undefined || next.lease === null) throw new Error('What is claimed has a lease.')
      const fence = { epoch: 0, counter: 1 }
      const old = { ...next, fence, lease: { ...next.lease, fence } }
      const late = { ...move, writes: { ...move.writes, invocations: [old] } }
      expect(await refuse(scene.store, late)).toMatchObject({ kind: 'lost-race', record: record.id })
    })

    test('only the owner leaves an owned status, unless the table lets the actor override [P6]', async () => {
      const record = await running(scene)
      expect(await refuse(scene.store, moving(record, ['SUCCESS'], { actor: byRunner('b') }))).toMatchObject({
        kind: 'not-the-owner',
        owner: 'a',
        actor: 'b',
      })
      await accept(scene.store, moving(record, ['CANCELLED'], { actor: byOperator }))
    })

    test('a request to cancel may be noted while somebody else owns it', async () => {
      const record = await running(scene)
      await accept(
        scene.store,
        moving(record, ['RUNNING'], { actor: byOperator, set: { cancelRequestedAt: 7 } }),
      )
      expect(await theInvocation(scene.store, record.id)).toMatchObject({
        status: 'RUNNING',
        cancelRequestedAt: 7,
        lease: record.lease,
      })
    })

    test('a move that is not in the table is refused [P5]', async () => {
      await accept(scene.store, starting(run, [first]))
      expect(await refuse(scene.store, moving(first, ['RUNNING'], { actor: byRunner('a') }))).toMatchObject({
        kind: 'illegal-transition',
        from: 'REGISTERED',
        to: 'RUNNING',
        record: first.id,
      })
    })

    test('final is final, for invocations and runs [P4] [C9] [S40] [S51]', async () => {
      const record = await running(scene)
      await accept(scene.store, moving(record, ['SUCCESS'], { actor: byRunner('a') }))
      const done = await theInvocation(scene.store, record.id)
      expect(await refuse(scene.store, moving(done, ['FAILED']))).toMatchObject({
        kind: 'illegal-transition',
      })
      const current = await theRun(scene.store, run.id)
      await accept(scene.store, movingRun(current, 'SUCCEEDED'))
      const ended = await theRun(scene.store, run.id)
      expect(await refuse(scene.store, movingRun(ended, 'RUNNING'))).toMatchObject({
        kind: 'illegal-transition',
      })
    })

    test('a repeated checkpoint is a no-op, also when it lost the race since [C7] [C1]', async () => {
      await accept(scene.store, starting(run, [first]))
      const parked = moving(first, ['WAITING'])
      await accept(scene.store, parked)
      expect(await commit(scene.store, parked)).toEqual({ kind: 'repeated' })
      await accept(scene.store, moving(await theInvocation(scene.store, first.id), ['REROUTED']))
      expect(await commit(scene.store, parked)).toEqual({ kind: 'repeated' })
      expect(await theInvocation(scene.store, first.id)).toMatchObject({ status: 'REROUTED', version: 3 })
    })

    test('the same change under another op-id is no repetition', async () => {
      await accept(scene.store, starting(run, [first]))
      const parked = moving(first, ['WAITING'])
      await accept(scene.store, parked)
      expect(await refuse(scene.store, { ...parked, opId: newOp() })).toMatchObject({ kind: 'lost-race' })
    })

    test('checkpoints that arrive together are judged one by one, in order', async () => {
      const answers = await scene.store.commit(0, [
        starting(run, [first]),
        moving(first, ['WAITING']),
        moving(first, ['CANCELLED']),
        starting(aRun({ name: 'r2' })),
      ])
      expect(answers.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'refused', 'accepted'])
    })

    test('many callers at once get the answers to their own checkpoints [S52]', async () => {
      const runs = Array.from({ length: 40 }, (_, index) => aRun({ name: `many-${index}` }))
      const answers = await Promise.all(
        runs.flatMap((item) => [commit(scene.store, starting(item)), commit(scene.other, starting(item))]),
      )
      expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(40)
      expect(answers.filter(({ kind }) => kind === 'refused')).toHaveLength(40)
    })

    test('a refused checkpoint leaves nothing behind', async () => {
      await accept(scene.store, starting(run, [first]))
      const second = anInvocation(run, 'second')
      const good = registering(await theRun(scene.store, run.id), [second])
      await refuse(scene.store, {
        ...good,
        expect: { ...good.expect, registers: [{ key: 'k', version: 4 }] },
        writes: { ...good.writes, registers: [{ key: 'k', value: 1 }] },
      })
      expect(await scene.store.load(0, 'invocation', { invocationId: second.id })).toBeNull()
      expect(await scene.store.load(0, 'register', { key: 'k' })).toBeNull()
      expect((await theRun(scene.store, run.id)).version).toBe(1)
    })

    test.for(contradictions())('a checkpoint that contradicts itself is invalid: %s', async ([, broken]) => {
      await accept(scene.store, starting(run, [first]))
      expect(await refuse(scene.store, broken)).toMatchObject({ kind: 'invalid' })
    })

    test('a run may be written without a status change when an event tells its version', async () => {
      await accept(scene.store, starting(run, [first]))
      await accept(scene.store, registering(await theRun(scene.store, run.id), [anInvocation(run, 'second')]))
      expect((await theRun(scene.store, run.id)).version).toBe(2)
    })
  })
}

/** One checkpoint per rule of coherence, each broken in just that place. */
function contradictions(): readonly (readonly [name: string, broken: Checkpoint])[] {
  const good = moving(first, ['WAITING'])
  const [record] = good.writes.invocations
  const [told] = good.events
  if (record === undefined || told === undefined) throw new Error('A move writes a record and an event.')
  const writing = (set: Partial<typeof record>): Checkpoint => {
    return { ...good, writes: { ...good.writes, invocations: [{ ...record, ...set }] } }
  }
  const claimed = moving(first, ['PENDING'], { actor: byRunner('a') })
  const [owned] = claimed.writes.invocations
  if (owned === undefined) throw new Error('A claim writes a record.')
  const claiming = (set: Partial<typeof owned>): Checkpoint => {
    return { ...claimed, writes: { ...claimed.writes, invocations: [{ ...owned, ...set }] } }
  }
  return [
    ['no event for a status change', { ...good, events: [] }],
    [
      'an event for a record that is not written',
      { ...good, events: [told, { ...told, invocationId: invocationId('x') }] },
    ],
    ['events that end elsewhere', writing({ status: 'REROUTED' })],
    ['a version that skips', writing({ version: 9 })],
    ['no precondition', { ...good, expect: { invocations: [], registers: [] } }],
    [
      'a register without precondition',
      { ...good, writes: { ...good.writes, registers: [{ key: 'k', value: 1 }] } },
    ],
    [
      'an attempt that no event carries',
      { ...good, writes: { ...good.writes, attempts: [anAttempt(first)] } },
    ],
    [
      'many attempts that no event carries',
      {
        ...good,
        writes: {
          ...good.writes,
          attempts: Array.from({ length: 20 }, (_, index) => ({ ...anAttempt(first), number: index + 1 })),
        },
      },
    ],
    ['finished without being final', writing({ finishedAt: 5 })],
    [
      'an output before success',
      moving(first, ['CANCELLED'], { set: { output: { kind: 'inline', json: '1' } } }),
    ],
    ['a lease nobody acquired', writing({ lease: owned.lease, fence: owned.fence })],
    ['owned without a lease', claiming({ lease: null })],
    [
      'a lease of somebody else',
      claiming({ lease: owned.lease && { ...owned.lease, runnerId: aClaim('b').runnerId } }),
    ],
    ['an acquisition without a new fence', claiming({ fence: null })],
    ['events without any write', aCheckpoint({ events: [told] })],
    ['the same record twice', { ...good, writes: { ...good.writes, invocations: [record, record] } }],
    [
      'an epoch change',
      { ...good, events: [told, { ...told, body: { type: 'epoch.changed', from: 1, to: 2, reason: '' } }] },
    ],
  ]
}
