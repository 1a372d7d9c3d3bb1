/** A value of a run, back to where it began and on to who reads it. */

import { afterEach, describe, expect, it } from 'vitest'
import { valuePlaceText } from '../../../src-engine/model/following/value-place.ts'
import type { DefinitionHash, RunId } from '../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import type { Asked } from '../../../src-engine/protocol/load-comparison.ts'
import type { LoadedValue } from '../../../src-engine/protocol/load-followed-value.ts'
import { loadFollowedValue } from '../../../src-engine/protocol/load-followed-value.ts'
import { createRunViews } from '../../../src-engine/runtime/run-views.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf } from '../model/workflow-fixture.ts'
import { FlowScene } from '../runtime/control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

async function sceneHere(): Promise<FlowScene> {
  const here = new FlowScene(createMemoryStore())
  scenes.push(here)
  await here.launch()
  return here
}

function engineOf({ store, engine }: FlowScene): Asked {
  const views = createRunViews(store)
  const answers = {
    'runs.get': ({ runId: id }: { readonly runId: RunId }) => views.snapshot(id),
    'workflows.version': async ({ hash }: { readonly hash: DefinitionHash }) => {
      const { document } = await engine.version(hash)
      return { document: JSON.parse(document) as JsonObject }
    },
  }
  const known: Readonly<Record<string, (input: never) => Promise<unknown>>> = answers
  return { call: (method, input) => known[method]?.(input as never) as never }
}

interface Asking {
  readonly nodeId: string
  readonly path?: string
  readonly of?: 'output' | 'input' | 'parameters'
  readonly field?: readonly (string | number)[]
}

async function followed(parts: JsonObject, input: JsonValue, asking: Asking): Promise<LoadedValue> {
  const here = await sceneHere()
  const { id } = await here.play(parts, input)
  return followedIn(here, id, asking)
}

const followedIn = (here: FlowScene, id: RunId, asking: Asking): Promise<LoadedValue> =>
  here.within(
    loadFollowedValue(
      engineOf(here),
      { runId: id, of: 'output', path: '', field: [], ...asking },
      taskSpecsByKind,
    ),
  )

/** `a output.total = 3: copied`, one per hop. */
const told = ({ hops }: LoadedValue): readonly string[] =>
  hops.map(({ place, how, value }) => {
    const at = place.path === '' ? '' : `@${place.path}`
    const owner = place.nodeId === null ? '' : `${place.nodeId}${at} `
    return `${owner}${valuePlaceText(place)} = ${JSON.stringify(value) ?? '?'}: ${how}`
  })
const readersIn = ({ readers }: LoadedValue): readonly string[] =>
  readers.map(({ place }) => `${place.nodeId}${place.path === '' ? '' : `@${place.path}`}`)

const transform = (expression: string, parent: string | null = null): JsonObject => ({
  kind: 'transform',
  parameters: { expression },
  ...(parent === null ? {} : { parent }),
})
const edge = (from: string, to: string, port = 'out'): JsonObject => ({
  from: { node: from, port },
  to: { node: to, port: 'in' },
})

