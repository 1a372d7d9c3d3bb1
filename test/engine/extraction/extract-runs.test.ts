/** A workflow whose steps became one of its own gives what it gave before. */

import { afterEach, expect, test } from 'vitest'
import { extract } from '../../../src-engine/model/extraction/extract.ts'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { nodeId, workflowId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { FlowScene } from '../runtime/control-flow/flow-scene.ts'
import { randomDataFlow, randomSelection } from './random-data-flow.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const names = { id: workflowId('part'), title: 'Part', reference: 'part', specs: taskSpecsByKind }

/** What came of a run, and of each step that both versions have. */
async function outcome(scene: FlowScene, parts: JsonObject, steps: readonly string[]) {
  const run = await scene.play(parts, { start: 'here' })
  const found = await scene.store.load(0, 'invocations', { runId: run.id as RunId })
  const of = found
    .filter((one) => steps.includes(one.nodeId))
    .map(({ nodeId: id, path, status, output }) => [
      `${id}@${path}`,
      status,
      output?.kind === 'inline' ? JSON.parse(output.json) : null,
    ])
  return { status: run.status, output: await scene.outputOf(run.id), steps: of.toSorted() }
}

test('random selections of random workflows give the same results from a workflow of their own', async () => {
  const scene = new FlowScene(createMemoryStore())
  scenes.push(scene)
  await scene.launch()
  const counts = { made: 0, gathered: 0, handed: 0, inBody: 0, refused: new Map<string, number>() }
  for (let seed = 0; seed < 350; seed += 1) {
    const random = createRandomSource(`extract ${seed}`)
    const document = randomDataFlow(random)
    const chosen = randomSelection(random, document)
    const extraction = extract(document, chosen, names)
    if (!extraction.ok) {
      const { code } = extraction.refusal
      counts.refused.set(code, (counts.refused.get(code) ?? 0) + 1)
      continue
    }
    const { child, parent, results, reads, step } = extraction.made
    counts.made += 1
    counts.gathered += results.length > 0 ? 1 : 0
    counts.handed += reads.nodes.length > 0 ? 1 : 0
    counts.inBody += document.nodes[nodeId(chosen[0] ?? '')]?.parent === undefined ? 0 : 1
    scene.workflows.set('part', { document: child, folder: null })
    // The step that calls it may have another result than the one whose id it took: what follows must not.
    const kept = Object.keys(document.nodes).filter(
      (id) => id in parent.nodes && (id !== step || results.length === 0),
    )
    const before = await outcome(scene, document as never, kept)
    const after = await outcome(scene, parent as never, kept)
    expect(after, `seed ${seed}`).toEqual(before)
  }
  expect(counts.made).toBeGreaterThan(120)
  expect(counts.gathered).toBeGreaterThan(10)
  expect(counts.handed).toBeGreaterThan(40)
  expect(counts.inBody).toBeGreaterThan(10)
})
