/** Two runs of one workflow, side by side: where they part, and what differs. */

import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { divergenceText } from '../../../src-engine/model/comparison/comparison-words.ts'
import type { DefinitionHash, RunId } from '../../../src-engine/model/ids.ts'
import { runId } from '../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import type { Asked, LoadedComparison } from '../../../src-engine/protocol/load-comparison.ts'
import { loadComparison } from '../../../src-engine/protocol/load-comparison.ts'
import { createRunViews } from '../../../src-engine/runtime/run-views.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
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

/** The calls that a comparison makes, answered by the engine. */
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

async function compared(
  here: FlowScene,
  [first, second]: readonly [JsonObject, JsonObject],
  [left, right]: readonly [JsonValue, JsonValue],
): Promise<LoadedComparison> {
  const before = (await here.play(first, left)).id
  const after = (await here.play(second, right)).id
  return here.within(loadComparison(engineOf(here), { before, after }, taskSpecsByKind))
}

const decided = (limit: number): JsonObject => ({
  nodes: {
    check: { kind: 'if', title: 'Check', parameters: { condition: `input.total > ${limit}` } },
    big: { kind: 'transform', title: 'Big', parameters: { expression: '{"size": input.total}' } },
    small: { kind: 'noop', title: 'Small' },
  },
  edges: {
    yes: { from: { node: 'check', port: 'true' }, to: { node: 'big', port: 'in' } },
    no: { from: { node: 'check', port: 'false' }, to: { node: 'small', port: 'in' } },
  },
})

const names = { before: 'run A', after: 'run B' }
const differing = ({ steps }: LoadedComparison) =>
  steps
    .filter(({ differences }) => differences.length > 0)
    .map(
      ({ nodeId, path, differences }) =>
        `${nodeId}${path === '' ? '' : `@${path}`}: ${differences.join(' ')}`,
    )

describe('two runs side by side', () => {
  it('points at the step that went another way, and says on which data', async () => {
    const here = await sceneHere()
    const workflow = decided(100)
    const comparison = await compared(here, [workflow, workflow], [{ total: 120 }, { total: 12 }])
    expect(comparison.divergence).toEqual({
      kind: 'way',
      nodeId: 'check',
      path: '',
      because: [{ path: ['input', 'total'], before: 120, after: 12 }],
    })
    expect(differing(comparison)).toEqual(['check: ways input output', 'small: presence', 'big: presence'])
    expect(divergenceText(comparison, names)).toBe(
      'At “Check”, run B took “false”, run A took “true”, because input.total was 12, not 120.',
    )
  })

  it('finds nothing in the same run twice over', async () => {
    const here = await sceneHere()
    const workflow = decided(100)
    const comparison = await compared(here, [workflow, workflow], [{ total: 120 }, { total: 120 }])
    expect([comparison.divergence, differing(comparison)]).toEqual([null, []])
  })

  it('tells the same way with other data from another way', async () => {
    const here = await sceneHere()
    const workflow = decided(100)
    const comparison = await compared(here, [workflow, workflow], [{ total: 120 }, { total: 130 }])
    expect(divergenceText(comparison, names)).toBe(
      'Both runs went the same way with other input: in run B, total was 130, not 120.',
    )
  })

  it('says of a step what its version made of it', async () => {
    const here = await sceneHere()
    const comparison = await compared(here, [decided(100), decided(200)], [{ total: 120 }, { total: 120 }])
    expect(comparison.steps.find(({ nodeId }) => nodeId === 'check')?.definition).toBe('changed')
    expect(comparison.divergence).toEqual({ kind: 'way', nodeId: 'check', path: '', because: [] })
  })

  it('puts the turns of a map beside each other, and doesn’t blame the map for them', async () => {
    const here = await sceneHere()
    const workflow = {
      nodes: {
        each: { kind: 'map', title: 'Each', parameters: { items: 'input.rows' } },
        one: { kind: 'transform', parent: 'each', parameters: { expression: 'input * vars.by' } },
      },
    }
    const twice = { ...workflow, variables: { by: 2 } }
    const thrice = { ...workflow, variables: { by: 3 } }
    const rows = { rows: [0, 5, 7] }
    const comparison = await compared(here, [twice, thrice], [rows, rows])
    expect(differing(comparison)).toEqual([
      'each: output',
      'one@each:1: input output',
      'one@each:2: input output',
    ])
    expect(comparison.divergence).toEqual({
      kind: 'value',
      nodeId: 'one',
      path: 'each:1',
      because: [{ path: ['vars', 'by'], before: 2, after: 3 }],
    })
  })

  it('refuses a run beside itself, and runs of two workflows', async () => {
    const here = await sceneHere()
    const id = (await here.play(decided(1), { total: 2 })).id
    const other = (await here.play({ ...decided(1), id: 'other' }, { total: 2 })).id
    const ask = (after: RunId) => loadComparison(engineOf(here), { before: id, after }, taskSpecsByKind)
    await expect(here.within(ask(id))).rejects.toMatchObject({ code: 'bad_request' })
    await expect(here.within(ask(other))).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('differs exactly in the steps that a changed value reaches', async () => {
    const here = await sceneHere()
    // Each step adds two of what came before it, so that whom a change reaches is known beforehand.
    const parts = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 0, max: 2 }), async (reads, origin) => {
        const fields = ['run.input.f0', 'run.input.f1', 'run.input.f2']
        const reached = fields.map((_, index) => index === origin)
        const nodes: Record<string, JsonValue> = {}
        const edges: Record<string, JsonValue> = {}
        const expected: string[] = []
        for (const [at, pair] of reads.entries()) {
          const [left, right] = pair.map((place) => place % fields.length) as [number, number]
          nodes[`s${at}`] = {
            kind: 'transform',
            parameters: { expression: `${fields[left]} & "," & ${fields[right]}` },
          }
          if (at > 0)
            edges[`e${at}`] = {
              from: { node: `s${at - 1}`, port: 'out' },
              to: { node: `s${at}`, port: 'in' },
            }
          const isReached = reached[left] === true || reached[right] === true
          if (isReached) expected.push(`s${at}`)
          fields.push(`nodes.s${at}.output`)
          reached.push(isReached)
        }
        const input = { f0: 'a', f1: 'b', f2: 'c' }
        const comparison = await compared(
          here,
          [
            { nodes, edges },
            { nodes, edges },
          ],
          [input, { ...input, [`f${origin}`]: 'x' }],
        )
        const found = comparison.steps.filter(({ differences }) => differences.includes('output'))
        expect(found.map(({ nodeId }) => nodeId)).toEqual(expected)
      }),
      { numRuns: 25 },
    )
  })
})

describe('runs that are not there', () => {
  it('are refused by the engine that is asked', async () => {
    const refused: Asked = { call: () => Promise.reject(new Error('run_not_found')) }
    const ids = { before: runId('a'), after: runId('b') }
    await expect(loadComparison(refused, ids, taskSpecsByKind)).rejects.toThrow('run_not_found')
  })
})