describe('following a value', () => {
  const renamed: JsonObject = {
    nodes: {
      a: transform('{ "sum": input.order.total, "fix": 7, "big": input.order.total > 10, "by": vars.by }'),
      check: { kind: 'if', parameters: { condition: 'input.sum > 1' } },
      b: transform('{"amount": input.sum}'),
    },
    edges: { ab: edge('a', 'check'), yes: edge('check', 'b', 'true') },
    variables: { by: 2 },
  }

  it('goes back through renamed fields and steps that hand on, to the input of the run', async () => {
    const value = await followed(renamed, { order: { total: 12 } }, { nodeId: 'b', field: ['amount'] })
    expect(told(value)).toEqual([
      'b output.amount = 12: copied',
      'b parameters.expression.amount = 12: copied',
      'b input.sum = 12: copied',
      'check output.sum = 12: copied',
      'check input.sum = 12: copied',
      'a output.sum = 12: copied',
      'a parameters.expression.sum = 12: copied',
      'a input.order.total = 12: copied',
      'run.input.order.total = 12: run-input',
    ])
  })

  it('ends at what is written out, and at variables', async () => {
    const of = async (name: string) =>
      told(await followed(renamed, { order: { total: 12 } }, { nodeId: 'a', field: [name] })).at(-1)
    expect(await of('fix')).toBe('a parameters.expression.fix = 7: literal')
    expect(await of('by')).toBe('vars.by = 2: variable')
    expect(await of('big')).toBe('run.input.order.total = 12: run-input')
  })

  it('says that a value was made where it is more than taken over', async () => {
    const parts = {
      nodes: { a: transform('{"ids": input.rows.id, "n": $count(input.rows[ok])}') },
      edges: {},
    }
    const rows = { rows: [{ id: 1, ok: true }, { id: 2 }] }
    const ids = await followed(parts, rows, { nodeId: 'a', field: ['ids'] })
    expect(ids.hops[1]).toMatchObject({ how: 'made', value: [1, 2] })
    expect(told(ids).at(-1)).toBe(`run.input.rows = ${JSON.stringify(rows.rows)}: run-input`)
    const count = await followed(parts, rows, { nodeId: 'a', field: ['n'] })
    expect(count.hops[1]).toMatchObject({
      how: 'made',
      value: 1,
      expression: expect.stringContaining('$count'),
    })
  })

  it('names the settings that read it, also behind steps that hand it on, and no others', async () => {
    const sum = await followed(renamed, { order: { total: 12 } }, { nodeId: 'a', field: ['sum'] })
    expect(readersIn(sum)).toEqual(['check', 'b'])
    const fixed = await followed(renamed, { order: { total: 12 } }, { nodeId: 'a', field: ['fix'] })
    expect(readersIn(fixed)).toEqual([])
  })

  const mapped: JsonObject = {
    nodes: {
      each: { kind: 'map', parameters: { items: 'input.rows' } },
      one: transform('{"twice": input.n * 2, "name": input.name}', 'each'),
      last: transform('input[1].name'),
    },
    edges: { on: edge('each', 'last') },
  }
  const rows = [
    { n: 1, name: 'x' },
    { n: 2, name: 'y' },
  ]

  it('goes into the item of a map and out of it again', async () => {
    const value = await followed(mapped, { rows }, { nodeId: 'last' })
    expect(told(value)).toEqual([
      'last output = "y": copied',
      'last parameters.expression = "y": copied',
      'last input[1].name = "y": copied',
      'each output[1].name = "y": copied',
      'one@each:1 output.name = "y": copied',
      'one@each:1 parameters.expression.name = "y": copied',
      'one@each:1 input.name = "y": copied',
      'each parameters.items[1].name = "y": copied',
      'each input.rows[1].name = "y": copied',
      'run.input.rows[1].name = "y": run-input',
    ])
  })

  it('goes back through the turns of a loop', async () => {
    const looped: JsonObject = {
      nodes: {
        again: { kind: 'loop', parameters: { mode: 'count', count: 2 } },
        step: transform('{"kept": input.kept, "n": input.n + 1}', 'again'),
      },
      edges: {},
    }
    const input = { kept: 'k', n: 0 }
    const kept = await followed(looped, input, { nodeId: 'again', field: ['kept'] })
    expect(kept.hops.every(({ value }) => value === 'k')).toBe(true)
    expect(told(kept).at(-1)).toBe('run.input.kept = "k": run-input')
    const counted = await followed(looped, input, { nodeId: 'again', field: ['n'] })
    expect(told(counted).filter((line) => line.endsWith('made'))).toHaveLength(2)
  })

  it('goes into the run of a sub-workflow and up again to who called it', async () => {
    const here = await sceneHere()
    const child = documentOf({
      id: 'child',
      title: 'Child',
      nodes: { inner: transform('{"v": input.n}') },
      edges: {},
    })
    here.workflows.set('child', { document: child, folder: null })
    const nodes = {
      sub: { kind: 'sub-workflow', parameters: { workflow: 'child', input: '{"n": input.amount}' } },
      after: transform('input.v'),
    }
    const { id } = await here.play({ nodes, edges: { on: edge('sub', 'after') } }, { amount: 20 })
    const value = await followedIn(here, id, { nodeId: 'after' })
    expect(value.hops.every((hop) => hop.value === 20 && hop.how !== 'made')).toBe(true)
    expect(told(value).slice(-5)).toEqual([
      'inner input.n = 20: copied',
      'run.input.n = 20: copied',
      'sub parameters.input.n = 20: copied',
      'sub input.amount = 20: copied',
      'run.input.amount = 20: run-input',
    ])
    expect(new Set(value.hops.map(({ place }) => place.runId)).size).toBe(2)
  })

  it('ends at what a step did, and never tells a secret', async () => {
    const parts: JsonObject = {
      nodes: {
        fetch: {
          kind: 'http-request',
          parameters: {
            url: 'https://{{ input.host }}/x',
            headers: { k: '{{ secrets.key }}' },
          },
        },
      },
      edges: {},
    }
    const did = await followed(parts, { host: 'h' }, { nodeId: 'fetch' })
    expect(did.hops.map(({ how }) => how)).toEqual(['step'])
    const field = ['headers', 'k']
    const secret = await followed(parts, { host: 'h' }, { nodeId: 'fetch', of: 'parameters', field })
    expect(secret.hops).toMatchObject([{ how: 'secret' }])
    expect(secret.hops[0]).not.toHaveProperty('value')
    const whole = await followed(
      parts,
      { host: 'h' },
      { nodeId: 'fetch', of: 'parameters', field: ['headers'] },
    )
    expect(whole.hops[0]).not.toHaveProperty('value')
  })

  it('goes to the branch of a join that is named, and says of a join as a whole what it was made of', async () => {
    const parts: JsonObject = {
      nodes: {
        split: transform('input'),
        left: transform('{"v": input.n}'),
        right: transform('{"v": 2}'),
        both: { kind: 'join' },
        after: transform('{"one": input.left.v, "all": input}'),
      },
      edges: {
        a: edge('split', 'left'),
        b: edge('split', 'right'),
        c: edge('left', 'both'),
        d: edge('right', 'both'),
        e: edge('both', 'after'),
      },
    }
    const one = await followed(parts, { n: 1 }, { nodeId: 'after', field: ['one'] })
    expect(told(one).at(-1)).toBe('run.input.n = 1: run-input')
    expect(told(one).some((line) => line.startsWith('right '))).toBe(false)
    const all = await followed(parts, { n: 1 }, { nodeId: 'after', field: ['all'] })
    const nodes = new Set(all.hops.map(({ place }) => place.nodeId))
    expect(nodes.has('left') && nodes.has('right')).toBe(true)
  })

  it('finds an item in its batch of the list', async () => {
    const parts: JsonObject = {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input.rows', batchSize: 2 } },
        first: transform('{"id": input[0].id}', 'each'),
      },
      edges: {},
    }
    const list = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
    const value = await followed(parts, { rows: list }, { nodeId: 'first', path: 'each:1', field: ['id'] })
    expect(told(value).slice(-2)).toEqual([
      'each input.rows[2].id = "c": copied',
      'run.input.rows[2].id = "c": run-input',
    ])
  })

  it('ends at the error behind an error port', async () => {
    const parts: JsonObject = {
      nodes: {
        fails: transform('$error("no")'),
        rescue: transform('{"why": input.error.message}'),
      },
      edges: { a: edge('fails', 'rescue', 'error') },
    }
    const value = await followed(parts, {}, { nodeId: 'rescue', field: ['why'] })
    expect(value.hops.at(-1)).toMatchObject({ how: 'error' })
  })

  it('reads the texts of a step once, however many items went through it', async () => {
    const items = Array.from({ length: 40 }, (_, n) => ({ n, name: 'x' }))
    let asked = 0
    const counting = {
      get: (kind: string) => {
        asked += 1
        return taskSpecsByKind.get(kind)
      },
    }
    const here = await sceneHere()
    const { id } = await here.play(mapped, { rows: items })
    const start = { runId: id, of: 'output' as const, nodeId: 'one', path: 'each:3', field: ['name'] }
    const value = await here.within(loadFollowedValue(engineOf(here), start, counting as never))
    expect(readersIn(value)).toEqual([])
    expect(asked).toBeLessThan(items.length)
  })
})
