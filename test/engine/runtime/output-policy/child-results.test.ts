/** A result that is held back after its run has ended is held back by whoever started that run, too, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import { createDirectScanner } from '../../../../src-engine/runtime/output-policy/scan-json.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { valueOf } from '../control-flow/flow-scene.ts'
import { OutputScene, rule, secretKey, transform } from './output-scene.ts'

const scenes: OutputScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const call = (workflow: string): JsonObject => ({
  kind: 'sub-workflow',
  parameters: { workflow, input: 'input' },
})

const wait = { kind: 'delay', parameters: { amount: 10, unit: 'minutes' } }

const found = { key: `${secretKey}!` }

/** Scans of the innermost step wait until somebody opens them. */
class GatedScene extends OutputScene {
  readonly gate = Promise.withResolvers<void>()

  async begin(decision: string): Promise<void> {
    const direct = createDirectScanner()
    const scan: typeof direct.scan = async (request) => {
      await this.gate.promise
      return direct.scan(request)
    }
    this.outputs = { scanner: { ...direct, scan } }
    const document = (id: string, nodes: JsonObject) => documentOf({ id, title: id, nodes })
    this.workflows.set('inner', {
      document: document('inner', { found: transform('{ "key": input & "!" }') }),
      folder: null,
    })
    this.workflows.set('middle', { document: document('middle', { mid: call('inner') }), folder: null })
    await this.launch()
    // Nobody looks into what the parents hand on.
    await this.setRules([rule(decision, { nodes: ['found'], scanners: ['secret'] })])
  }

  async open(): Promise<void> {
    this.gate.resolve()
    await this.pass(5_000)
  }

  async runsOf(workflow: string): Promise<RunRecord> {
    const filter = { statuses: null, workflowId: null, includeCore: false }
    const runs = await this.store.list(0, 'runs', { filter, page: { after: null, limit: 10 } })
    const [run] = runs.filter(({ workflowId }) => workflowId === workflow)
    if (run === undefined) throw new Error(`there is no run of ${workflow}`)
    return run
  }
}

