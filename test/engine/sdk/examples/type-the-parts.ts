import assert from 'node:assert/strict'
import type {
  EdgeDefinition,
  EdgeEnd,
  Expression,
  NodeDefinition,
  NodeDefinitionOf,
  SagaScopeDefinition,
  TaskKind,
  TaskParameters,
  TriggerDefinition,
  TriggerKind,
  TriggerParameters,
  WorkflowDefinition,
  WorkflowDocument,
  WorkflowNode,
} from '../../../../src-engine/index.ts'
import { defineWorkflow } from '../../../../src-engine/index.ts'

const kind: TaskKind = 'http-request'
const address: Expression = 'https://example.com/{{ input.id }}'
const call = (method: 'GET' | 'POST'): TaskParameters<'http-request'> => ({ method, url: address })
type Id = 'fetch' | 'rest'
const fetch: NodeDefinitionOf<'http-request', Id> = { kind, parameters: call('GET') }
const rest: NodeDefinition<Id> = { kind: 'delay', parameters: { amount: 5, unit: 'seconds' } }
const from: EdgeEnd<Id> = 'fetch'
const edge: EdgeDefinition<Id> = [from, 'rest']
const undone: SagaScopeDefinition<Id> = { nodes: ['fetch'] }
const when: TriggerKind = 'cron'
const daily: TriggerParameters<'cron'> = { expression: '0 6 * * *' }
const trigger: TriggerDefinition = { kind: when, parameters: daily }

const definition: WorkflowDefinition<Id> = {
  id: 'parts',
  nodes: { fetch, rest },
  edges: [edge],
  sagaScopes: { undone },
  triggers: { trigger },
}
const document: WorkflowDocument = defineWorkflow(definition)
const nodes: readonly WorkflowNode[] = Object.values(document.nodes)
assert.equal(nodes.length, 2)
