/** From a page, or from another run, to a run and a step of it. */

import type { InvocationId, NodeId, RunId } from '../../src-engine/model/ids.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { openRun } from './open-run.ts'
import type { Site } from './site.ts'
import { lineTo } from './site-lines.ts'

export interface RunPlace {
  readonly runId: RunId
  /** The step to look at; null for the whole run. */
  readonly nodeId: NodeId | null
  /** The step, where only its invocation is known. */
  readonly invocationId?: InvocationId
  /** Where the run is; what the page is about when absent. */
  readonly site?: Site
}

/** Shows a run on the canvas, whatever page was in front of it. Tells the person when there is none. */
export async function showRunOf(
  designer: Designer,
  { runId, site = designer.cluster, ...step }: RunPlace,
): Promise<void> {
  await attempt(designer, async () => {
    const { run, invocations } = await lineTo(designer, site).call('runs.get', { runId })
    await openRun(designer, { runId, site, hash: run.definitionHash })
    const { setEnginePage, setPanels, select } = designer.view.getState()
    setEnginePage(null)
    const found = invocations.find(({ id }) => id === step.invocationId)
    const nodeId = step.nodeId ?? found?.nodeId ?? null
    if (nodeId === null) return
    select({ nodes: [nodeId] })
    setPanels({ isInspectorOpen: true, inspectorTab: 'run' })
  })
}
