/** What can be named in an expression: the data at hand, the nodes of the document, common functions. */

import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'

const roots = [
  { label: 'input', detail: 'what arrives at this node' },
  { label: 'nodes', detail: 'outputs of earlier nodes' },
  { label: 'vars', detail: 'variables of the workflow' },
  { label: 'run', detail: 'id, input and start of the run' },
]
const functions = [
  'sum',
  'count',
  'average',
  'max',
  'min',
  'map',
  'filter',
  'reduce',
  'sort',
  'distinct',
  'join',
  'split',
  'contains',
  'replace',
  'uppercase',
  'lowercase',
  'trim',
  'string',
  'number',
  'boolean',
  'exists',
  'keys',
  'merge',
  'lookup',
  'now',
  'round',
  'floor',
  'ceil',
  'substring',
  'length',
  'append',
  'zip',
  'each',
  'toMillis',
  'fromMillis',
]

/** Completes names after `nodes.`, functions after `$`, else the roots. */
export function expressionCompletion(document: () => WorkflowDocument) {
  return (context: CompletionContext): CompletionResult | null => {
    const node = context.matchBefore(/nodes\.[\w]*/)
    if (node !== null) {
      const options = Object.entries(document().nodes).map(([label, { title, kind }]) => ({
        label,
        detail: title ?? kind,
        type: 'variable',
      }))
      return { from: node.from + 'nodes.'.length, options }
    }
    const call = context.matchBefore(/\$\w*/)
    if (call !== null)
      return { from: call.from, options: functions.map((name) => ({ label: `$${name}`, type: 'function' })) }
    const word = context.matchBefore(/\w+/)
    if (word === null && !context.explicit) return null
    return { from: word?.from ?? context.pos, options: roots.map((root) => ({ ...root, type: 'variable' })) }
  }
}
