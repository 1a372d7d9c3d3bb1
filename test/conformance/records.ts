/** Records as everyone sees them: never changed in place, never shared between two data sets, ended once. */

import { describe, expect, test } from 'vitest'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import type { StoreSubject } from './scene.ts'
import { accept, everyEvent, theInvocation, theRun, useScene } from './scene.ts'
import {
  aClaim,
  anAttempt,
  anInvocation,
  aRun,
  aRunner,
  byOperator,
  byRunner,
  moving,
  movingRun,
  start,
  starting,
} from './story.ts'

const run = aRun()
const everything = { statuses: null, workflowId: null, includeCore: true }
const page = { after: null, limit: 99 }

export function recordSuite(subject: StoreSubject): void {
  describe('records', () => {
    const scene = useScene(subject)

    test('a move makes a new record; the one that was loaded before stays what it was [P7]', async () => {
      await accept(scene.store, starting(run, [anInvocation(run, 'n')]))
      const {
        claimed: [claimed],
      } = await scene.store.claim(aClaim('a', { now: start + 7 }))
      if (claimed === undefined) throw new Error('One was claimed.')
      const before = await theInvocation(scene.store, claimed.invocation.id)
      const told = structuredClone(before)
      await accept(scene.store, moving(before, ['RUNNING'], { actor: byRunner('a') }))
      expect(before).toEqual(told)
      const after = await theInvocation(scene.store, before.id)
      expect(after).toMatchObject({ status: 'RUNNING', version: before.version + 1 })
      // Whoever owned it while it was PENDING owns it while it runs.
      expect(after.lease).toEqual(before.lease)
      for (const event of await everyEvent(scene.store)) expect(Number.isInteger(event.at)).toBe(true)
      expect(after.lease?.expiresAt).toBe(start + 7 + 300_000)
    })

    test('what is registered is REGISTERED, nobody’s, and counts no failure [P10] [P11]', async () => {
      await accept(scene.store, starting(run, [anInvocation(run, 'n')]))
      expect(await theInvocation(scene.other, anInvocation(run, 'n').id)).toMatchObject({
        status: 'REGISTERED',
        lease: null,
        fence: null,
        attempt: 0,
        failureCount: 0,
      })
    })

    test('of a cancel and a result that are committed at once one ends the step [C8]', async () => {
      await accept(scene.store, starting(run, [anInvocation(run, 'n')]))
      await scene.store.claim(aClaim('a'))
      const record = await theInvocation(scene.store, anInvocation(run, 'n').id)
      await accept(scene.store, moving(record, ['RUNNING'], { actor: byRunner('a') }))
      const running = await theInvocation(scene.store, record.id)
      const [[result], [cancel]] = await Promise.all([
        scene.store.commit(0, [
          moving(running, ['SUCCESS'], {
            actor: byRunner('a'),
            attempt: anAttempt(running),
            set: { output: { kind: 'inline', json: '1' } },
          }),
        ]),
        scene.other.commit(0, [moving(running, ['CANCELLED'], { actor: byOperator })]),
      ])
      expect(new Set([result?.kind, cancel?.kind])).toEqual(new Set(['accepted', 'refused']))
      const ended = await theInvocation(scene.other, record.id)
      expect(ended.status).toBe(result?.kind === 'accepted' ? 'SUCCESS' : 'CANCELLED')
      const ends = (await everyEvent(scene.store)).filter(
        ({ body }) => body.type === 'invocation.changed' && invocationMachine.final.has(body.to),
      )
      expect(ends).toHaveLength(1)
    })

    test('the same result delivered in two places at once is applied once [C7] [C63]', async () => {
      await accept(scene.store, starting(run, [anInvocation(run, 'n')]))
      await scene.store.claim(aClaim('a'))
      const record = await theInvocation(scene.store, anInvocation(run, 'n').id)
      const result = moving(record, ['RUNNING', 'SUCCESS'], {
        actor: byRunner('a'),
        attempt: anAttempt(record),
        set: { output: { kind: 'inline', json: '1' } },
      })
      const answers = await Promise.all([
        scene.store.commit(0, [result]),
        scene.other.commit(0, [result]),
        scene.store.commit(0, [result]),
      ])
      expect(answers.flat().map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['accepted', 'repeated', 'repeated']),
      )
      expect((await theInvocation(scene.other, record.id)).version).toBe(record.version + 1)
      expect(await scene.store.load(0, 'attempts', { runId: run.id, invocationId: null })).toHaveLength(1)
    })

    test('results that are saved at once are all there [S52]', async () => {
      const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
      await accept(
        scene.store,
        starting(
          run,
          names.map((name) => anInvocation(run, name)),
        ),
      )
      const { claimed } = await scene.store.claim(aClaim('a', { limit: 12 }))
      await Promise.all(
        claimed.map(({ invocation }, index) =>
          accept(
            index % 2 === 0 ? scene.store : scene.other,
            moving(invocation, ['RUNNING', 'SUCCESS'], {
              actor: byRunner('a'),
              attempt: anAttempt(invocation),
              set: { output: { kind: 'inline', json: JSON.stringify(invocation.nodeId) } },
            }),
          ),
        ),
      )
      const records = await scene.store.load(0, 'invocations', { runId: run.id })
      expect(records.map(({ output }) => output)).toEqual(
        records.map(({ nodeId }) => ({ kind: 'inline', json: JSON.stringify(nodeId) })),
      )
    })

    test('only what somebody owns is listed as lost, however long it has been so [P27]', async () => {
      const names = ['registered', 'waiting', 'retry', 'done', 'running']
      await accept(
        scene.store,
        starting(
          run,
          names.map((name) => anInvocation(run, name)),
        ),
      )
      const { claimed } = await scene.store.claim(aClaim('a', { limit: 5, ttlMs: 1 }))
      const ways = { waiting: ['RUNNING', 'WAITING'], retry: ['RUNNING', 'RETRY'] } as const
      const actor = byRunner('a')
      for (const { invocation } of claimed) {
        const attempt = anAttempt(invocation)
        const { nodeId } = invocation
        if (nodeId === 'running') await accept(scene.store, moving(invocation, ['RUNNING'], { actor }))
        else if (nodeId === 'registered')
          await accept(scene.store, moving(invocation, ['REROUTED'], { actor }))
        else if (nodeId === 'done')
          await accept(
            scene.store,
            moving(invocation, ['RUNNING', 'SUCCESS'], {
              actor,
              attempt,
              set: { output: { kind: 'inline', json: '1' } },
            }),
          )
        else {
          const way = nodeId === 'waiting' ? ways.waiting : ways.retry
          await accept(scene.store, moving(invocation, way, { actor, attempt }))
        }
      }
      const lost = await scene.other.listExpired({
        partition: 0,
        now: start + 1_000_000,
        deadRunners: [aRunner('a').id],
        limit: 10,
      })
      expect(lost.map(({ nodeId }) => nodeId)).toEqual(['running'])
    })

    test('two data sets never see the work of each other, and pruning one leaves the other [P56]', async () => {
      const elsewhere = await subject.open()
      try {
        const here = aRun({ name: 'here' })
        const there = aRun({ name: 'there' })
        await accept(scene.store, starting(here, [anInvocation(here, 'n')]))
        await accept(elsewhere.store, starting(there, [anInvocation(there, 'n')]))
        const runsOf = async (store: typeof scene.store) =>
          (await store.list(0, 'runs', { filter: everything, page })).map(({ id }) => id)
        expect([await runsOf(scene.other), await runsOf(elsewhere.other)]).toEqual([['here'], ['there']])
        const { claimed } = await elsewhere.store.claim(aClaim('a'))
        expect(claimed.map(({ invocation }) => invocation.runId)).toEqual(['there'])
        const bytes = new TextEncoder().encode('mine')
        const hash = await scene.store.putBlob(bytes)
        await expect(elsewhere.store.getBlob(hash)).rejects.toMatchObject({ code: 'blob_missing' })
        const open = await theRun(elsewhere.store, there.id)
        await accept(elsewhere.store, movingRun(open, 'CANCELLED', { finishedAt: start }))
        const all = { partition: 0, endedBefore: null, keep: 0, blobsBefore: start + 9, limit: 9 }
        expect(await elsewhere.store.prune(all)).toMatchObject({ runs: 1 })
        expect(await runsOf(scene.store)).toEqual(['here'])
        expect(Buffer.from(await scene.store.getBlob(hash)).toString()).toBe('mine')
      } finally {
        await elsewhere.dispose()
      }
    })
  })
}
