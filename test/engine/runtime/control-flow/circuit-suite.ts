/** Circuit breakers around steps: shared by runs and engines through the store, across crashes, on each store. */

import { describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { FlowScene } from './flow-scene.ts'

/** Two failures within a minute open it for half a minute; one may try then. */
const guarded = (inside: JsonObject, parameters: JsonObject = {}): JsonObject => ({
  nodes: {
    guard: { kind: 'circuit-breaker', parameters: { failures: 2, openMs: 30_000, ...parameters } },
    call: { ...inside, parent: 'guard' },
    done: { kind: 'transform', parameters: { expression: '"done " & input' } },
    instead: { kind: 'transform', parameters: { expression: '"instead, " & input.status' } },
    broken: { kind: 'transform', parameters: { expression: '"broken"' } },
  },
  edges: edgesOf('guard>done', 'guard:open>instead', 'guard:error>broken'),
})
const failing = { kind: 'debug', parameters: { failTimes: 9, retryable: false } }
const working = { kind: 'transform', parameters: { expression: '"well"' } }
/** What the input says. */
const either = {
  kind: 'validate',
  parameters: { value: '{{ input }}', check: 'expression', condition: 'input.ok' },
}

/** What holds of them on a store; `opened` gives a scene with a store of its own. */
export function circuitSuite(store: string, opened: () => Promise<FlowScene>): void {
  describe(`circuit breakers on ${store}`, () => {
    const scene = async (): Promise<FlowScene> => {
      const made = await opened()
      await made.launch()
      return made
    }
    const ran = async (here: FlowScene, parts: JsonObject, input: JsonObject = {}) => {
      const run = await here.start(parts, input)
      await here.pass(500)
      return outcomeOf(here, run)
    }
    const outcomeOf = async (here: FlowScene, run: RunId) => {
      const { status } = await here.run(run)
      return status === 'SUCCEEDED' ? here.outputOf(run) : status
    }
    const circuits = (here: FlowScene) => here.within(here.engine.circuits.list(null))

    it('what is inside runs and goes on by one way, and nothing is kept of it', async () => {
      const here = await scene()
      expect(await ran(here, guarded(working))).toBe('done well')
      expect(await circuits(here)).toEqual([])
    })

    it('opens over runs, sends who comes then the other way without trying, and closes when a try succeeds', async () => {
      const here = await scene()
      const parts = guarded(either)
      expect(await ran(here, parts, { ok: false })).toBe('broken')
      expect(await ran(here, parts, { ok: false })).toBe('broken')
      const [known, ...others] = await circuits(here)
      expect(others).toEqual([])
      expect(known).toMatchObject({ place: { nodeId: 'guard' }, circuit: { status: 'open', failures: 2 } })
      const run = await here.start(parts, { ok: true })
      await here.pass(500)
      expect(await outcomeOf(here, run)).toBe('instead, open')
      expect(await here.executions(run)).not.toContainEqual(['call@guard:0', 1])
      await here.pass(30_000)
      expect(await ran(here, parts, { ok: false })).toBe('broken')
      expect(await ran(here, parts, { ok: true })).toBe('instead, open')
      await here.pass(30_000)
      expect(await ran(here, parts, { ok: true })).toMatch(/^done/)
      expect(await circuits(here)).toEqual([])
    })

    it('is closed by hand', async () => {
      const here = await scene()
      const parts = guarded(failing, { failures: 1 })
      expect(await ran(here, parts)).toBe('broken')
      expect(await ran(here, parts)).toBe('instead, open')
      const [known] = await circuits(here)
      await here.within(here.engine.circuits.reset(known?.id ?? ''))
      expect(await circuits(here)).toEqual([])
      expect(await ran(here, parts)).toBe('broken')
      await expect(here.within(here.engine.circuits.reset('circuit/none'))).rejects.toMatchObject({
        code: 'circuit_not_found',
      })
    })

    it('each key has its own', async () => {
      const here = await scene()
      const parts = guarded(either, { failures: 1, key: 'input.of' })
      expect(await ran(here, parts, { ok: false, of: 'a' })).toBe('broken')
      expect(await ran(here, parts, { ok: true, of: 'a' })).toBe('instead, open')
      expect(await ran(here, parts, { ok: true, of: 'b' })).toMatch(/^done/)
    })

    it('who is cancelled inside says nothing of what is protected', async () => {
      const here = await scene()
      const waiting = { kind: 'delay', parameters: { amount: 1, unit: 'hours' } }
      const run = await here.start(guarded(waiting, { failures: 1 }))
      await here.pass(500)
      await here.within(
        here.engine.controlRun({
          runId: run,
          action: 'cancel',
          nodeId: null,
          by: null,
          reason: null,
          wait: false,
        }),
      )
      await here.pass(2_000)
      expect((await here.run(run)).status).toBe('CANCELLED')
      expect(await circuits(here)).toEqual([])
    })

    it('hears of an end once, though its process dies around telling it', async () => {
      for (const name of ['effect.before-delivery', 'effect.after-delivery'] as const) {
        const here = await scene()
        here.crash()
        await here.launch({ name, nth: (here.passed.get(name) ?? 0) + 1 })
        const run = await here.start(guarded(failing, { failures: 2 }))
        await here.pass(1_000)
        expect(here.isDead).toBe(true)
        await here.launch()
        await here.pass(400_000)
        expect(await outcomeOf(here, run)).toBe('broken')
        const [known] = await circuits(here)
        expect(known?.circuit).toMatchObject({ status: 'closed', failures: [{ of: `${run}/guard` }] })
      }
    })

    it('is the same for all engines, however many ask at a time', async () => {
      const here = await scene()
      await here.launch()
      const parts = guarded(failing, { failures: 1, probes: 1, openMs: 30_000 })
      expect(await ran(here, parts)).toBe('broken')
      await here.pass(31_000)
      const runs: RunId[] = []
      for (let count = 0; count < 6; count += 1) runs.push(await here.start(parts))
      await here.pass(2_000)
      const outcomes = await Promise.all(runs.map((run) => outcomeOf(here, run)))
      expect(outcomes.filter((outcome) => outcome === 'broken')).toHaveLength(1)
      expect(outcomes.filter((outcome) => String(outcome).startsWith('instead'))).toHaveLength(5)
    })
  })
}
