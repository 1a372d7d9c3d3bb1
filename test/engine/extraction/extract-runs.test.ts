/** A workflow whose steps became one of its own gives what it gave before. */

import { expect, test } from 'vitest'
import { extract } from '../../../src-engine/model/extraction/extract.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { launched, outcome, partNames } from './extraction-scene.ts'
import { randomDataFlow, randomSelection } from './random-data-flow.ts'

test('random selections of random workflows give the same results from a workflow of their own', async () => {
  const scene = await launched()
  const counts = { made: 0, gathered: 0, handed: 0, inBody: 0, refused: new Map<string, number>() }
  for (let seed = 0; seed < 350; seed += 1) {
    const random = createRandomSource(`extract ${seed}`)
    const document = randomDataFlow(random)
    const chosen = randomSelection(random, document)
    const extraction = extract(document, chosen, partNames)
    if (!extraction.ok) {
      const { code } = extraction.refusal
      counts.refused.set(code, (counts.refused.get(code) ?? 0) + 1)
      continue
    }
    const { child, parent, results, reads, step } = extraction.made
    counts.made += 1
    counts.gathered += results.length > 0 ? 1 : 0
    counts.handed += reads.nodes.length > 0 ? 1 : 0
    counts.inBody += document.nodes[nodeId(chosen[0] ?? '')]?.parent === undefined ? 0 : 1
    scene.workflows.set('part', { document: child, folder: null })
    // The step that calls it may have another result than the one whose id it took: what follows must not.
    const kept = Object.keys(document.nodes).filter(
      (id) => id in parent.nodes && (id !== step || results.length === 0),
    )
    const before = await outcome(scene, document, kept)
    const after = await outcome(scene, parent, kept)
    expect(after, `seed ${seed}`).toEqual(before)
  }
  expect(counts.made).toBeGreaterThan(120)
  expect(counts.gathered).toBeGreaterThan(10)
  expect(counts.handed).toBeGreaterThan(40)
  expect(counts.inBody).toBeGreaterThan(10)
})
