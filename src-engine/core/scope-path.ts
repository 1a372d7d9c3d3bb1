/** Paths of items and turns: `<container>:<index>`, joined with `/` from the outside in. */

import type { NodeId } from '../model/ids.ts'
import { nodeId } from '../model/ids.ts'
import type { CompiledNode } from './compile.ts'

/** The last step of a path: which item or turn of what, and the path of the level it stands in. */
export interface ScopePlace {
  readonly parent: string
  readonly container: NodeId
  readonly index: number
}

/** Takes a path that isn't empty apart. */
export function placeOf(path: string): ScopePlace {
  const slash = path.lastIndexOf('/')
  const colon = path.lastIndexOf(':')
  return {
    parent: slash === -1 ? '' : path.slice(0, slash),
    container: nodeId(path.slice(slash + 1, colon)),
    index: Number(path.slice(colon + 1)),
  }
}

/** The path of one item or turn of a container that stands at `parent`. */
export function pathInto(parent: string, container: CompiledNode, index: number): string {
  const own = `${container.id}:${index}`
  return parent === '' ? own : `${parent}/${own}`
}

/** Where a node stands as seen from `path`: its level among those around it; null when it is in none. */
export function pathSeenFrom(path: string, node: CompiledNode): string | null {
  const steps = path === '' ? [] : path.split('/')
  const containers: CompiledNode[] = []
  for (let at = node.container; at !== null; at = at.container) containers.unshift(at)
  if (containers.length > steps.length) return null
  const own = steps.slice(0, containers.length)
  return own.every((step, depth) => step.startsWith(`${containers[depth]?.id}:`)) ? own.join('/') : null
}
