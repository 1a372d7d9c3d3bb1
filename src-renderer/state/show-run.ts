/** From a page to a run, and to a step of it. */

import type { NodeId, RunId } from '../../src-engine/model/ids.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { openRun } from './follow-runs.ts'

export interface RunPlace {
  readonly runId: RunId
  /** The step to look at; null for the whole run. */
  readonly nodeId: NodeId | null
}

/** Shows a run on the canvas, whatever page was in front of it. Tells the person when there is none. */
export async function showRunOf(designer: Designer, { runId, nodeId }: RunPlace): Promise<void> {
  await attempt(designer, async () => {
    const { run } = await designer.connection.call('runs.get', { runId })
    await openRun(designer, runId, run.definitionHash)
    const { setEnginePage, setPanels, select } = designer.view.getState()
    setEnginePage(null)
    if (nodeId === null) return
    select({ nodes: [nodeId] })
    setPanels({ isInspectorOpen: true, inspectorTab: 'run' })
  })
}
