/** A workflow and specs for the tests of the model, each with only what a test names. */

import { z } from 'zod'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { parseDocument } from '../../../src-engine/model/read-document.ts'
import type { TaskSpec } from '../../../src-engine/model/task-spec.ts'
import { singleOutput } from '../../../src-engine/model/task-spec.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'

/** A task spec with one way out and no parameters unless told otherwise. */
export function specOf(parts: Partial<TaskSpec> & { readonly kind: string }): TaskSpec {
  return {
    title: parts.kind,
    description: `The ${parts.kind} task.`,
    icon: 'box',
    category: 'debug',
    keywords: [],
    parameters: z.object({}),
    defaults: {},
    hasInput: true,
    outputs: () => singleOutput,
    sideEffect: 'pure',
    execution: 'runner',
    summary: () => '',
    ...parts,
  }
}

/** Specs by kind. */
export function specsOf(...specs: readonly TaskSpec[]): ReadonlyMap<string, TaskSpec> {
  return new Map(specs.map((spec) => [spec.kind, spec]))
}

/** `a>b` is an edge from port `out` to `in`; `a:true>b` names the port. */
export function edgesOf(...texts: readonly string[]): JsonObject {
  return Object.fromEntries(
    texts.map((text, index) => {
      const [start = '', to = ''] = text.split('>')
      const [node = '', port = 'out'] = start.split(':')
      return [`e${index}`, { from: { node, port }, to: { node: to, port: 'in' } }]
    }),
  )
}

/** A document with the given parts; throws when it can't be opened. */
export function documentOf(parts: JsonObject): WorkflowDocument {
  const read = parseDocument({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'w',
    title: 'Orders',
    nodes: {},
    edges: {},
    ...parts,
  })
  if (!read.ok) throw read.error
  return read.value.document
}
