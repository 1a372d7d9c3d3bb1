/** Maps and loops with the product's own tasks and expressions, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const transform = (parent: string, expression: string) => ({
  kind: 'transform',
  parent,
  parameters: { expression },
})

describe.each(Object.entries(sceneStores))('bodies on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    await made.launch()
    return made
  }

  it('a map works on its items and keeps their order [P23] [C51]', async () => {
    const here = await scene()
    const nodes = {
      each: { kind: 'map', parameters: { items: 'input.list', limit: 2 } },
      double: transform('each', 'item * 2'),
    }
    const run = await here.play({ nodes }, { list: [3, 1, 2] })
    expect(run).toMatchObject({ status: 'SUCCEEDED', error: null })
    expect(valueOf(run)).toEqual([6, 2, 4])
    expect(valueOf(await here.play({ nodes }, { list: [] }))).toEqual([])
  })

  it('a loop waits between its turns, also across a crash, and not after the last one', async () => {
    const here = await scene()
    const nodes = {
      again: {
        kind: 'loop',
        parameters: { mode: 'until', condition: 'loop.value >= 3', delay: 10, unit: 'minutes' },
      },
      add: transform('again', 'loop.value + 1'),
    }
    const run = await here.start({ nodes }, 0)
    await here.pass(100)
    expect((await here.run(run)).status).toBe('WAITING')
    here.crash()
    await here.launch()
    await here.pass(9 * 60_000)
    const at = async () => Object.keys(await here.statuses(run)).length
    expect(await at()).toBe(2)
    await here.pass(90_000)
    expect(await at()).toBe(3)
    await here.pass(10 * 60_000)
    // The third turn said that it was the last: nobody waits after it.
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(await here.outputOf(run)).toBe(3)
  })

  it('a step inside of a loop ends it, or takes it to its next turn', async () => {
    const here = await scene()
    const leave = (kind: string, value: string) => ({ kind, parent: 'again', parameters: { value } })
    const nodes = {
      again: { kind: 'loop', parameters: { mode: 'while', condition: 'true' } },
      is: {
        kind: 'switch',
        parent: 'again',
        parameters: {
          cases: [
            { title: 'odd', when: 'loop.value.n % 2 = 1' },
            { title: 'found', when: 'loop.value.n >= 6' },
          ],
        },
      },
      odd: leave('next-turn', '{ "n": loop.value.n + 1, "odd": $append(loop.value.odd, loop.value.n) }'),
      found: leave('break-loop', '{ "found": loop.value.n, "odd": loop.value.odd }'),
      even: transform('again', '{ "n": loop.value.n + 1, "odd": loop.value.odd }'),
      after: transform('', 'input'),
    }
    const { parent: _top, ...after } = nodes.after
    const edges = edgesOf('is:case-1>odd', 'is:case-2>found', 'is:default>even', 'again>after')
    const run = await here.play({ nodes: { ...nodes, after }, edges }, { n: 1, odd: [] })
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', { found: 6, odd: [1, 3, 5] }])
    expect(Object.keys(await here.statuses(run.id)).filter((name) => name.startsWith('is@'))).toHaveLength(6)
  })

  it('a loop that was left ends what is under way in its turn, also where its runner dies in between', async () => {
    const here = await scene()
    const nodes = {
      again: { kind: 'loop', parameters: { mode: 'while', condition: 'true' } },
      leave: { kind: 'break-loop', parent: 'again', parameters: { value: '"out"' } },
      parked: { kind: 'delay', parent: 'again', parameters: { amount: 2, unit: 'hours' } },
      busy: { kind: 'debug', parent: 'again', parameters: { sleepMs: 60_000 } },
    }
    const run = await here.start({ nodes })
    await here.pass(10)
    here.crash()
    await here.launch()
    await here.pass(600_000)
    expect(await here.run(run)).toMatchObject({ status: 'SUCCEEDED' })
    expect(await here.outputOf(run)).toBe('out')
    expect(await here.statuses(run)).toMatchObject({
      'leave@again:0': 'SUCCESS',
      'parked@again:0': 'CANCELLED',
    })
  })

  it('failed items count against the tolerance, in items and in percent', async () => {
    const here = await scene()
    const play = (tolerate: number, tolerateUnit: string) =>
      here.play(
        {
          nodes: {
            each: { kind: 'map', parameters: { items: 'input', tolerate, tolerateUnit } },
            check: transform('each', "item = 2 ? $error('bad') : item"),
          },
        },
        [1, 2, 3, 4],
      )
    expect(await play(0, 'items')).toMatchObject({ status: 'FAILED', error: { code: 'map_items_failed' } })
    expect(await play(24, 'percent')).toMatchObject({ status: 'FAILED' })
    const tolerated = await play(25, 'percent')
    expect(tolerated.status).toBe('SUCCEEDED')
    expect(valueOf(tolerated)).toMatchObject([1, { error: {} }, 3, 4])
  })

  it('an item whose step fails is tried again by itself, and the others are worked on once', async () => {
    const here = await scene()
    const nodes = {
      each: { kind: 'map', parameters: { items: 'input', limit: 3, tolerate: 1 } },
      work: {
        ...{ kind: 'debug', parent: 'each', retry: { maxAttempts: 3, delayMs: 100, jitter: 0 } },
        parameters: { failTimes: '{{ item }}' },
      },
    }
    const run = await here.play({ nodes }, [0, 2, 9])
    expect(run.status).toBe('SUCCEEDED')
    expect(valueOf(run)).toMatchObject([0, 2, { error: { code: 'debug_failure' } }])
    const tries = (await here.executions(run.id)).filter(([step]) => step !== 'each')
    // One by the item that never failed, three by each of the others.
    expect(tries).toHaveLength(1 + 3 + 3)
    const last = new Map(tries)
    expect([...last.values()].sort((a, b) => a - b)).toEqual([1, 3, 3])
  })

  it('a map in a map sees its own item, and a loop in a map its own turns [C53] [S27]', async () => {
    const here = await scene()
    const nested = await here.play(
      {
        nodes: {
          rows: { kind: 'map', parameters: { items: 'input' } },
          cells: { kind: 'map', parent: 'rows', parameters: { items: 'item' } },
          add: transform('cells', 'item + 1'),
        },
      },
      [[1, 2], [3]],
    )
    expect(valueOf(nested)).toEqual([[2, 3], [4]])
    const looped = await here.play(
      {
        nodes: {
          each: { kind: 'map', parameters: { items: 'input' } },
          grow: { kind: 'loop', parent: 'each', parameters: { mode: 'while', condition: 'loop.value < 10' } },
          step: transform('grow', 'loop.value * 2'),
        },
      },
      [1, 9, 20],
    )
    expect(valueOf(looped)).toEqual([16, 18, 20])
  })

  it('a loop counts, asks before or after, and ends at its maximum [S27] [C53]', async () => {
    const here = await scene()
    const play = async (parameters: Record<string, string | number>, input: number) => {
      const nodes = {
        again: { kind: 'loop', parameters },
        step: transform('again', 'loop.value + 1'),
        after: { kind: 'noop' },
      }
      return here.play({ nodes, edges: edgesOf('again>after') }, input)
    }
    expect(valueOf(await play({ mode: 'count', count: 3 }, 0))).toBe(3)
    expect(valueOf(await play({ mode: 'count', count: 0 }, 5))).toBe(5)
    expect(valueOf(await play({ mode: 'while', condition: 'loop.value < 4' }, 9))).toBe(9)
    expect(valueOf(await play({ mode: 'until', condition: 'loop.value >= 4' }, 9))).toBe(10)
    const endless = { mode: 'while', condition: 'true', max: 4 }
    expect(await play(endless, 0)).toMatchObject({ status: 'FAILED', error: { code: 'loop_limit_reached' } })
    expect(valueOf(await play({ ...endless, onMax: 'continue' }, 0))).toBe(4)
  })

  it('goes on in another process when the first dies between turns [S28] [T5]', async () => {
    const here = await scene()
    const run = await here.start(
      {
        nodes: {
          again: { kind: 'loop', parameters: { mode: 'count', count: 3 } },
          pause: { kind: 'delay', parent: 'again', parameters: { amount: 2, unit: 'minutes' } },
          step: transform('again', 'loop.value + 1'),
        },
        edges: edgesOf('pause>step'),
      },
      0,
    )
    await here.pass(121_000)
    here.crash()
    await here.launch()
    await here.pass(3 * 121_000)
    expect(await here.outputOf(run)).toBe(3)
  })
})
