/** Have steps follow their tasks: the version that they are set up for, and their parameters as its. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { canonicalJson } from '../../src-engine/model/json.ts'
import type { TaskUse } from '../../src-engine/model/task-versions.ts'
import { madeForVersion } from '../../src-engine/model/task-versions.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { taskWords } from '../text/task-words.ts'
import { putNode } from './draft-parts.ts'
import type { Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

/** A use of a task, and what becomes of it. */
export interface Followed {
  readonly use: TaskUse
  /** The version that is noted then. */
  readonly version: string
  /** Null where they stay as they are. */
  readonly parameters: JsonObject | null
}

/** All of them as one step. What isn't any more what was looked at stays as it is. */
export function followVersions(all: readonly Followed[]): Edit {
  return singleEdit(taskWords.migrateEdit, (draft) => {
    for (const one of all) {
      const node = draft.nodes[one.use.nodeId]
      if (node !== undefined && isAsItWas(node, one.use)) {
        putNode(draft, one.use.nodeId, withVersion(node, one))
      }
    }
  })
}

/** The document with one of them done; for looking at it. */
export function withFollowed(document: WorkflowDocument, one: Followed): WorkflowDocument {
  const node = document.nodes[one.use.nodeId]
  if (node === undefined) return document
  return { ...document, nodes: { ...document.nodes, [one.use.nodeId]: withVersion(node, one) } }
}

const withVersion = (node: WorkflowNode, { use, version, parameters }: Followed): WorkflowNode =>
  madeForVersion(node, use.place, { version, parameters })

function isAsItWas(node: WorkflowNode, { place, kind, parameters }: TaskUse): boolean {
  const now = place === 'step' ? node : node.compensation?.task
  return now?.kind === kind && canonicalJson(now.parameters ?? {}) === canonicalJson(parameters)
}
