/** Items of a map that are known by keys, with the product's own tasks and expressions, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import { itemKeysOf } from '../../../../src-engine/model/item-keys.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const orders = [
  { id: 'o-7', n: 1 },
  { id: 'o-3', n: 2 },
  { id: 'o-9', n: 3 },
]
const each = (parameters: JsonObject, expression = 'item.n * 10'): JsonObject => ({
  nodes: {
    each: { kind: 'map', parameters: { items: 'input', key: 'item.id', ...parameters } },
    step: { kind: 'transform', parent: 'each', parameters: { expression } },
  },
})

describe.each(Object.entries(sceneStores))('keys of items on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    await made.launch()
    return made
  }

  it('results and errors are found by key, and the record knows the keys after the end', async () => {
    const here = await scene()
    const run = await here.play(
      each({ gives: 'object', tolerate: 1 }, "item.n = 2 ? $error('bad') : item.n * 10"),
      orders,
    )
    expect(valueOf(run)).toMatchObject({
      'o-7': 10,
      'o-3': { error: { message: '“Expression”: bad' } },
      'o-9': 30,
    })
    const records = await here.store.load(0, 'invocations', { runId: run.id })
    const map = records.find(({ nodeId }) => nodeId === 'each')
    expect(map === undefined ? null : itemKeysOf(map)).toEqual(['o-7', 'o-3', 'o-9'])
    expect(valueOf(await here.play(each({}), orders))).toEqual([10, 20, 30])
    expect(valueOf(await here.play(each({ gives: 'object' }), []))).toEqual({})
    expect(
      valueOf(await here.play(each({ gives: 'object', key: 'index' }), [orders[0] as JsonValue])),
    ).toEqual({
      '0': 10,
    })
  })

  it('a map that fails names the item by its key', async () => {
    const here = await scene()
    const run = await here.play(each({}, "item.n = 2 ? $error('bad') : 1"), orders)
    expect(run).toMatchObject({
      status: 'FAILED',
      error: { code: 'map_items_failed', details: { item: 1, key: 'o-3' } },
    })
    expect(run.error?.message).toContain('failed. “o-3”: ')
  })

  it('two items with the same key fail the map in plain words, or one of them counts', async () => {
    const here = await scene()
    const twice = [...orders, { id: 'o-3', n: 4 }]
    const failed = await here.play(each({}), twice)
    expect(failed).toMatchObject({
      status: 'FAILED',
      error: { code: 'task_input_invalid', details: { field: 'key' } },
    })
    expect(failed.error?.message).toBe('Items 2 and 4 have the same key, “o-3”.')
    const all = { gives: 'object' }
    const first = await here.play(each({ ...all, onDuplicate: 'first' }), twice)
    expect(valueOf(first)).toEqual({ 'o-7': 10, 'o-3': 20, 'o-9': 30 })
    const last = await here.play(each({ ...all, onDuplicate: 'last' }), twice)
    expect(valueOf(last)).toEqual({ 'o-7': 10, 'o-9': 30, 'o-3': 40 })
  })

  it('an item without a key, or with one that is no text, is told by its number', async () => {
    const here = await scene()
    const none = await here.play(each({}), [{ id: 'a', n: 1 }, { n: 2 }])
    expect(none.error?.message).toContain('The key of item 2 is nothing')
    const list = await here.play(each({ key: '[item.id, 1]' }), orders)
    expect(list).toMatchObject({ status: 'FAILED', error: { code: 'task_input_invalid' } })
  })

  it('more keys and results than a record holds are put together all the same', async () => {
    const here = await scene()
    const many = Array.from({ length: 200 }, (_, index) => ({
      id: `key-${index}-${'x'.repeat(200)}`,
      n: index,
    }))
    const last = JSON.stringify(many[199]?.id ?? '')
    const output = `{ "count": $count($keys(nodes.each.output)), "last": $lookup(nodes.each.output, ${last}) }`
    const id = await here.start({ ...each({ gives: 'object', limit: 400 }), settings: { output } }, many)
    await here.pass(120_000)
    const run = await here.run(id)
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', { count: 200, last: 1_990 }])
    const records = await here.store.load(0, 'invocations', { runId: id })
    const map = records.find(({ nodeId }) => nodeId === 'each')
    expect(map?.output?.kind).toBe('blob')
    // What a record doesn't hold is kept beside it: the view has numbers then.
    expect(map === undefined ? [] : itemKeysOf(map)).toBeNull()
  })
})
