/** Change what a node says about itself: parameters, title, policies. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowNode } from '../../src-engine/model/workflow.ts'
import { fill } from '../text/messages.ts'
import { taskWords } from '../text/task-words.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

type NodeDraft = DocumentDraft['nodes'][NodeId]

/** Fields to set; `null` takes one back to its default by leaving it out. */
export type NodeChanges = {
  readonly [Field in keyof Omit<WorkflowNode, 'kind'>]?: WorkflowNode[Field] | null
}

/** Sets fields of a node. Typing into the same field is one step. */
export function changeNode(id: NodeId, changes: NodeChanges): Edit {
  const fields = Object.keys(changes).sort().join(',')
  return {
    label: 'title' in changes ? 'Rename' : 'Change settings',
    gesture: `node:${id}:${fields}`,
    recipe: (draft) => {
      const node = draft.nodes[id]
      if (node !== undefined) assign(node, changes)
    },
  }
}

/** Sets all parameters of a node; `field` is the one that was touched and joins typing into one step. */
export function setParameters(id: NodeId, parameters: JsonObject, field = ''): Edit {
  return {
    label: 'Change parameters',
    gesture: `parameters:${id}:${field}`,
    recipe: (draft) => {
      const node = draft.nodes[id]
      if (node === undefined) return
      const target = (node.parameters ??= {}) as Record<string, unknown>
      for (const key of Object.keys(target)) if (!(key in parameters)) delete target[key]
      for (const [key, value] of Object.entries(parameters)) {
        if (JSON.stringify(target[key]) !== JSON.stringify(value)) target[key] = value
      }
    },
  }
}

/** What a request asks for; how its answer is read and how long it may take stays where nothing is said of it. */
export function fillRequest(id: NodeId, parameters: JsonObject): Edit {
  return singleEdit('Paste a curl command', (draft) => {
    const node = draft.nodes[id]
    if (node === undefined) return
    const replaced = ['method', 'url', 'query', 'headers', 'auth', 'body']
    // Who signs in to one proxy is nobody for another.
    if (parameters['proxy'] !== undefined) replaced.push('proxy', 'proxyUser', 'proxyPassword')
    const kept = Object.entries(node.parameters ?? {}).filter(([name]) => !replaced.includes(name))
    assign(node, { parameters: { ...Object.fromEntries(kept), ...parameters } })
  })
}

/** Has a node be one of a custom task; what it is called and how it is tried stays. */
export function becomeTask(
  id: NodeId,
  { kind, title }: { readonly kind: string; readonly title: string },
  parameters: JsonObject,
): Edit {
  return singleEdit(fill(taskWords.becomesEdit, { title }), (draft) => {
    const node = draft.nodes[id]
    if (node === undefined) return
    node.kind = kind
    delete node.taskVersion
    assign(node, { parameters })
  })
}

/** Turns nodes off, or on again when all of them are off. */
export const toggleDisabled = (ids: readonly NodeId[]): Edit =>
  toggleAll(ids, { field: 'disabled', label: 'Switch on or off' })

/** Has nodes hand their input on instead of running, or run again when all of them do. */
export const toggleBypassed = (ids: readonly NodeId[]): Edit =>
  toggleAll(ids, { field: 'bypassed', label: 'Bypass' })

function toggleAll(
  ids: readonly NodeId[],
  { field, label }: { readonly field: 'disabled' | 'bypassed'; readonly label: string },
): Edit {
  return singleEdit(label, (draft) => {
    const nodes = ids.map((id) => draft.nodes[id]).filter((node) => node !== undefined)
    const isSet = nodes.every((node) => node[field] === true)
    for (const node of nodes) {
      if (isSet) delete node[field]
      else node[field] = true
    }
  })
}

function assign(node: NodeDraft, changes: NodeChanges): void {
  const target = node as Record<string, unknown>
  for (const [field, value] of Object.entries(changes)) {
    if (value === null && field !== 'fallbackOutput') delete target[field]
    else if (value !== undefined) target[field] = value
  }
}
