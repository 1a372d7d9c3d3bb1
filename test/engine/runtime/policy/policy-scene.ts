/** Engines under a policy, on every store, in virtual time. */

import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { PolicyDocument, PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import { policyJson } from '../../../../src-engine/model/policy/policy.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { policyOf } from '../../model/policy/request.ts'
import type { EnginesScene } from '../permits/engines-scene.ts'

export const documentOf = (
  nodes: Readonly<Record<string, WorkflowNode>>,
  given: Partial<WorkflowDocument> = {},
): WorkflowDocument => ({
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: workflowId('orders'),
  title: 'Orders',
  nodes,
  edges: {},
  ...given,
})

export const one = documentOf({ a: { kind: 'noop' } })

/** Sets a policy of these rules through the first engine, and has everybody notice. */
export async function setRules(
  scene: EnginesScene,
  rules: readonly PolicyRule[],
  given: Partial<PolicyDocument> = {},
): Promise<string> {
  const [engine] = scene.engines
  if (engine === undefined) throw new Error('there is no engine')
  const policy = policyJson(policyOf(rules, given))
  const set = engine.policy.set({ policy, by: 'ann', note: null })
  let settled = false
  const mark = (): void => {
    settled = true
  }
  set.then(mark, mark)
  await scene.world.run(scene.world.now + 60_000, () => settled)
  // What others know of it is a second and a poll old.
  await scene.pass(6_000)
  return (await set).hash ?? ''
}
