/**
 * What a run means for another one, brought about and then brought about once more, for the answer got lost: a person
 * has had that one go on meanwhile, and it is no longer meant.
 */

import { afterEach, describe, expect, it } from 'vitest'
import type { Checkpoint, OutboxRecord } from '../../../../src-engine/model/checkpoint.ts'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import { defaultEngineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const { messageVisibilityMs, replayerIntervalMs } = defaultEngineSettings

/** What can't be written for now. */
class Losing {
  /** That effects of this kind were brought about: they stay on the list. */
  kind = ''
  /** What they bring about. */
  unreached = ''
  /** A run that can't be read. */
  unread: RunId | null = null

  over(store: Store): Store {
    const isLost = ({ opId, writes }: Checkpoint): boolean =>
      (this.unreached !== '' && opId.startsWith(this.unreached)) ||
      (this.kind !== '' && writes.delivered.some((id) => id.startsWith(this.kind)))
    const load: Store['load'] = (partition, kind, of) =>
      kind === 'run' && 'runId' in of && of.runId === this.unread
        ? Promise.reject(new SagasmithError('store_busy'))
        : store.load(partition, kind, of)
    return {
      ...store,
      load,
      commit: (partition, checkpoints) =>
        checkpoints.some(isLost)
          ? Promise.reject(new SagasmithError('store_full'))
          : store.commit(partition, checkpoints),
    }
  }
}

const waits = { kind: 'wait-signal', parameters: { name: 'go' } }
const waitsAnew = { status: 'WAITING', generation: 1, signals: [] }
const fails = { kind: 'stop', parameters: { status: 'failed', message: 'no' } }

describe.each(Object.entries(sceneStores))('on %s', (_name, open) => {
  async function scene(losing: string) {
    const watch = new Losing()
    const here = new FlowScene(watch.over(await open()))
    scenes.push(here)
    await here.launch()
    watch.kind = losing
    return { here, watch }
  }

  const outbox = (here: FlowScene): Promise<readonly OutboxRecord[]> =>
    here.store.list(0, 'outbox', {
      filter: { dueBefore: Number.MAX_SAFE_INTEGER },
      page: { after: null, limit: 100 },
    })

  async function runsOf(here: FlowScene, workflow: string): Promise<readonly RunRecord[]> {
    const filter = { statuses: null, workflowId: null, includeCore: false }
    const all = await here.store.list(0, 'runs', { filter, page: { after: null, limit: 100 } })
    return all.filter(({ workflowId }) => workflowId === workflow)
  }

  async function only(here: FlowScene, workflow: string): Promise<RunRecord> {
    const [run, ...others] = await runsOf(here, workflow)
    expect(others).toEqual([])
    if (run === undefined) throw new Error(`no run of ${workflow}`)
    return run
  }

  /** A person has it go on; then what is on the list is brought about again. */
  async function goesOn(
    { here, watch }: { readonly here: FlowScene; readonly watch: Losing },
    runId: RunId,
    from: string | null = null,
  ): Promise<RunRecord> {
    expect(await outbox(here)).not.toEqual([])
    const request = { input: null, version: 'same', document: null, by: 'ada', reason: null } as const
    const node = from === null ? null : nodeId(from)
    await here.within(here.engine.retryRun({ ...request, runId, nodeId: node }))
    watch.kind = ''
    watch.unreached = ''
    watch.unread = null
    await here.pass(messageVisibilityMs + 2 * replayerIntervalMs)
    expect(await outbox(here)).toEqual([])
    return here.run(runId)
  }

  const signal = async (here: FlowScene, runId: RunId): Promise<void> => {
    const message = { name: 'go', correlation: null, payload: null, messageId: 'by hand' }
    await here.within(here.engine.sendSignal({ runId, ...message }))
    await here.pass(1_000)
  }

  const steering = (parameters: JsonObject): JsonObject => ({
    id: 'steers',
    nodes: { ask: { kind: 'steer-runs', parameters } },
  })

  it('a run that a step had asked to end goes on', async () => {
    const { here, watch } = await scene('cancel:')
    const other = await here.start({ id: 'other', nodes: { waits } })
    await here.pass(100)
    await here.play(steering({ runs: 'input' }), [other] as JsonValue)
    expect((await here.run(other)).status).toBe('CANCELLED')
    expect(await goesOn({ here, watch }, other)).toMatchObject(waitsAnew)
  })

  it('a run that had ended by itself before that a step asked it to end came there goes on', async () => {
    const { here, watch } = await scene('cancel:')
    watch.unreached = 'cancel:'
    const other = await here.start({ id: 'other', nodes: { waits, fails }, edges: edgesOf('waits>fails') })
    await here.pass(100)
    await here.play(steering({ runs: 'input' }), [other] as JsonValue)
    await signal(here, other)
    expect((await here.run(other)).status).toBe('FAILED')
    expect(await goesOn({ here, watch }, other, 'waits')).toMatchObject(waitsAnew)
  })

  it.for([
    ['a step', 'signal'],
    ['an event', 'event'],
  ] as const)('a run that had taken what %s sent waits for another one', async ([, how]) => {
    const { here, watch } = await scene('event:')
    const other = await here.start({ id: 'other', nodes: { waits, fails }, edges: edgesOf('waits>fails') })
    await here.pass(100)
    if (how === 'signal')
      await here.play(steering({ action: 'signal', runs: 'input', name: 'go' }), [other] as JsonValue)
    else await here.play({ nodes: { tells: { kind: 'emit-event', parameters: { name: 'go' } } } })
    expect((await here.run(other)).status).toBe('FAILED')
    expect(await goesOn({ here, watch }, other, 'waits')).toMatchObject(waitsAnew)
  })

  const family = async (losing: string) => {
    const all = await scene(losing)
    const { here } = all
    const child = { id: 'child', nodes: { waits, fails }, edges: edgesOf('waits>fails') }
    here.workflows.set('child', { document: documentOf(child), folder: null })
    const nodes = { call: { kind: 'sub-workflow', parameters: { workflow: 'child' } } }
    const parent = await here.play({ nodes })
    return { ...all, parent, child: await only(here, 'child') }
  }
  const cancel = async (here: FlowScene, id: RunId): Promise<void> => {
    await here.within(here.engine.cancelRun(id))
    await here.pass(1_000)
  }

  it.for(['start:', 'ended:'])('a run whose parent has heard of its end goes on (%s)', async (losing) => {
    const { here, watch, parent, child } = await family(losing)
    await signal(here, child.id)
    expect((await here.run(parent.id)).status).toBe('FAILED')
    expect(await goesOn({ here, watch }, child.id, 'waits')).toMatchObject(waitsAnew)
    expect((await here.run(parent.id)).status).toBe('FAILED')
  })

  it('a run that can’t be written for a while begins then, and its parent waits for it', async () => {
    const { here, watch } = await scene('')
    watch.unreached = 'start:run_sub'
    here.workflows.set('child', { document: documentOf({ id: 'child', nodes: { waits } }), folder: null })
    const nodes = { call: { kind: 'sub-workflow', parameters: { workflow: 'child' } } }
    const parent = await here.play({ nodes })
    expect(await runsOf(here, 'child')).toEqual([])
    watch.unreached = ''
    await here.pass(messageVisibilityMs + 2 * replayerIntervalMs)
    expect(await only(here, 'child')).toMatchObject({ status: 'WAITING' })
    expect((await here.run(parent.id)).status).toBe('WAITING')
  })

  it('a run that was cancelled with its parent goes on', async () => {
    const { here, watch, parent, child } = await family('follow:')
    await cancel(here, parent.id)
    expect((await here.run(child.id)).status).toBe('CANCELLED')
    expect(await goesOn({ here, watch }, child.id)).toMatchObject(waitsAnew)
  })

  it('but one that somebody had go on before its parent heard of its end is cancelled with that', async () => {
    const { here, watch, parent, child } = await family('')
    watch.unread = parent.id
    await signal(here, child.id)
    expect(await goesOn({ here, watch }, child.id, 'waits')).toMatchObject(waitsAnew)
    expect((await here.run(parent.id)).status).toBe('WAITING')
    await cancel(here, parent.id)
    expect(await here.run(child.id)).toMatchObject({ status: 'CANCELLED', generation: 1 })
  })

  it('a run that was started and forgotten isn’t started again', async () => {
    const { here, watch } = await scene('start:')
    here.workflows.set('child', { document: documentOf({ id: 'child', nodes: { waits } }), folder: null })
    const parameters = { workflow: 'child', mode: 'start' }
    await here.play({ nodes: { call: { kind: 'sub-workflow', parameters } } })
    const { id } = await only(here, 'child')
    await cancel(here, id)
    expect(await goesOn({ here, watch }, id)).toMatchObject(waitsAnew)
  })
})
