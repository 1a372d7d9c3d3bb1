/** What people do with results that are held back, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { QuarantinePage, QuarantineQuery } from '../../../../src-engine/protocol/quarantine.ts'
import { createDirectScanner } from '../../../../src-engine/runtime/output-policy/scan-json.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { valueOf } from '../control-flow/flow-scene.ts'
import { machineOn } from '../sealing/seal-scene.ts'
import { chain, OutputScene, rule, secretKey, transform } from './output-scene.ts'

const scenes: OutputScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const long = { text: 'x'.repeat(200) }
const large = rule('quarantine', { outputSizeGt: 100, nodes: ['a'] })
const everyRun = {
  filter: { statuses: null, workflowId: null, includeCore: false },
  page: { after: null, limit: 10 },
}
const decision = (here: OutputScene, run: Parameters<OutputScene['id']>[0]) => ({
  invocationId: here.id(run, 'a'),
  by: 'ada',
  reason: 'It is what it should be.',
})

describe.each(Object.entries(sceneStores))('held results on %s', (_name, open) => {
  const scene = async (rules: readonly JsonObject[]): Promise<OutputScene> => {
    const made = await OutputScene.judging(await open(), rules)
    scenes.push(made)
    return made
  }

  it('a released result has its run go on from there, with nothing done again', async () => {
    const here = await scene([large])
    const run = await here.play(chain, long)
    expect(run.status).toBe('FAILED')
    const { quarantine } = here.engine.outputs
    const answer = await here.within(quarantine.release({ ...decision(here, run.id), goOn: true }))
    expect(answer.runStatus).toBe('RUNNING')
    await here.pass(1_000)
    expect(await here.run(run.id)).toMatchObject({ status: 'SUCCEEDED', generation: 1 })
    expect(valueOf(await here.run(run.id))).toEqual({ got: long })
    expect(await here.step(run.id, 'a')).toMatchObject({
      status: 'SUCCESS',
      attempt: 1,
      dispatch: { check: { standing: 'released', decided: { by: 'ada' } } },
    })
    expect([await here.held(), await here.letters()]).toEqual([[], []])
  })

  it('a run that lacked only that result has succeeded with it', async () => {
    const here = await scene([large])
    const run = await here.play({ nodes: { a: transform('input') } }, long)
    const { quarantine } = here.engine.outputs
    const answer = await here.within(quarantine.release({ ...decision(here, run.id), goOn: true }))
    expect(answer.runStatus).toBe('SUCCEEDED')
    expect(valueOf(await here.run(run.id))).toEqual(long)
  })

  it('a released result is not looked into again, nor can it be released twice', async () => {
    const here = await scene([rule('quarantine', { scanners: ['secret'] })])
    const run = await here.play({ nodes: { a: transform('input') } }, secretKey)
    await here.pass(3_000)
    const { quarantine } = here.engine.outputs
    const release = () => here.within(quarantine.release({ ...decision(here, run.id), goOn: false }))
    await release()
    await here.pass(5_000)
    expect((await here.step(run.id, 'a')).status).toBe('SUCCESS')
    await expect(release()).rejects.toThrow(/No result of this step is held back/)
  })

  it('a discarded result is gone for good, and its run stays as it was', async () => {
    const here = await scene([large])
    const run = await here.play(chain, long)
    const { quarantine } = here.engine.outputs
    expect(await here.within(quarantine.discard(decision(here, run.id)))).toEqual({ runStatus: 'FAILED' })
    expect((await here.step(run.id, 'a')).dispatch?.check).toMatchObject({
      standing: 'discarded',
      held: null,
      decided: { by: 'ada', reason: 'It is what it should be.' },
    })
    expect([await here.held(), await here.letters()]).toEqual([[], []])
    await expect(here.within(quarantine.discard(decision(here, run.id)))).rejects.toThrow(/held back/)
    await expect(here.within(quarantine.content(here.id(run.id, 'a'), 'ada'))).rejects.toThrow(/held back/)
  })

  it('release, discard and every look at a held result are in the run’s history, with who did it', async () => {
    const here = await scene([large])
    const run = await here.play(chain, long)
    const { quarantine } = here.engine.outputs
    const { json } = await here.within(quarantine.content(here.id(run.id, 'a'), 'bob'))
    expect(JSON.parse(json)).toEqual(long)
    await here.within(quarantine.release({ ...decision(here, run.id), goOn: false }))
    const query = {
      after: { partition: run.partition, epoch: 0, seq: 0 },
      runId: run.id,
      until: null,
      limit: 1_000,
    }
    const causes = (await here.store.readEvents(query)).map(({ cause, actor }) => [
      actor.kind,
      cause.kind,
      cause.by,
    ])
    expect(causes).toContainEqual(['operator', 'quarantine.seen', 'bob'])
    expect(causes).toContainEqual(['operator', 'quarantine.released', 'ada'])
    expect(causes).toContainEqual(['runner', 'quarantine', 'r'])
  })

  it('the list has pages, newest first, and only of what was asked for', async () => {
    const here = await scene([large, rule('quarantine', { scanners: ['secret'] }, 'secret')])
    const runs: string[] = []
    for (let index = 0; index < 6; index += 1) {
      const input = index % 2 === 0 ? long : secretKey
      runs.unshift((await here.play({ nodes: { a: transform('input') } }, input)).id)
      await here.pass(2_000)
    }
    const found: string[] = []
    for (let after: string | null = null, pages = 0; pages < 10; pages += 1) {
      const query: QuarantineQuery = { workflowId: null, runId: null, after, limit: 2 }
      const page: QuarantinePage = await here.within(here.engine.outputs.quarantine.list(query))
      found.push(...page.entries.map(({ runId }) => runId))
      if (page.next === null) break
      after = page.next
    }
    expect(found).toEqual(runs)
  })

  it('a result of an item takes back that of its map', async () => {
    const here = await scene([rule('quarantine', { scanners: ['secret'], nodes: ['one'] })])
    const nodes = {
      each: { kind: 'map', parameters: { items: 'input' } },
      one: { ...transform('item & "!"'), parent: 'each' },
      last: transform('$count(input)'),
    }
    const run = await here.play({ nodes, edges: edgesOf('each>last') }, ['1', secretKey, '3'])
    await here.pass(3_000)
    const statuses = await here.statuses(run.id)
    expect(statuses).toMatchObject({ 'one@each:0': 'SUCCESS', 'one@each:1': 'OUTPUT_QUARANTINED' })
    expect(statuses['each']).not.toBe('SUCCESS')
    expect(await here.held()).toHaveLength(1)
    expect(await here.seen(run.id)).not.toContain(`${secretKey}!`)
  })

  const undone = {
    ...transform('input'),
    compensation: { task: transform('{ "got": original.output }') },
  }

  it('a run that had ended is undone for a late quarantine, where its workflow says so', async () => {
    for (const rollbackOn of [['quarantined'], ['failed']]) {
      const here = new OutputScene(await open(), { outputPolicyEnabled: true })
      scenes.push(here)
      const gate = Promise.withResolvers<void>()
      const direct = createDirectScanner()
      const scan: typeof direct.scan = async (request) => {
        await gate.promise
        return direct.scan(request)
      }
      here.outputs = { scanner: { ...direct, scan } }
      await here.launch()
      await here.setRules([rule('quarantine', { scanners: ['secret'] })])
      const parts = { nodes: { a: undone }, settings: { rollbackOn } }
      expect((await here.play(parts, secretKey)).status).toBe('SUCCEEDED')
      gate.resolve()
      await here.pass(5_000)
      const [runId] = (await here.store.list(0, 'runs', everyRun)).map(({ id }) => id)
      if (runId === undefined) throw new Error('there is no run')
      const { status } = await here.run(runId)
      expect([rollbackOn, status === 'SUCCEEDED']).toEqual([rollbackOn, rollbackOn[0] === 'failed'])
      const { quarantine } = here.engine.outputs
      const release = here.within(quarantine.release({ ...decision(here, runId), goOn: false }))
      if (status !== 'SUCCEEDED') await expect(release).rejects.toThrow(/can’t be released any more/)
      else await expect(release).resolves.toEqual({ runStatus: 'SUCCEEDED' })
    }
  })

  it('what undoes a step sees what that had begun with, held back since or not', async () => {
    const here = new OutputScene(await open(), { outputPolicyEnabled: true })
    scenes.push(here)
    const gate = Promise.withResolvers<void>()
    const direct = createDirectScanner()
    const scan: typeof direct.scan = async (request) => {
      await gate.promise
      return direct.scan(request)
    }
    here.outputs = { scanner: { ...direct, scan } }
    await here.launch()
    await here.setRules([rule('quarantine', { scanners: ['secret'], nodes: ['a'] })])
    const b = { ...transform('1'), compensation: { task: transform('{ "got": original.input }') } }
    const run = await here.play({ nodes: { a: transform('input'), b }, edges: edgesOf('a>b') }, secretKey)
    gate.resolve()
    await here.pass(5_000)
    expect((await here.run(run.id)).status).toBe('COMPENSATED')
    const records = await here.store.load(0, 'invocations', { runId: run.id })
    const undo = records.find(({ role }) => role === 'compensation')
    expect(undo?.output).toEqual({ kind: 'inline', json: JSON.stringify({ got: secretKey }) })
  })

  it('a step whose result is held back before anybody saw it is undone too', async () => {
    const here = await scene([large])
    const run = await here.play({ nodes: { a: undone } }, long)
    await here.pass(3_000)
    const { status, error } = await here.run(run.id)
    expect([status, error?.code]).toEqual(['COMPENSATED', 'output_quarantined'])
    const undo = (await here.store.load(0, 'invocations', { runId: run.id })).find(
      ({ role }) => role === 'compensation',
    )
    // What undoes it works with what others don't see.
    expect(undo?.output).toEqual({ kind: 'inline', json: JSON.stringify({ got: long }) })
  })
})

it('a sealed workspace holds its results back sealed, and only who has the key scans', async () => {
  const raw = createMemoryStore()
  const { store } = await machineOn(raw, true)
  const here = await OutputScene.judging(store, [rule('quarantine', { scanners: ['secret'] })])
  scenes.push(here)
  const run = await here.play({ nodes: { a: transform('input') } }, secretKey)
  await here.pass(3_000)
  expect(await here.statuses(run.id)).toEqual({ a: 'OUTPUT_QUARANTINED' })
  const stored = await raw.load(0, 'invocation', { invocationId: here.id(run.id, 'a') })
  expect(stored?.dispatch?.check).toMatchObject({ held: { kind: 'sealed' }, findings: { kind: 'sealed' } })
  const { json } = await here.within(here.engine.outputs.quarantine.content(here.id(run.id, 'a'), null))
  expect(json).toBe(JSON.stringify(secretKey))
})
