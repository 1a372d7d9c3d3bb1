/** Shapes: what a runner must be to take a piece of work. Work of one shape and priority waits in one queue. */

import { createHash } from 'node:crypto'
import type { InvocationRecord } from '../../model/invocation.ts'
import { priorityRank } from '../../model/invocation.ts'
import type { FetchRequest } from '../store.ts'

/** A queue's name and what it asks. */
export interface Shape {
  readonly id: string
  readonly text: string
}

/** What a shape's text holds. */
interface Asked {
  readonly rank: number
  readonly kind: string
  readonly pools: readonly string[]
  readonly labels: readonly string[]
  readonly requires: readonly string[]
  readonly tags: readonly string[]
}

type Placed = Pick<InvocationRecord, 'priority' | 'taskKind' | 'pool' | 'route'>

const idLength = 12
const shapeByText = new Map<string, Shape>()
/** What the last one of each kind asked: mostly the next one's, and to compare them costs less than a text. */
const lastByKind = new Map<string, { readonly asked: Asked; readonly shape: Shape }>()
/** Routes come from workflow documents; beyond this many they are counted anew. */
const shapesMax = 10_000

/** The shape of an available invocation. */
export function shapeOf(record: Placed): Shape {
  const { priority, taskKind, pool, route } = record
  const last = lastByKind.get(taskKind)
  if (last !== undefined && asksTheSame(last.asked, record)) return last.shape
  const asked: Asked = {
    rank: priorityRank[priority],
    kind: taskKind,
    pools: route?.pools ?? [pool],
    labels: route?.labels ?? [],
    requires: route?.requires ?? [],
    tags: route?.tags ?? [],
  }
  const shape = shapeOfText(JSON.stringify(asked))
  if (lastByKind.size >= shapesMax) lastByKind.clear()
  lastByKind.set(taskKind, { asked, shape })
  return shape
}

function shapeOfText(text: string): Shape {
  const known = shapeByText.get(text)
  if (known !== undefined) return known
  if (shapeByText.size >= shapesMax) shapeByText.clear()
  const made = { id: createHash('sha1').update(text).digest('hex').slice(0, idLength), text }
  shapeByText.set(text, made)
  return made
}

function asksTheSame(asked: Asked, { priority, pool, route }: Placed): boolean {
  if (asked.rank !== priorityRank[priority]) return false
  if (route === null) {
    const { pools, labels, requires, tags } = asked
    return pools.length === 1 && pools[0] === pool && labels.length + requires.length + tags.length === 0
  }
  return (
    sameTexts(asked.pools, route.pools) &&
    sameTexts(asked.labels, route.labels) &&
    sameTexts(asked.requires, route.requires) &&
    sameTexts(asked.tags, route.tags ?? none)
  )
}

const none: readonly string[] = []

/** The same texts in the same order. */
export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index])

const askedByText = new Map<string, Asked>()

function askedIn(text: string): Asked {
  const known = askedByText.get(text)
  if (known !== undefined) return known
  if (askedByText.size >= shapesMax) askedByText.clear()
  // Written by `shapeOf`.
  const asked = JSON.parse(text) as Asked
  askedByText.set(text, asked)
  return asked
}

/** Whether a runner may have work of the shape; the record itself may still forbid it. */
function shapeFits(text: string, request: FetchRequest): boolean {
  const { kind, pools, labels, requires, tags } = askedIn(text)
  const { capabilities, tags: own = [] } = request
  return (
    capabilities.includes(kind) &&
    pools.some((pool) => request.pools.includes(pool)) &&
    labels.every((label) => request.labels.includes(label)) &&
    requires.every((ability) => capabilities.includes(ability)) &&
    (own.length === 0 || tags.every((tag) => own.includes(tag)))
  )
}

/** Of shapes with their texts those whose work the runner may have, by id. */
export const fittingShapes = (
  shapes: Iterable<readonly [id: string, text: string]>,
  request: FetchRequest,
): readonly string[] => [...shapes].flatMap(([id, text]) => (shapeFits(text, request) ? [id] : []))
