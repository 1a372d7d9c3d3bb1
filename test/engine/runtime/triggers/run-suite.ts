/** Triggers on what happens to runs and steps, on one kind of store. */

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { minute, second } from '../../../../src-engine/model/time.ts'
import type { WorkflowDocument, WorkflowTrigger } from '../../../../src-engine/model/workflow.ts'
import type { TriggerScene, Triggers } from './trigger-scene.ts'
import { withTriggers } from './trigger-scene.ts'

/** After runs of the workflow `w`, unless told otherwise. */
export const afterRun = (parameters: JsonObject = {}): WorkflowTrigger => ({
  kind: 'run-status',
  parameters: { workflow: 'w', ...parameters },
})

const watched = withTriggers({})
const listener = (triggers: Triggers): WorkflowDocument => withTriggers(triggers, { id: 'l' })

export function runSuite(name: string, open: () => Promise<TriggerScene>): void {
  describe(`triggers on runs on ${name}`, () => {
    const began = async (triggers: Triggers, engines = 1): Promise<TriggerScene> => {
      const scene = await open()
      await scene.launchAll(engines)
      await scene.publish(listener(triggers))
      return scene
    }
    /** Starts a run of `w` and ends it. */
    const ended = async (scene: TriggerScene, input: JsonObject = {}, error?: Error) => {
      const id = await scene.start(watched, input)
      await scene.pass(0)
      const work = scene.atWork.find(({ runId }) => runId === id)
      work?.end(error)
      await scene.pass(2 * second)
      return id
    }
    const by = async (scene: TriggerScene) =>
      (await scene.firings()).flatMap(({ triggerId, reason }) => (reason === null ? [triggerId] : []))
    const leftOut = async (scene: TriggerScene) =>
      (await scene.firings()).flatMap(({ triggerId, reason }) => (reason === 'filtered' ? [triggerId] : []))

    it('each run that ends well starts one of its own, with what it gave [P42]', async () => {
      const scene = await began({ t: afterRun() })
      const ids = await Promise.all([1, 2, 3, 4].map((n) => scene.start(watched, { n })))
      while (scene.atWork.length > 0) await scene.end()
      await scene.pass(3 * second)
      const inputs = (await scene.inputs()) as readonly JsonObject[]
      expect(new Set(inputs.map(({ runId }) => runId))).toEqual(new Set(ids))
      expect(inputs).toHaveLength(4)
      const [one] = inputs.filter(({ runId }) => runId === ids[0])
      expect(one).toMatchObject({
        workflowId: 'w',
        node: null,
        status: 'SUCCEEDED',
        input: { n: 1 },
        error: null,
      })
      expect(JSON.stringify(one?.['output'])).toContain(ids[0])
      const firing = (await scene.firings()).find(
        ({ sources: [source] }) => source?.kind === 'run' && source.runId === ids[0],
      )
      expect(firing).toMatchObject({
        reason: null,
        depth: 1,
        sources: [{ kind: 'run', nodeId: null, status: 'SUCCEEDED' }],
      })
      const run = (await scene.triggered()).find(({ id }) => id === firing?.runId)
      expect(run?.cause).toMatchObject({ kind: 'trigger:run-status', by: firing?.id })
    })

    it('failures are told by their errors, and no names mean any of them [P45]', async () => {
      const scene = await began({
        any: afterRun({ statuses: ['FAILED'] }),
        ours: afterRun({ statuses: ['FAILED'], errors: ['http_*', 'int*al'] }),
        others: afterRun({ statuses: ['FAILED'], errors: ['http_*', 'intern'] }),
      })
      await ended(scene)
      expect(await by(scene)).toEqual([])
      await ended(scene, {}, new Error('no paper'))
      const [input] = (await scene.inputs()) as readonly JsonObject[]
      expect(input).toMatchObject({
        status: 'FAILED',
        error: { code: 'internal', message: 'no paper' },
        output: null,
      })
      expect((await by(scene)).toSorted()).toEqual(['any', 'ours'])
      expect(await leftOut(scene)).toEqual(['others'])
    })

    it('arguments and outputs are matched by their fields [P42]', async () => {
      const scene = await began({
        book: afterRun({ filter: { input: { order: { kind: 'book' } } } }),
        nothing: afterRun({ output: null }),
        step: afterRun({ node: 'a', filter: { input: { order: { kind: 'pen' } } } }),
      })
      await ended(scene, { order: { kind: 'book', count: 2 } })
      await ended(scene, { order: { kind: 'pen' } })
      expect((await by(scene)).toSorted()).toEqual(['book', 'step'])
      expect((await leftOut(scene)).toSorted()).toEqual(['book', 'nothing', 'nothing', 'step'])
    })

    it('one step of a run is watched by itself', async () => {
      const scene = await began({
        begins: afterRun({ node: 'a', statuses: ['RUNNING'] }),
        ends: afterRun({ node: '*', statuses: ['SUCCEEDED', 'FAILED'] }),
        other: afterRun({ node: 'b' }),
      })
      const id = await ended(scene)
      expect((await by(scene)).toSorted()).toEqual(['begins', 'ends'])
      const found = ((await scene.inputs()) as readonly JsonObject[]).find(
        ({ status }) => status === 'SUCCEEDED',
      )
      expect(found).toMatchObject({ runId: id, node: 'a', output: id })
    })

    it('what ended before it was published, or while it was off, starts nothing', async () => {
      const scene = await open()
      await scene.launchAll(1)
      await ended(scene)
      const under = await scene.start(watched, { n: 1 })
      await scene.pass(second)
      await scene.publish(listener({ t: afterRun() }))
      await scene.end()
      await scene.pass(2 * second)
      await scene.publish(listener({}))
      await ended(scene)
      await scene.publish(listener({ t: afterRun() }))
      await scene.pass(2 * second)
      const inputs = (await scene.inputs()) as readonly JsonObject[]
      expect(inputs.map(({ runId }) => runId)).toEqual([under])
    })

    it('runs of its own workflow count only where that is allowed, and then come to an end', async () => {
      const scene = await began({ all: afterRun({ workflow: '*' }) })
      await ended(scene)
      await scene.end()
      await scene.pass(3 * second)
      expect(await by(scene)).toEqual(['all'])
      await scene.publish(listener({ all: afterRun({ workflow: 'l', allowOwn: true }) }))
      for (let ends = 0; ends < 20; ends += 1) {
        if (scene.atWork.length === 0) await scene.start(listener({}))
        await scene.pass(0)
        await scene.end()
        await scene.pass(2 * second)
        if ((await scene.firings()).some(({ reason }) => reason === 'loop')) break
      }
      expect((await scene.firings()).at(-1)).toMatchObject({ reason: 'loop', runId: null })
      await scene.publish(listener({ all: afterRun({ workflow: 'l' }) }))
      const [own] = await scene.triggers()
      expect(own?.problem).toContain('its own workflow')
    })

    it('whoever dies between the end of a run and the look at it loses none and doubles none', async () => {
      const scene = await began({ t: afterRun(), u: afterRun({ node: 'a' }) }, 3)
      scene.dieAfter(0, ({ writes }) => writes.run?.status === 'SUCCEEDED' && writes.run.workflowId === 'w')
      const id = await scene.start(watched, {})
      await scene.pass(0)
      scene.atWork.find(({ runId }) => runId === id)?.end()
      await scene.pass(4 * minute)
      expect(scene.processes[0]?.alive).toBe(false)
      expect((await by(scene)).toSorted()).toEqual(['t', 'u'])
      expect(await scene.triggered()).toHaveLength(2)
    })

    it('whoever dies as the run of an end starts leaves the rest to the others', async () => {
      const scene = await began({ t: afterRun(), u: afterRun({ statuses: ['SUCCEEDED', 'FAILED'] }) }, 3)
      const dying = ({ writes }: { writes: { run: { cause: { kind: string } } | null } }) =>
        writes.run?.cause.kind === 'trigger:run-status'
      for (const engine of [0, 1]) scene.dieAfter(engine, dying)
      const id = await scene.start(watched, {}, 2)
      await scene.pass(0)
      scene.atWork.find(({ runId }) => runId === id)?.end()
      await scene.pass(6 * minute)
      expect((await by(scene)).toSorted()).toEqual(['t', 'u'])
      expect(await scene.triggered()).toHaveLength(2)
    })

    it('one that is published while runs end misses none that ends after it', async () => {
      const scene = await began({ t: afterRun({ statuses: ['FAILED'] }) })
      const late: string[] = []
      for (let n = 0; n < 6; n += 1) {
        const id = await scene.start(watched, { n })
        await scene.pass(0)
        if (n === 3) await scene.publish(listener({ t: afterRun({ statuses: ['FAILED'] }), u: afterRun() }))
        scene.atWork.find(({ runId }) => runId === id)?.end()
        if (n >= 3) late.push(id)
        await scene.pass(30)
      }
      await scene.pass(3 * second)
      const inputs = (await scene.inputs()) as readonly JsonObject[]
      expect(new Set(inputs.map(({ runId }) => runId))).toEqual(new Set(late))
      expect(inputs).toHaveLength(late.length)
    })

    it('a run that is forgotten has been heard of before', async () => {
      const scene = await open()
      await scene.launchAll(1, { runRetentionCount: 1 })
      await scene.publish(listener({ t: afterRun() }))
      for (let n = 0; n < 4; n += 1) {
        const id = await scene.start(watched, { n })
        await scene.pass(0)
        scene.atWork.find(({ runId }) => runId === id)?.end()
        await scene.pass(0)
      }
      const [engine] = scene.engines
      if (engine !== undefined) await scene.within(engine.pruner.prune())
      expect(await by(scene)).toHaveLength(4)
    })
  })
}
