/**
 * How a sub-workflow gets what only the workflow around it has: beside what arrives, its run's input carries the
 * results, the item, the turn and the run that its steps read. Pure.
 */

import type { NodeId } from '../ids.ts'
import { nodeId } from '../ids.ts'
import type { RootMention } from './root-mentions.ts'
import { pathName, rootMentions, withMentions } from './root-mentions.ts'
import type { ReadsOfRest } from './selection-reads.ts'

/** Where it lies in the run of the sub-workflow. */
const place = 'run.input'

/** What a step that begins the sub-workflow hands on: what arrived at the step that called it. */
export const arrivedExpression = 'input.input'

/** Whether what arrives isn't all that is needed. `vars` are copied: they never change. */
export const needsMore = ({ nodes, item, loop, run }: ReadsOfRest): boolean =>
  nodes.length > 0 || item || loop || run

/** The input of the call, as an expression. */
export function handedOver({ nodes, item, loop, run }: ReadsOfRest): string {
  const results = nodes.map((id) => `${JSON.stringify(id)}: { "output": nodes.${pathName(id)}.output }`)
  const parts = [
    '"input": input',
    ...(results.length === 0 ? [] : [`"nodes": { ${results.join(', ')} }`]),
    ...(item ? ['"item": item'] : []),
    ...(loop ? ['"loop": loop'] : []),
    ...(run ? ['"run": run'] : []),
  ]
  return `{ ${parts.join(', ')} }`
}

/** An expression as it reads inside of the sub-workflow; `isOutside` tells what only the caller has. */
export const movedInside = (expression: string, isOutside: (mention: RootMention) => boolean): string =>
  withMentions(expression, (mention) => {
    if (!isOutside(mention)) return null
    const written = expression.slice(mention.start, mention.end)
    // A variable of that name stays one of the run's.
    const sign = written.startsWith('$') ? '$' : ''
    return { text: `${sign}${place}.${mention.root}`, end: mention.end }
  })

/** What a sub-workflow reads of its caller in this way; null where it reads its run's input in another way, too. */
export function handedReads(expressions: readonly string[]): ReadsOfRest | null {
  const nodes = new Set<NodeId>()
  const others = { item: false, loop: false, run: false }
  for (const expression of expressions) {
    for (const { root, member, memberEnd } of rootMentions(expression)) {
      if (root !== 'run') continue
      const found =
        memberEnd === null || member !== 'input' ? null : handedPart.exec(expression.slice(memberEnd))
      if (found === null) return null
      const [, part = '', quoted, plain] = found
      const name = quoted ?? plain
      if (part === 'nodes' && name === undefined) return null
      if (part === 'nodes') nodes.add(nodeId(name ?? ''))
      else if (part === 'item' || part === 'loop' || part === 'run') others[part] = true
    }
  }
  return { nodes: [...nodes].toSorted(), ...others, vars: false }
}

const handedPart = /^\.(nodes|item|loop|run)\b(?:\.(?:`([^`]*)`|([A-Za-z_]\w*)))?/

/** Such an expression as it reads outside again. */
export const movedOutside = (expression: string): string =>
  withMentions(expression, ({ root, member, memberEnd, start }) => {
    if (root !== 'run' || member !== 'input' || memberEnd === null) return null
    return { text: expression.charAt(start) === '$' ? '$' : '', end: memberEnd + 1 }
  })
