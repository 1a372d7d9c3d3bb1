/** What stays when a step fails is looked at for thousands of steps, with every edit of a document. */

import { expect, test } from 'vitest'
import { buildGraph } from '../../../src-engine/model/graph.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { leftAt, placesOf } from '../../../src-engine/model/saga-places.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf } from './workflow-fixture.ts'

test('where a step lies is found out once, however many steps may fail beside it', () => {
  const count = 60
  const ids = Array.from({ length: count }, (_, at) => nodeId(`n${at}`))
  const graph = buildGraph(documentOf({ nodes: Object.fromEntries(ids.map((id) => [id, { kind: 'noop' }])) }))
  let lookups = 0
  const nodeById = new Map(graph.nodeById)
  const get = nodeById.get.bind(nodeById)
  nodeById.get = (id) => {
    lookups += 1
    return get(id)
  }
  const places = placesOf({ ...graph, nodeById }, taskSpecsByKind)
  const left = ids.map((id) => leftAt(places, id, ids))
  expect(left.every((stays) => stays.length === count - 1)).toBe(true)
  // Some for each step, not for each pair of them.
  expect(lookups).toBeLessThan(10 * count)
})
