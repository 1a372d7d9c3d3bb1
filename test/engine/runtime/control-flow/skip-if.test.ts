/** Conditions that keep steps from running, with the product's own tasks and expressions, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const transform = (expression: string, more: JsonObject = {}): JsonObject => ({
  kind: 'transform',
  parameters: { expression },
  ...more,
})

describe.each(Object.entries(sceneStores))('skip if on %s', (_name, open) => {
  const play = async (parts: JsonObject, input: JsonValue = {}) => {
    const here = new FlowScene(await open())
    scenes.push(here)
    await here.launch()
    const { id } = await here.play(parts, input)
    return { here, run: await here.run(id), statuses: await here.statuses(id) }
  }
  const nodes = {
    total: transform('{ "sum": input.sum }'),
    bill: transform('input.sum * 2', { skipIf: 'input.sum = 0 or nodes.total.output.sum > 100' }),
    thank: transform('"billed " & input'),
  }
  const edges = edgesOf('total>bill', 'bill>thank')

  it('a step runs where its condition is false', async () => {
    const { run } = await play({ nodes, edges }, { sum: 5 })
    expect(valueOf(run)).toBe('billed 10')
  })

  it.each([0, 101])('it doesn’t where it is true, nor does what only it leads to: %s', async (sum) => {
    const { here, run, statuses } = await play({ nodes, edges }, { sum })
    expect(run.status).toBe('SUCCEEDED')
    expect(statuses).toEqual({ total: 'SUCCESS', bill: 'CANCELLED' })
    const attempts = await here.store.load(0, 'attempts', { runId: run.id, invocationId: null })
    const of = attempts.find(({ invocationId }) => invocationId.endsWith('/bill'))
    expect(of).toMatchObject({ outcome: 'skipped', input: null })
    expect(JSON.stringify(of?.log)).toContain('because this is true')
  })

  it('it hands on what arrived where the next is to go on', async () => {
    const passing = { ...nodes, bill: { ...nodes.bill, onSkip: 'pass' }, thank: transform('input') }
    const { run } = await play({ nodes: passing, edges }, { sum: 0 })
    expect(valueOf(run)).toEqual({ sum: 0 })
  })

  it('a condition that can’t be evaluated fails the step, which goes its error way', async () => {
    const broken = {
      bill: transform('1', { skipIf: '$error("no idea")' }),
      sorry: transform('error.message'),
    }
    const { statuses, here, run } = await play({ nodes: broken, edges: edgesOf('bill:error>sorry') })
    expect(statuses['bill']).toBe('FAILED')
    const records = await here.store.load(0, 'invocations', { runId: run.id })
    expect(records.find(({ nodeId }) => nodeId === 'bill')?.error?.message).toContain('no idea')
  })

  it('items of a map, maps themselves, and joins are asked, too', async () => {
    const { run, statuses } = await play(
      {
        nodes: {
          each: { kind: 'map', parameters: { items: 'input' } },
          double: transform('input * 2', { parent: 'each', skipIf: 'item > 2', onSkip: 'pass' }),
          never: { kind: 'map', parameters: { items: 'input' }, skipIf: '$count(input) = 4' },
          inner: transform('1', { parent: 'never' }),
          join: { kind: 'join', skipIf: '$count(input) = 4' },
        },
        edges: edgesOf('each>join'),
        settings: { output: 'nodes.each.output' },
      },
      [1, 2, 3, 4],
    )
    expect(valueOf(run)).toEqual([2, 4, 3, 4])
    expect(statuses).toMatchObject({ never: 'CANCELLED', join: 'CANCELLED' })
  })
})
