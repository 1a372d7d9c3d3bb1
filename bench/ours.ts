/** The product's engine as the shells compose it, on SQLite with `synchronous=FULL`. */

import { edgeId, nodeId, workflowId } from '../src-engine/model/ids.ts'
import { engineSettings } from '../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument, WorkflowEdge, WorkflowNode } from '../src-engine/model/workflow.ts'
import { systemClock } from '../src-engine/runtime/system-ports.ts'
import { composeEngine } from '../src-engine/shell/compose-engine.ts'
import { dataDirectory } from '../src-engine/shell/data-directory.ts'
import type { OpenSubject } from './subject.ts'
import { chainSteps, fanBranches } from './subject.ts'

/** More than the default: it suits steps that wait, and the fan's are all ready at once. */
const slots = 512

const noop: WorkflowNode = { kind: 'noop' }
const edge = (from: string, to: string): WorkflowEdge => ({
  from: { node: nodeId(from), port: 'out' },
  to: { node: nodeId(to), port: 'in' },
})

function documentOf(id: string, names: readonly string[], pairs: readonly (readonly [string, string])[]) {
  const document: WorkflowDocument = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: id,
    nodes: Object.fromEntries(names.map((name) => [name, noop])),
    edges: Object.fromEntries(pairs.map(([from, to]) => [edgeId(`${from}-${to}`), edge(from, to)])),
  }
  return document
}

const steps = Array.from({ length: chainSteps }, (_, index) => `step${index}`)
const branches = Array.from({ length: fanBranches }, (_, index) => `branch${index}`)
const chainDocument = documentOf(
  'chain',
  steps,
  steps.slice(1).map((name, index) => [steps[index] ?? '', name]),
)
const fanDocument = documentOf(
  'fan',
  [...branches, 'last'],
  branches.map((name) => [name, 'last']),
)

export const openOurs: OpenSubject = async (directory) => {
  const { engine, close } = await composeEngine({
    directory: dataDirectory(directory),
    clock: systemClock,
    settings: engineSettings({ maxConcurrentTasks: slots }),
    log: { debug() {}, info() {}, warn: console.error, error: console.error },
  })
  await engine.start()
  const run = async (document: WorkflowDocument): Promise<void> => {
    const { runId } = await engine.startRun({ document, input: null, baseDirectory: null, requestId: null })
    const { status } = await engine.waitForRun(runId)
    if (status !== 'SUCCEEDED') throw new Error(`the run ${runId} ended ${status}`)
  }
  return { chain: () => run(chainDocument), fan: () => run(fanDocument), close }
}
