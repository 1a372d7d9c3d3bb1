/** Where the steps of a sub-workflow begin once they stand in the place of its call, and what stands for its input. Pure. */

import { buildGraph, edgesFrom, startNodes } from '../graph.ts'
import type { NodeId } from '../ids.ts'
import { nodeId } from '../ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../workflow.ts'
import { arrivedExpression, handedOver, handedReads, movedOutside } from './handed-over.ts'
import type { TaskSpecs } from './node-expressions.ts'
import { expressionsOf } from './node-expressions.ts'
import { pathName, rootMentions, withMentions } from './root-mentions.ts'

export interface Begin {
  /** The first steps of the sub-workflow. */
  readonly starts: readonly NodeId[]
  /** What the ways in lead to: these, or the step that is added before them. */
  readonly first: readonly NodeId[]
  /** A step before them that makes their input, or keeps it for those who read it later; null for none. */
  readonly added: { readonly id: NodeId; readonly node: WorkflowNode } | null
  /** The step that only unpacked what was handed over; null where there is none. */
  readonly dropped: NodeId | null
  /** An expression of the sub-workflow, with something else in the place of its run's input. */
  readonly rewrite: (expression: string, renamed: (id: NodeId) => NodeId) => string
}

export function beginOf(call: WorkflowNode, child: WorkflowDocument, specs: TaskSpecs): Begin {
  const undoing = new Set(Object.values(child.nodes).map(({ compensation }) => compensation?.node))
  const starts = startNodes(buildGraph(child)).filter(
    (id) => !undoing.has(id) && child.nodes[id]?.parent === undefined,
  )
  const expressions = allExpressions(child, specs)
  const input: unknown = call.parameters?.['input'] ?? ''
  return unpacked(child, { starts, expressions, input }) ?? plain(child, { starts, expressions, input })
}

interface Called {
  readonly starts: readonly NodeId[]
  readonly expressions: readonly string[]
  /** What the call says that its input is. */
  readonly input: unknown
}

/** What extracting made is taken back as it was. */
function unpacked(child: WorkflowDocument, { starts, expressions, input }: Called): Begin | null {
  const [only, another] = starts
  if (only === undefined || another !== undefined) return null
  const { kind, parameters } = child.nodes[only] ?? {}
  if (kind !== 'transform' || parameters?.['expression'] !== arrivedExpression) return null
  const isRead = expressions.some((text) => rootMentions(text).some((mention) => mention.nodeId === only))
  const reads = handedReads(expressions)
  if (isRead || reads === null || input !== handedOver(reads)) return null
  const next = [...new Set(edgesFrom(buildGraph(child), only).map(({ to }) => to))]
  return { starts: next, first: next, added: null, dropped: only, rewrite: movedOutside }
}

function plain(child: WorkflowDocument, { starts, expressions, input }: Called): Begin {
  const isRead = expressions.some((text) => rootMentions(text).some(readsInput))
  const isMade = typeof input !== 'string' || !['', 'input'].includes(input.trim())
  if (!isRead && !isMade)
    return { starts, first: starts, added: null, dropped: null, rewrite: (text) => text }
  let id = 'arrived'
  for (let number = 2; child.nodes[nodeId(id)] !== undefined; number += 1) id = `arrived${number}`
  const added = nodeId(id)
  const title = `What “${child.title}” gets`
  const parameters = { expression: isMade ? (input as string) : 'input' }
  return {
    starts,
    first: [added],
    added: { id: added, node: { kind: 'transform', title, parameters } },
    dropped: null,
    rewrite: (expression, renamed) =>
      withMentions(expression, (mention) => {
        if (!readsInput(mention) || mention.memberEnd === null) return null
        const sign = expression.charAt(mention.start) === '$' ? '$' : ''
        return { text: `${sign}nodes.${pathName(renamed(added))}.output`, end: mention.memberEnd }
      }),
  }
}

const readsInput = ({ root, member }: { readonly root: string; readonly member: string | null }): boolean =>
  root === 'run' && member === 'input'

function allExpressions(child: WorkflowDocument, specs: TaskSpecs): readonly string[] {
  const { output } = child.settings ?? {}
  const said = output === undefined || output.trim() === '' ? [] : [output]
  return [
    ...Object.values(child.nodes).flatMap((node) => {
      const { own, undoing } = expressionsOf(node, specs)
      return [...own, ...undoing]
    }),
    ...said,
  ]
}
