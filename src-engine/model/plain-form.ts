/**
 * Nodes, edges and places whose form is right at a glance. A document may have tens of thousands, nearly all of them
 * of a few plain fields, and the schema takes several microseconds for each. What isn't plain isn't wrong:
 * the schema decides about it.
 */

import { isJsonObject } from './json.ts'
import { isDocumentId } from './workflow-schema.ts'

/** Whether a node with this id has only fields that are checked here, all of the right form. */
export function isPlainNode(id: string, node: unknown): boolean {
  if (!isDocumentId(id) || !isJsonObject(node) || typeof node['kind'] !== 'string') return false
  for (const key in node) {
    const value: unknown = node[key]
    switch (key) {
      case 'kind':
        if (value === '') return false
        break
      case 'title':
      case 'note':
      case 'color':
      case 'pool':
      case 'parent':
        if (typeof value !== 'string') return false
        break
      case 'disabled':
      case 'bypassed':
        if (typeof value !== 'boolean') return false
        break
      case 'parameters':
        if (!isPlainRecord(value)) return false
        break
      default:
        return false
    }
  }
  return true
}

/** The same for an edge. */
export function isPlainEdge(id: string, edge: unknown): boolean {
  if (!isDocumentId(id) || !isJsonObject(edge)) return false
  for (const key in edge) if (key !== 'from' && key !== 'to') return false
  return isPlainEnd(edge['from']) && isPlainEnd(edge['to'])
}

/** The same for where a node stands. */
export function isPlainPlace(place: unknown): boolean {
  if (!isJsonObject(place)) return false
  for (const key in place) if (key !== 'x' && key !== 'y' && key !== 'byHand') return false
  const { x, y, byHand = false } = place
  return Number.isFinite(x) && Number.isFinite(y) && typeof byHand === 'boolean'
}

function isPlainEnd(end: unknown): boolean {
  if (!isJsonObject(end)) return false
  return typeof end['node'] === 'string' && typeof end['port'] === 'string' && end['port'] !== ''
}

const isPlainRecord = (value: unknown): boolean =>
  isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype
