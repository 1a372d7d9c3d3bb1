/** Runs of two versions of a workflow, and what came of them. */

import { onTestFinished } from 'vitest'
import { workflowId } from '../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { FlowScene } from '../runtime/control-flow/flow-scene.ts'

export const partNames = {
  id: workflowId('part'),
  title: 'Part',
  reference: 'part',
  specs: taskSpecsByKind,
}

/** An engine at work, until the test ends. */
export async function launched(): Promise<FlowScene> {
  const scene = new FlowScene(createMemoryStore())
  onTestFinished(() => scene.close())
  await scene.launch()
  return scene
}

/** What came of a run, and of the steps that are named. */
export async function outcome(scene: FlowScene, document: WorkflowDocument, steps: readonly string[]) {
  // A document is JSON; its type has no index signature.
  const run = await scene.play(document as never, { start: 'here' })
  const found = await scene.store.load(0, 'invocations', { runId: run.id })
  const of = found
    .filter((one) => steps.includes(one.nodeId))
    .map(({ nodeId: id, path, status, output }) =>
      JSON.stringify([`${id}@${path}`, status, output?.kind === 'inline' ? JSON.parse(output.json) : null]),
    )
  const inOrder = of.toSorted((one, other) => (one < other ? -1 : 1))
  return { status: run.status, output: await scene.outputOf(run.id), steps: inOrder }
}