describe.each(Object.entries(sceneStores))('on %s', (_name, open) => {
  const scene = async (decision = 'quarantine'): Promise<GatedScene> => {
    const made = new GatedScene(await open(), { outputPolicyEnabled: true })
    scenes.push(made)
    await made.begin(decision)
    return made
  }
  const parent = { nodes: { outer: call('middle'), last: transform('input') }, edges: edgesOf('outer>last') }
  const family = async (here: GatedScene, run: RunId) => {
    const ids = [run, (await here.runsOf('middle')).id, (await here.runsOf('inner')).id]
    return (await Promise.all(ids.map((id) => here.seen(id)))).join('\n')
  }

  it('nobody sees it any more in any run of the family, and a release shows it everywhere', async () => {
    const here = await scene()
    const run = await here.play(parent, secretKey)
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', found])
    await here.open()
    expect(await here.statuses(run.id)).toEqual({ outer: 'OUTPUT_QUARANTINED', last: 'OUTPUT_QUARANTINED' })
    expect(await here.outputOf(run.id)).toBeNull()
    expect((await family(here, run.id)).includes(found.key)).toBe(false)
    const inner = await here.runsOf('inner')
    // One decision for all of them.
    expect(await here.held()).toEqual([here.id(inner.id, 'found')])
    expect((await here.step(run.id, 'outer')).dispatch?.check).toMatchObject({
      rule: 'r',
      dependentsCount: 1,
    })
    const { quarantine } = here.engine.outputs
    const said = { by: 'ada', reason: 'known' }
    await expect(
      here.within(quarantine.release({ ...said, invocationId: here.id(run.id, 'outer'), goOn: false })),
    ).rejects.toMatchObject({ code: 'output_not_held', details: { with: expect.stringContaining('/mid') } })
    await here.within(quarantine.release({ ...said, invocationId: here.id(inner.id, 'found'), goOn: false }))
    await here.pass(5_000)
    expect(await here.statuses(run.id)).toEqual({ outer: 'SUCCESS', last: 'SUCCESS' })
    expect(await here.outputOf(run.id)).toEqual(found)
    expect((await here.step(run.id, 'outer')).dispatch?.check?.decided).toMatchObject(said)
  })

  it('thrown away there it is thrown away here', async () => {
    const here = await scene()
    const run = await here.play(parent, secretKey)
    await here.open()
    const { id } = await here.runsOf('inner')
    const invocationId = here.id(id, 'found')
    await here.within(here.engine.outputs.quarantine.discard({ invocationId, by: 'ada', reason: null }))
    await here.pass(5_000)
    for (const node of ['outer', 'last']) {
      const { dispatch } = await here.step(run.id, node)
      expect(dispatch?.check).toMatchObject({ standing: 'discarded', held: null, decided: { by: 'ada' } })
    }
  })

  it('a run that still goes on with it stops', async () => {
    const here = await scene()
    const nodes = { outer: call('inner'), wait, last: transform('input') }
    const id = await here.start({ nodes, edges: edgesOf('outer>wait', 'wait>last') }, secretKey)
    await here.pass(1_000)
    await here.open()
    const run = await here.run(id)
    expect([run.status, run.error?.code]).toEqual(['FAILED', 'output_quarantined'])
    expect((await here.step(id, 'outer')).status).toBe('OUTPUT_QUARANTINED')
  })

  it('a redacted copy takes its place everywhere [C35]', async () => {
    const here = await scene('redact')
    const run = await here.play(parent, secretKey)
    await here.open()
    expect(await here.outputOf(run.id)).toEqual({ key: '[REDACTED]!' })
    expect(await here.statuses(run.id)).toEqual({ outer: 'SUCCESS', last: 'SUCCESS' })
    expect((await here.step(run.id, 'outer')).dispatch?.check).toMatchObject({
      standing: 'redacted',
      held: null,
    })
  })

  it.each(['effect.before-delivery', 'effect.after-delivery'] as const)(
    'a crash at %s keeps nothing of it visible [C35]',
    async (name) => {
      const here = await scene()
      const run = await here.play(parent, secretKey)
      here.crash()
      here.gate.resolve()
      // The scan, what it means for the middle, and what that means for the outermost: each of them dies once.
      for (let count = 0; count < 3; count += 1) {
        await here.launch({ name, nth: (here.passed.get(name) ?? 0) + 1 })
        await here.pass(130_000)
        if (!here.isDead) break
      }
      if (here.isDead) await here.launch()
      await here.pass(130_000)
      expect(await here.statuses(run.id)).toEqual({ outer: 'OUTPUT_QUARANTINED', last: 'OUTPUT_QUARANTINED' })
      expect(await here.held()).toHaveLength(1)
    },
  )

  it.each([1, 2, 3, 4, 5, 6, 7])(
    'whatever comes first after a crash, that a run ended or that its result is held back (%i)',
    async (nth) => {
      const here = await scene()
      here.crash()
      const name = 'effect.before-delivery'
      await here.launch({ name, nth: (here.passed.get(name) ?? 0) + nth })
      // What had begun with it before it was held back keeps what it makes of it: here nobody does.
      const id = await here.start({ nodes: { outer: call('middle') } }, secretKey)
      await here.pass(1_000)
      await here.open()
      if (here.isDead) await here.launch()
      await here.pass(130_000)
      const inner = await here.runsOf('inner')
      expect(await here.statuses(inner.id)).toEqual({ found: 'OUTPUT_QUARANTINED' })
      expect((await here.step(id, 'outer')).status).toBe('OUTPUT_QUARANTINED')
      expect((await family(here, id)).includes(found.key)).toBe(false)
      const { quarantine } = here.engine.outputs
      const said = { invocationId: here.id(inner.id, 'found'), by: 'ada', reason: null, goOn: false }
      await here.within(quarantine.release(said))
      await here.pass(5_000)
      const { status, output } = await here.step(id, 'outer')
      expect([status, output]).toEqual(['SUCCESS', { kind: 'inline', json: JSON.stringify(found) }])
    },
  )
})
