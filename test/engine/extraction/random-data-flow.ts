/** Random workflows whose steps read each other: what any of them gives tells what it saw. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { RandomSource } from '../../support/random-source.ts'
import { documentOf } from '../model/workflow-fixture.ts'

interface Growing {
  readonly random: RandomSource
  readonly nodes: Record<string, JsonObject>
  readonly edges: Record<string, JsonObject>
  /** By node, all that lead to it, whatever it is in. */
  readonly before: Map<string, readonly string[]>
}

/** A workflow with branches, joins, maps and reads across it. */
export function randomDataFlow(random: RandomSource): WorkflowDocument {
  const growing: Growing = { random, nodes: {}, edges: {}, before: new Map() }
  const made = level(growing, { prefix: 'n', count: 3 + random.below(7), parent: null, around: [] })
  const settings: JsonObject = random.chance(0.3)
    ? {
        output: `{ "said": [${made
          .filter(() => random.chance(0.5))
          .map((id) => `nodes.${id}.output`)
          .join(', ')}] }`,
      }
    : {}
  return documentOf({
    id: 'w',
    variables: { more: 'more' },
    settings,
    nodes: growing.nodes,
    edges: growing.edges,
  })
}

interface LevelShape {
  readonly prefix: string
  readonly count: number
  readonly parent: string | null
  /** What was there before its map. */
  readonly around: readonly string[]
}

function level(growing: Growing, { prefix, count, parent, around }: LevelShape): readonly string[] {
  const { random, nodes, edges, before } = growing
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const id = `${prefix}${index}`
    const ways = new Set<string>()
    const most = index === 0 ? 0 : 1 + random.below(2)
    for (let way = 0; way < most; way += 1) ways.add(ids[Math.max(0, index - 1 - random.below(3))] ?? '')
    const known = [...new Set([...around, ...[...ways].flatMap((way) => [way, ...(before.get(way) ?? [])])])]
    before.set(id, known)
    const isMap = parent === null && random.chance(0.12)
    nodes[id] = {
      ...(isMap ? { kind: 'map', parameters: { items: '[1, 2]' } } : step(growing, id, { known, parent })),
      ...(parent === null ? {} : { parent }),
    }
    for (const from of ways) {
      const port = portOf(random, nodes[from])
      edges[`${from}-${id}`] = { from: { node: from, port }, to: { node: id, port: 'in' } }
    }
    if (isMap) level(growing, { prefix: `${id}x`, count: 1 + random.below(3), parent: id, around: known })
    ids.push(id)
  }
  return ids
}

function portOf(random: RandomSource, node: JsonObject | undefined): string {
  if (node?.['kind'] === 'if') return random.pick(['true', 'false'])
  return node?.['kind'] === 'fork' ? random.pick(['branch-1', 'branch-2']) : 'out'
}

function step(
  { random }: Growing,
  id: string,
  { known, parent }: { readonly known: readonly string[]; readonly parent: string | null },
): JsonObject {
  const kind = random.pick(['transform', 'transform', 'transform', 'transform', 'if', 'fork', 'noop'])
  if (kind === 'if')
    return { kind, parameters: { condition: random.pick(['true', '$length($string(input)) % 2 = 0']) } }
  if (kind === 'fork') return { kind, parameters: { branches: [{ title: 'left' }, { title: 'right' }] } }
  if (kind === 'noop')
    return { kind, ...(random.chance(0.2) ? { [random.pick(['disabled', 'bypassed'])]: true } : {}) }
  const reads = known
    .filter(() => random.chance(0.3))
    .map((read) => `"${read}": $short(nodes.${read}.output)`)
  const others = [
    ...(random.chance(0.2) ? ['"more": vars.more'] : []),
    ...(random.chance(0.2) ? ['"run": run.input.start'] : []),
    ...(parent !== null && random.chance(0.4) ? ['"item": item'] : []),
    ...(random.chance(0.2) ? ['"all": $map([1, 2], function($x) { $x & $short(input) })'] : []),
  ]
  const parts = ['"in": $short(input)', ...reads, ...others].join(', ')
  const short = '$short := function($v) { $substring($string($v), 0, 60) & $length($string($v)) }'
  return { kind, parameters: { expression: `(${short}; { "id": "${id}", ${parts} })` } }
}

/** Some steps that follow each other, as people mark them. */
export function randomSelection(random: RandomSource, { nodes }: WorkflowDocument): readonly NodeId[] {
  const parents = [null, ...Object.entries(nodes).flatMap(([id, { kind }]) => (kind === 'map' ? [id] : []))]
  const parent = random.chance(0.7) ? null : random.pick(parents)
  const ids = Object.keys(nodes).filter((id) => (nodes[nodeId(id)]?.parent ?? null) === parent)
  const from = random.below(Math.max(1, ids.length))
  return ids.slice(from, from + 1 + random.below(4)).map(nodeId)
}
