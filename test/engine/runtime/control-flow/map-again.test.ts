/** Maps that begin anew and take over what was done before, with the product's own tasks, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
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
const orders = (...ids: readonly string[]): readonly JsonObject[] => ids.map((id) => ({ id, n: id.length }))

/** A step before the map, and in its body a step that asks somebody and one that makes something of the answer. */
const parts = (map: JsonObject = {}, body: JsonObject = {}): JsonObject => ({
  nodes: {
    list: { kind: 'ask-model', parameters: { model: 'list' } },
    each: { kind: 'map', parameters: { key: 'item.id', onAgain: 'rest', limit: 2, ...map } },
    ask: {
      kind: 'ask-model',
      parameters: { model: 'ask', messages: [{ content: '{{ item.id }}' }] },
      parent: 'each',
    },
    tell: transform('item.id & ": " & $string(input)', { parent: 'each', ...body }),
  },
  edges: edgesOf('list>each', 'ask>tell'),
})

describe.each(Object.entries(sceneStores))('on %s', (_name, open) => {
  const scene = async (items: readonly JsonObject[]) => {
    const here = new FlowScene(await open())
    scenes.push(here)
    await here.launch()
    const asked: string[] = []
    const there = { items, failing: new Set<string>(), asked }
    here.instead.set('ask-model', {
      execute: async (parameters) => {
        const { model, messages } = parameters as { model: string; messages?: readonly { content: string }[] }
        if (model === 'list') return completed([...there.items])
        const id = messages?.[0]?.content ?? ''
        asked.push(id)
        if (there.failing.has(id)) throw new SagasmithError('task_failed', { message: `no ${id}` })
        return completed(asked.length)
      },
    })
    const retry = async (
      run: RunId,
      from: string | null = null,
      document: JsonObject | null = null,
    ): Promise<void> => {
      asked.length = 0
      await here.within(
        here.engine.retryRun({
          ...{ runId: run, nodeId: from === null ? null : nodeId(from), input: null, by: null, reason: null },
          ...(document === null
            ? { version: 'same' as const, document: null }
            : { version: 'newest' as const, document: documentOf(document) as unknown as JsonObject }),
        }),
      )
      await here.pass(1_000)
    }
    return { here, there, asked, retry }
  }
  const mapOf = async (here: FlowScene, run: RunId): Promise<InvocationRecord | undefined> =>
    (await here.store.load(0, 'invocations', { runId: run })).filter((one) => one.nodeId === 'each').at(-1)
  const told = async (here: FlowScene, run: RunId): Promise<JsonValue> =>
    (await here.outputOf(run)) as JsonValue

  it('only what wasn’t done is worked on, and all of it is handed on in order', async () => {
    const { here, there, asked, retry } = await scene(orders('a', 'bb', 'ccc', 'dddd', 'eeeee'))
    there.failing.add('ccc')
    const run = await here.play(parts())
    expect(run.status).toBe('FAILED')
    const done = [...asked]
    there.failing.clear()
    await retry(run.id)
    expect((await here.run(run.id)).status).toBe('SUCCEEDED')
    expect(asked).toContain('ccc')
    expect(asked).not.toContain('a')
    expect(new Set([...done, ...asked]).size).toBe(5)
    expect((await told(here, run.id)) as JsonValue[]).toEqual([
      expect.stringMatching(/^a: /),
      expect.stringMatching(/^bb: /),
      expect.stringMatching(/^ccc: /),
      expect.stringMatching(/^dddd: /),
      expect.stringMatching(/^eeeee: /),
    ])
    const map = await mapOf(here, run.id)
    expect(map?.dispatch?.taken?.[0]).toMatchObject({ at: 0, generation: 0, from: 0 })
  })

  it('with another list, items are known by their keys and must be the same', async () => {
    const { here, there, asked, retry } = await scene(orders('a', 'bb', 'ccc', 'dddd'))
    there.failing.add('dddd')
    const run = await here.play(parts({ limit: 1 }))
    expect([run.status, asked]).toEqual(['FAILED', ['a', 'bb', 'ccc', 'dddd']])
    there.failing.clear()
    there.items = [...orders('new', 'ccc'), { id: 'bb', n: 99 }, ...orders('a')]
    await retry(run.id, 'list')
    expect(asked).toEqual(['new', 'bb'])
    expect(await told(here, run.id)).toEqual(['new: 1', 'ccc: 3', 'bb: 2', 'a: 1'])
    expect((await mapOf(here, run.id))?.dispatch?.taken).toEqual([
      { at: 1, count: 1, generation: 0, from: 2 },
      { at: 3, count: 1, generation: 0, from: 0 },
    ])
  })

  it('over several generations each item keeps what it gave when it was done', async () => {
    const { here, there, asked, retry } = await scene(orders('a', 'bb', 'ccc'))
    there.failing.add('bb')
    const run = await here.play(parts({ limit: 1 }))
    expect(asked).toEqual(['a', 'bb'])
    there.failing = new Set(['ccc'])
    await retry(run.id)
    expect(asked).toEqual(['bb', 'ccc'])
    // The process that goes on knows nothing but the records.
    here.crash()
    await here.launch()
    there.failing.clear()
    await retry(run.id)
    expect(asked).toEqual(['ccc'])
    expect(await told(here, run.id)).toEqual(['a: 1', 'bb: 1', 'ccc: 1'])
    expect((await mapOf(here, run.id))?.dispatch?.taken).toEqual([
      { at: 0, count: 1, generation: 0, from: 0 },
      { at: 1, count: 1, generation: 1, from: 1 },
    ])
  })

  it('where all of it was done, nothing is worked on', async () => {
    const { here, asked, retry } = await scene(orders('a', 'bb'))
    const { nodes } = parts() as { nodes: JsonObject }
    const fail = { kind: 'debug', parameters: { failTimes: 9, retryable: false } }
    const edges = edgesOf('list>each', 'ask>tell', 'each>fail')
    const run = await here.play({ nodes: { ...nodes, fail }, edges })
    expect([run.status, asked]).toEqual(['FAILED', ['a', 'bb']])
    await retry(run.id, 'each')
    expect(asked).toEqual([])
    expect(await mapOf(here, run.id)).toMatchObject({ status: 'SUCCESS', generation: 1 })
  })

  it('a process that dies on the way goes on with what is left', async () => {
    const { here, there, asked, retry } = await scene(orders('a', 'bb', 'ccc', 'dddd'))
    const wait = { kind: 'wait-signal', parameters: { name: 'go' }, parent: 'each' }
    const { nodes } = parts({ limit: 1 }) as { nodes: JsonObject }
    const held = { nodes: { ...nodes, wait }, edges: edgesOf('list>each', 'ask>tell', 'tell>wait') }
    const run = await here.start(held)
    await here.pass(1_000)
    const go = async (id: string): Promise<void> => {
      const signal = { runId: run, name: 'go', correlation: null, payload: `told ${id}`, messageId: id }
      await here.within(here.engine.sendSignal(signal))
      await here.pass(1_000)
    }
    there.failing.add('ccc')
    await go('a')
    await go('bb')
    expect((await here.run(run)).status).toBe('FAILED')
    there.failing.clear()
    await retry(run)
    expect(asked).toEqual(['ccc'])
    here.crash()
    await here.launch()
    await here.pass(60_000)
    await go('ccc')
    await go('dddd')
    expect(asked).toEqual(['ccc', 'dddd'])
    expect(await told(here, run)).toEqual(['told a', 'told bb', 'told ccc', 'told dddd'])
  })

  it('all of it is done anew unless it is told otherwise, and where the steps inside mean something else', async () => {
    const { here, there, asked, retry } = await scene(orders('a', 'bb'))
    there.failing.add('bb')
    const first = await here.play(parts({ limit: 1, onAgain: 'all' }))
    await retry(first.id)
    expect(asked).toEqual(['a', 'bb'])
    const second = await here.play(parts({ limit: 1 }))
    await retry(second.id, null, parts({ limit: 1 }, { parameters: { expression: '"another"' } }))
    expect(asked).toEqual(['a', 'bb'])
    await retry(second.id)
    expect(asked).toEqual(['bb'])
  })

  it('a body that reads other steps takes nothing over once one of those began anew', async () => {
    const { here, there, asked, retry } = await scene(orders('a', 'bb'))
    there.failing.add('bb')
    const reads = { parameters: { expression: 'item.id & $string($count(nodes.list.output))' } }
    const run = await here.play(parts({ limit: 1 }, reads))
    await retry(run.id)
    expect(asked).toEqual(['bb'])
    await retry(run.id, 'list')
    expect(asked).toEqual(['a', 'bb'])
  })

  it('without keys items are known by their numbers', async () => {
    const { here, there, asked, retry } = await scene(orders('a', 'bb', 'ccc'))
    there.failing.add('ccc')
    const run = await here.play(parts({ limit: 1, key: '' }))
    there.items = orders('bb', 'a', 'ccc')
    await retry(run.id)
    expect(asked).toEqual(['ccc'])
    there.failing.clear()
    await retry(run.id, 'list')
    expect(asked).toEqual(['bb', 'a', 'ccc'])
    expect(valueOf(await here.run(run.id))).toHaveLength(3)
  })
})
