/** Runners that don't trust every definition: what they leave to others, and what waits for them. */

import { afterEach, describe, expect, it } from 'vitest'
import { definitionHashOf } from '../../../../src-engine/model/definition-hash.ts'
import type { DefinitionHash, RunId } from '../../../../src-engine/model/ids.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { TrustList } from '../../../../src-engine/model/trust.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import type { TrustSource } from '../../../../src-engine/runtime/trust/definition-trust.ts'
import { createSigningKey, signDefinition } from '../../../../src-engine/runtime/trust/signing.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { sceneStores, simulationStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (id: string): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: id,
    nodes: { first: { kind: 'noop' }, second: { kind: 'noop' } },
    edges: { e: { from: { node: 'first', port: 'out' }, to: { node: 'second', port: 'in' } } },
  }) as unknown as WorkflowDocument
const hashOf = (document: WorkflowDocument): DefinitionHash => definitionHashOf(document, taskSpecsByKind)

const wanted = documentOf('wanted')
const strange = documentOf('strange')
const nobody: TrustList = { approved: [], revoked: [], keys: [] }

/** What is trusted, as a test changes it. */
class Owner {
  list: TrustList = nobody
  readonly source = (policy: TrustSource['policy']): { readonly trust: TrustSource } => ({
    trust: { policy, read: async () => this.list },
  })
}

describe.each(Object.entries(sceneStores))('trust in definitions, on %s', (_name, open) => {
  const newScene = async (): Promise<EnginesScene> => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    return here
  }
  const engines = (here: EnginesScene): readonly number[] => here.atWork.map(({ engine }) => engine)
  const why = (here: EnginesScene, runId: RunId) =>
    whyWaiting(here.store, { runId, nodeId: null, now: here.world.now })

  it('leaves what isn’t approved to a runner that trusts it, step by step [C3]', async () => {
    const here = await newScene()
    const owner = new Owner()
    owner.list = { ...nobody, approved: [hashOf(wanted)] }
    await here.launch({ maxConcurrentTasks: 1 })
    await here.launch({}, owner.source('approved'))
    const busy = await here.start(strange)
    await here.pass(6_000)
    expect(engines(here)).toEqual([0])
    await here.start(wanted)
    await here.start(strange)
    await here.pass(60_000)
    expect(here.atWork.map(({ engine, runId }) => [engine, runId === busy])).toEqual([
      [0, true],
      [1, false],
    ])
    for (let count = 0; count < 6; count += 1) {
      await here.end()
      await here.pass(6_000)
      const strangers = here.atWork.filter(({ engine }) => engine === 1)
      for (const { runId } of strangers) {
        const run = await here.store.load(0, 'run', { runId: runId as RunId })
        expect(run?.definitionHash).toBe(hashOf(wanted))
      }
    }
    expect(here.atWork).toEqual([])
  })

  it('alone it waits with the reason, until it is approved; revoked, the next one waits again [C3]', async () => {
    const here = await newScene()
    const owner = new Owner()
    await here.launch({}, owner.source('approved'))
    const run = await here.start(wanted)
    await here.pass(120_000)
    expect(here.atWork).toEqual([])
    expect(await here.statuses(run)).toEqual(['REGISTERED'])
    expect(await why(here, run)).toMatchObject([{ code: 'not_trusted', nodeId: 'first' }])
    expect((await why(here, run))[0]?.message).toContain(hashOf(wanted))
    owner.list = { ...nobody, approved: [hashOf(wanted)] }
    await here.pass(60_000)
    expect(engines(here)).toEqual([0])
    owner.list = { ...owner.list, revoked: [hashOf(wanted)] }
    await here.pass(60_000)
    await here.end()
    await here.pass(120_000)
    expect(here.atWork, 'what was under way ended; the next step is not begun').toEqual([])
    expect(await why(here, run)).toMatchObject([{ code: 'not_trusted', nodeId: 'second' }])
  })

  it('executes what a trusted key signed, and nothing that another one did [C3]', async () => {
    const here = await newScene()
    const owner = new Owner()
    const [own, stranger] = [createSigningKey(), createSigningKey()]
    owner.list = { ...nobody, keys: [own.publicKey], approved: [hashOf(strange)] }
    const engine = await here.launch({}, owner.source('signed'))
    const run = await here.start(wanted)
    const other = await here.start(strange)
    await engine.publishing.sign(hashOf(strange), signDefinition(stranger.privateKey, hashOf(strange)))
    await here.pass(60_000)
    expect(here.atWork).toEqual([])
    await expect(
      engine.publishing.sign(hashOf(wanted), signDefinition(own.privateKey, hashOf(strange))),
    ).rejects.toMatchObject({ code: 'bad_request' })
    await engine.publishing.sign(hashOf(wanted), signDefinition(own.privateKey, hashOf(wanted)))
    await engine.publishing.sign(hashOf(wanted), signDefinition(stranger.privateKey, hashOf(wanted)))
    await here.pass(60_000)
    expect(here.atWork.map(({ runId }) => runId)).toEqual([run])
    expect(await why(here, other)).toMatchObject([{ code: 'not_trusted' }])
    owner.list = nobody
    await here.pass(60_000)
    await here.end()
    await here.pass(60_000)
    expect(here.atWork, 'the key is trusted no more').toEqual([])
  })
})

describe('a definition that was changed in the store', () => {
  it('is never executed, whatever its hash says [C3]', async () => {
    const open = simulationStores['memory']
    if (open === undefined) throw new Error('there is a store in memory')
    const here = new EnginesScene(await open())
    scenes.push(here)
    const owner = new Owner()
    owner.list = { ...nobody, approved: [hashOf(wanted)] }
    const starter = here.make()
    const { runId } = await starter.startRun({
      document: wanted,
      input: {},
      requestId: null,
      baseDirectory: null,
    })
    const load = here.store.load.bind(here.store)
    const changed = JSON.stringify({ ...wanted, nodes: { ...strange.nodes, first: { kind: 'debug' } } })
    Object.assign(here.store, {
      load: async (...query: Parameters<typeof load>) => {
        const found = await load(...query)
        return query[1] === 'workflowVersion' && found !== null
          ? Object.assign({}, found, { document: changed })
          : found
      },
    })
    await here.launch({}, owner.source('approved'))
    await here.pass(120_000)
    expect(here.atWork).toEqual([])
    expect(await here.store.load(0, 'run', { runId })).toMatchObject({ definitionHash: hashOf(wanted) })
  })
})
