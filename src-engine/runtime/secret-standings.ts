/** Which secrets of a workflow the runners of a store could give to its steps, as far as they tell. */

import type { NodeId } from '../model/ids.ts'
import { isJsonObject } from '../model/json.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { SecretNeed } from '../model/runner-secrets.ts'
import { secretShortfall } from '../model/runner-secrets.ts'
import type { SecretHost } from '../model/secret.ts'
import { hostOfAddress } from '../model/secret.ts'
import { secretUses } from '../model/secret-uses.ts'
import { hasExpression } from '../model/template.ts'
import type { WorkflowDocument, WorkflowNode } from '../model/workflow.ts'
import type { SecretStanding } from '../protocol/push.ts'

/** Of the steps of one document. */
type DocumentStanding = Omit<SecretStanding, 'workflow'>

/** One for each secret that a step of the document names, by name. */
export function secretStandings(
  document: WorkflowDocument,
  living: readonly RunnerRecord[],
): readonly DocumentStanding[] {
  const isOn = ({ nodeId }: { readonly nodeId: NodeId }) => document.nodes[nodeId]?.disabled !== true
  return [...Map.groupBy(secretUses(document).filter(isOn), ({ name }) => name)]
    .map(([name, uses]) => {
      const needs = uses.flatMap(({ nodeId }) => needOf(document, { name, nodeId }))
      return standingOf(name, needs, living)
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

function needOf(
  { id: workflowId, nodes }: WorkflowDocument,
  { name, nodeId }: { readonly name: string; readonly nodeId: NodeId },
): readonly SecretNeed[] {
  const node = nodes[nodeId]
  if (node === undefined) return []
  const { compensation } = node
  const other = compensation?.task?.kind
  const taskKinds = [node.kind, ...(other === undefined ? [] : [other])]
  // What undoes a step may go somewhere else.
  return [{ name, workflowId, nodeId, taskKinds, host: compensation === undefined ? hostOf(node) : null }]
}

/** Of a step with a written address; one that is computed is known to the run alone. */
function hostOf({ parameters }: WorkflowNode): SecretHost | null {
  const url = isJsonObject(parameters) ? parameters['url'] : undefined
  if (typeof url !== 'string' || hasExpression(url) || !URL.canParse(url)) return null
  const host = hostOfAddress(new URL(url))
  return host.hostname === '' ? null : host
}

function standingOf(
  name: string,
  needs: readonly SecretNeed[],
  living: readonly RunnerRecord[],
): DocumentStanding {
  const counts = { having: 0, lacking: 0, silent: 0 }
  const reasons = new Set<SecretStanding['reasons'][number]>()
  for (const runner of living) {
    // Who can't do a step needs none of its secrets.
    const own = needs.filter(({ taskKinds }) => taskKinds.some((kind) => runner.capabilities.includes(kind)))
    if (own.length === 0) continue
    const found = own.map((need) => secretShortfall(runner.secrets, need))
    const problems = found.filter((item) => item !== null && item !== undefined)
    for (const problem of problems) reasons.add(problem)
    if (problems.length > 0) counts.lacking += 1
    else if (found.includes(undefined)) counts.silent += 1
    else counts.having += 1
  }
  return { name, nodes: needs.map(({ nodeId }) => nodeId), ...counts, reasons: [...reasons] }
}
