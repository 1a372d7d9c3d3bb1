/** Runs with results that the output policy holds back: pulled, read here, replayed, and resumed there. */

import { expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { invocationIdOf, nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { rule, secretKey, transform } from '../../runtime/output-policy/output-scene.ts'
import type { TeleportScene } from './teleport-scene.ts'
import { teleportScene } from './teleport-scene.ts'

const a = transform('input & "!"')
const parts = { nodes: { a, b: transform('input') }, edges: edgesOf('a>b') }
const found = `${secretKey}!`

async function judging(...rules: readonly JsonObject[]): Promise<TeleportScene> {
  const here = await teleportScene({ outputPolicyEnabled: true })
  const document = { format: 1, rules: [...rules] }
  const { policy } = here.cluster.engine.outputs
  await here.cluster.within(policy.change({ document, ifHash: null, by: 'ada' }))
  return here
}

async function pulled(here: TeleportScene, input: string, of: JsonObject = parts): Promise<RunId> {
  const { id } = await here.cluster.play(of, input)
  await here.cluster.pass(3_000)
  await pull(here, id)
  return id
}

const pull = ({ handlers }: TeleportScene, runId: RunId) =>
  handlers['teleport.pull']({ cluster: 'plant', runId, family: false })

const idOf = (runId: RunId, node: string) =>
  invocationIdOf({ runId, generation: 0, nodeId: nodeId(node), path: '', role: 'forward' })

/** All that is read here of a pulled run, at every place of its history. */
async function read({ handlers }: TeleportScene, runId: RunId): Promise<string> {
  const snapshot = await handlers['runs.get']({ runId })
  const states = await Promise.all(
    Array.from({ length: snapshot.seq }, (_, index) =>
      handlers['runs.stateAt']({ runId, seq: index + 1 }).catch(() => null),
    ),
  )
  const attempts = await handlers['runs.attempts']({ runId, invocationId: null })
  return JSON.stringify([snapshot, states, attempts])
}

test('what is held back there is seen here by nobody, and once it is released it is', async () => {
  const here = await judging(rule('quarantine', { nodes: ['a'], scanners: ['secret'] }))
  const runId = await pulled(here, secretKey, { nodes: { a } })
  expect(await here.cluster.statuses(runId)).toEqual({ a: 'OUTPUT_QUARANTINED' })
  const before = await read(here, runId)
  expect([before.includes('OUTPUT_QUARANTINED'), before.includes(found)]).toEqual([true, false])
  const asked = { runId, nodeId: nodeId('a'), path: '' }
  await expect(here.handlers['results.get'](asked)).rejects.toMatchObject({ code: 'result_failed' })

  const said = { invocationId: idOf(runId, 'a'), by: 'ada', reason: null, goOn: false }
  await here.cluster.within(here.cluster.engine.outputs.quarantine.release(said))
  await pull(here, runId)
  expect((await read(here, runId)).includes(found)).toBe(true)
  expect(await here.handlers['results.get'](asked)).toMatchObject({ json: JSON.stringify(found) })
})

test('a run that ended for lack of a held result is resumed there with a fix', async () => {
  const here = await judging(rule('quarantine', { nodes: ['a'], outputSizeGt: 30 }))
  const runId = await pulled(here, 'x'.repeat(50))
  expect((await here.cluster.run(runId)).status).toBe('FAILED')
  expect((await read(here, runId)).includes('xxx!')).toBe(false)
  const document = documentOf({ ...parts, nodes: { ...parts.nodes, a: transform('"short"') } })
  const request = { runId, cluster: null, document, nodeId: null, by: 'ada', reason: null } as never
  expect(await here.handlers['teleport.preview'](request)).toMatchObject({ again: ['a'], refusal: null })
  await here.cluster.within(here.handlers['teleport.resume'](request))
  await here.cluster.pass(500)
  expect([(await here.cluster.run(runId)).status, await here.cluster.outputOf(runId)]).toEqual([
    'SUCCEEDED',
    'short',
  ])
  await pull(here, runId)
  expect((await read(here, runId)).includes('"SUCCEEDED"')).toBe(true)
})
