/** Samples drawn small: everything of them is inside, and lights up in the order of the work. */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { miniatureOf, tileSize } from '../../src-renderer/panels/start-page/miniature.ts'

const samples = new URL('../../resources/samples/', import.meta.url)
const names = readdirSync(samples).filter((name) => name.endsWith('.json'))

test.for(names)('%s', (name) => {
  const document = JSON.parse(readFileSync(new URL(name, samples), 'utf8')) as WorkflowDocument
  const picture = miniatureOf(document)
  if (picture === null) throw new Error('nothing to see')
  const { box, tiles, edges } = picture
  expect(tiles.map(({ id }) => id).sort()).toEqual(Object.keys(document.nodes).sort())
  for (const { x, y } of tiles) {
    expect([x >= box.x, y >= box.y]).toEqual([true, true])
    expect([x + tileSize <= box.x + box.width, y + tileSize <= box.y + box.height]).toEqual([true, true])
  }
  const rank = new Map(tiles.map(({ id, rank }) => [id, rank]))
  expect(edges).toHaveLength(Object.keys(document.edges).length)
  for (const { from, to } of Object.values(document.edges))
    expect(rank.get(to.node)).toBeGreaterThan(rank.get(from.node) ?? Number.POSITIVE_INFINITY)
  expect(
    tiles
      .filter(({ isUndone }) => isUndone)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Object.entries(document.nodes).flatMap(([id, { compensation }]) => (compensation ? [id] : [])))
})

test('a workflow without steps has no picture', () => {
  expect(miniatureOf({ nodes: {}, edges: {} } as unknown as WorkflowDocument)).toBeNull()
})
