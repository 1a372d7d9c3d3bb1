/** Bounds that a workflow meets while it runs: each ends in an error with a name. */

import { afterEach, describe, expect, it, test } from 'vitest'
import { loopIterationsMax, mapItemsMax, tagCharsMax, tagsMax } from '../../../src-engine/model/limits.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { opens } from '../../../src-engine/runtime/opened-body.ts'
import { createPayloadStore } from '../../../src-engine/runtime/payload-store.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { loopSpec } from '../../../src-engine/tasks/loop/spec.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf } from '../model/workflow-fixture.ts'
import { FlowScene } from './control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

describe('a map', () => {
  const itemsOf = (count: number) =>
    opens(
      createPayloadStore(createMemoryStore()),
      { input: { kind: 'single', payload: { kind: 'inline', json: 'null' } } },
      { kind: 'items', items: Array.from({ length: count }, () => 1), limit: 1, tolerated: 0 },
    )

  test('takes ten thousand items', async () => {
    expect(await itemsOf(mapItemsMax)).toMatchObject({ kind: 'opens', wait: { count: 10_000 } })
  })

  test('refuses one more by name', async () => {
    await expect(itemsOf(mapItemsMax + 1)).rejects.toMatchObject({ code: 'map_too_many_items' })
  })
})

test('a loop may be told to take ten thousand turns, and no more', () => {
  const withMax = (max: number) => loopSpec.parameters.safeParse({ ...loopSpec.defaults, max }).success
  expect(withMax(loopIterationsMax)).toBe(true)
  expect(withMax(loopIterationsMax + 1)).toBe(false)
})

describe('tags of a node', () => {
  const opened = (tags: readonly string[]): boolean =>
    validateWorkflow(documentOf({ nodes: { a: { kind: 'noop', tags: [...tags] } } }), taskSpecsByKind)
      .length === 0

  test('are at most twenty of 64 characters', () => {
    const most = Array.from({ length: tagsMax }, (_, index) => `${index}`.padEnd(tagCharsMax, 'x'))
    expect(opened(most)).toBe(true)
    expect(opened([...most, 'one more'])).toBe(false)
    expect(opened(['x'.repeat(tagCharsMax + 1)])).toBe(false)
    expect(opened([''])).toBe(false)
  })
})

it('a step that gives more than 10 MB fails by name, and its run with it', async () => {
  const scene = new FlowScene(createMemoryStore())
  scenes.push(scene)
  await scene.launch()
  const run = await scene.play(
    {
      nodes: { a: { kind: 'debug', parameters: { produce: 'value', value: '{{ input }}' } } },
      edges: {},
    },
    'x'.repeat(10_000_001),
  )
  expect(run).toMatchObject({ status: 'FAILED', error: { code: 'payload_too_large' } })
})
