/** Steps that take over what they gave in an earlier run: from whom, how long, and when they run all the same. */

import { describe, expect, it } from 'vitest'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import { partitionOfRun } from '../../../../src-engine/runtime/run-place.ts'
import type { TaskContext } from '../../../../src-engine/tasks/task.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { FlowScene } from './flow-scene.ts'
import { valueOf } from './flow-scene.ts'

const minute = 60_000

/** A step that asks a model; what it gives says how often it was asked. */
const ask = (more: JsonObject = {}, parameters: JsonObject = {}): JsonObject => ({
  kind: 'ask-model',
  parameters: { model: 'm', prompt: 'About {{ input.topic }}', ...parameters },
  cache: { ttlMs: 10 * minute },
  ...more,
})
const chain = (step: JsonObject): JsonObject => ({
  nodes: { ask: step, after: { kind: 'transform', parameters: { expression: 'input' } } },
  edges: edgesOf('ask>after'),
})

/** What holds of them on a store; `opened` gives a scene with a store of its own. */
export function cacheSuite(store: string, opened: () => Promise<FlowScene>): void {
  describe(`kept results on ${store}`, () => {
    const scene = async (give = (count: number, _context: TaskContext): JsonValue => ({ count })) => {
      const here = await opened()
      let count = 0
      here.instead.set('ask-model', {
        execute: async (_parameters, context) => completed(give((count += 1), context)),
      })
      await here.launch()
      return { here, asked: () => count }
    }
    const records = (here: FlowScene, run: RunRecord) =>
      here.store.load(partitionOfRun(here.store.info, run.id), 'invocations', { runId: run.id })
    const step = async (here: FlowScene, run: RunRecord, id = 'ask'): Promise<InvocationRecord> => {
      const found = (await records(here, run)).find((record) => record.nodeId === id)
      if (found === undefined) throw new Error(`there is no step ${id}`)
      return found
    }
    const about = (topic: string) => ({ topic })

    it('the same step with the same parameters and input doesn’t run again, and says whose result it has', async () => {
      const { here, asked } = await scene()
      const first = await here.play(chain(ask()), about('trees'))
      await here.pass(5 * minute)
      const second = await here.play(chain(ask()), about('trees'))
      expect(asked()).toBe(1)
      expect([valueOf(first), valueOf(second)]).toEqual([{ count: 1 }, { count: 1 }])
      const giver = await step(here, first)
      expect(giver.dispatch?.reused).toBeUndefined()
      expect(await step(here, second)).toMatchObject({
        status: 'SUCCESS',
        error: null,
        dispatch: { reused: { from: giver.id, at: giver.finishedAt } },
      })
      const attempts = await here.engine.attempts(second.id, null)
      const own = attempts.find(({ invocationId }) => invocationId.endsWith('/ask'))
      expect(own).toMatchObject({ outcome: 'reused', error: null })
      expect(JSON.stringify(own?.log)).toContain(`a result of 5 min ago stands for it. ${giver.id} gave it.`)
    })

    it('another input, a result that is too old, and another definition have it run', async () => {
      const { here, asked } = await scene()
      await here.play(chain(ask()), about('trees'))
      await here.play(chain(ask()), about('birds'))
      expect(asked()).toBe(2)
      await here.play(chain(ask({}, { model: 'other' })), about('trees'))
      expect(asked()).toBe(3)
      await here.play({ ...chain(ask()), variables: { tone: 'dry' } }, about('trees'))
      expect(asked()).toBe(4)
      await here.play({ ...chain(ask()), id: 'another' }, about('trees'))
      expect(asked()).toBe(5)
      await here.pass(11 * minute)
      await here.play(chain(ask()), about('trees'))
      expect(asked()).toBe(6)
      // What it gave anew counts from now on.
      await here.pass(9 * minute)
      expect(valueOf(await here.play(chain(ask()), about('trees')))).toEqual({ count: 6 })
    })

    it('tenants see nothing of each other, though a key holds their things to be the same', async () => {
      const { here, asked } = await scene()
      const keyed = ask({ cache: { ttlMs: 10 * minute, key: 'input.id' } })
      for (const tenant of ['blue', 'green', 'blue']) await here.play(chain(keyed), { id: 7 }, { tenant })
      expect(asked()).toBe(2)
    })

    it('a shorter time counts for results that are there already, and the age is that of who really ran', async () => {
      const { here, asked } = await scene()
      await here.play(chain(ask()), about('trees'))
      await here.pass(6 * minute)
      await here.play(chain(ask()), about('trees'))
      await here.pass(6 * minute)
      await here.play(chain(ask()), about('trees'))
      expect(asked()).toBe(2)
      await here.pass(2 * minute)
      await here.play(chain(ask({ cache: { ttlMs: minute } })), about('trees'))
      expect(asked()).toBe(3)
    })

    it('a key of its own says what is the same; one that gives nothing has it run', async () => {
      const { here, asked } = await scene()
      const keyed = ask({ cache: { ttlMs: 10 * minute, key: 'input.id' } })
      await here.play(chain(keyed), { topic: 'trees', id: 7 })
      await here.play(chain(keyed), { topic: 'birds', id: 7 })
      expect(asked()).toBe(1)
      await here.play(chain(keyed), { topic: 'trees' })
      await here.play(chain(keyed), { topic: 'trees' })
      expect(asked()).toBe(3)
      const broken = await here.play(chain(ask({ cache: { ttlMs: minute, key: '$error("no key")' } })))
      expect([broken.status, broken.error?.message]).toMatchObject([
        'FAILED',
        expect.stringContaining('no key'),
      ])
    })

    it('failures are not kept, nor is what failed the check of its output', async () => {
      const { here, asked } = await scene((count) => {
        if (count === 1) throw new Error('the model is away')
        return count === 2 ? 'text' : { count }
      })
      const strict = chain(ask({ outputSchema: { type: 'object' } }))
      expect((await here.play(strict, about('trees'))).status).toBe('FAILED')
      expect((await here.play(strict, about('trees'))).status).toBe('FAILED')
      expect(valueOf(await here.play(strict, about('trees')))).toEqual({ count: 3 })
      expect(valueOf(await here.play(strict, about('trees')))).toEqual({ count: 3 })
      expect(asked()).toBe(3)
    })

    it('what is done again by hand runs again; items of one run take over from each other', async () => {
      const { here, asked } = await scene()
      const parts = {
        nodes: {
          each: { kind: 'map', parameters: { items: 'input.topics', limit: 1 } },
          ask: { ...ask(), parent: 'each' },
          fail: { kind: 'debug', parameters: { failTimes: 9, retryable: false } },
        },
        edges: edgesOf('each>fail'),
      }
      const run = await here.play(parts, { topics: [{ topic: 'a' }, { topic: 'a' }, { topic: 'b' }] })
      expect([run.status, asked()]).toEqual(['FAILED', 2])
      const again = here.engine.retryRun({
        ...{ runId: run.id, nodeId: nodeId('each'), input: null, version: 'same', document: null },
        ...{ by: 'ada', reason: 'another answer' },
      })
      await here.within(again)
      await here.pass(1_000)
      expect(asked()).toBe(4)
    })

    it('large results are taken over, also by another engine', async () => {
      const { here, asked } = await scene((count) => ({ count, text: 'x'.repeat(100_000) }))
      await here.play(chain(ask()), about('trees'))
      await here.launch()
      const second = await here.play(chain(ask()), about('trees'))
      expect(asked()).toBe(1)
      expect((await step(here, second, 'after')).output).toMatchObject({ kind: 'blob' })
    })

    it('what is too old to count is forgotten with the runs', async () => {
      const { here } = await scene()
      await here.play(chain(ask()), about('trees'))
      await here.play(chain(ask({ cache: { ttlMs: 60 * minute } }, { model: 'n' })), about('trees'))
      const kept = () =>
        here.store.list(0, 'registers', {
          filter: { prefix: 'kept-result/' },
          page: { after: null, limit: 9 },
        })
      expect(await kept()).toHaveLength(2)
      await here.pass(11 * minute)
      await here.within(here.engine.pruner.prune())
      expect(await kept()).toHaveLength(1)
    })
  })
}
