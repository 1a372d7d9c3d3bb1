/** What of a workflow can become one of its own, what is handed over, and what speaks against it. */

import { describe, expect, test } from 'vitest'
import { extract } from '../../../src-engine/model/extraction/extract.ts'
import type { ExtractRefusalCode } from '../../../src-engine/model/extraction/selection-shape.ts'
import { nodeId, workflowId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'

const names = {
  id: workflowId('part'),
  title: 'Part',
  reference: './part.json',
  specs: taskSpecsByKind,
}

const made = (document: WorkflowDocument, ...ids: readonly string[]) => {
  const extraction = extract(document, ids.map(nodeId), names)
  if (!extraction.ok) throw new Error(`${extraction.refusal.code}: ${extraction.refusal.nodes.join()}`)
  return extraction.made
}

const says = (expression: string, parts: JsonObject = {}): JsonObject => ({
  kind: 'transform',
  parameters: { expression },
  ...parts,
})
const noop = { kind: 'noop' }

describe('what is made', () => {
  test('steps in a chain: nothing has to be handed over', () => {
    const document = documentOf({
      nodes: {
        a: noop,
        b: says('input.x', { title: 'Second' }),
        c: says('nodes.b.output'),
        d: says('nodes.c.output'),
      },
      edges: edgesOf('a>b', 'b>c', 'c>d'),
      layout: {
        nodes: { a: { x: 0, y: 0 }, b: { x: 300, y: 0 }, c: { x: 600, y: 100 }, d: { x: 900, y: 0 } },
      },
    })
    const { child, parent, step, reads, results } = made(document, 'b', 'c')
    expect(step).toBe('c')
    expect(parent.nodes).toEqual({
      a: noop,
      c: { kind: 'sub-workflow', title: 'Part', parameters: { workflow: './part.json' } },
      d: says('nodes.c.output'),
    })
    expect(Object.values(parent.edges).map(({ from, to }) => `${from.node}>${to.node}`)).toEqual([
      'a>c',
      'c>d',
    ])
    expect(parent.layout?.nodes).toEqual({ a: { x: 0, y: 0 }, d: { x: 900, y: 0 }, c: { x: 450, y: 50 } })
    expect(child).toMatchObject({ id: 'part', title: 'Part', nodes: { b: { title: 'Second' }, c: {} } })
    expect(child.settings).toBeUndefined()
    expect({ reads, results }).toEqual({
      reads: { nodes: [], item: false, loop: false, run: false, vars: false },
      results: [],
    })
  })

  test('what they read of the rest is handed over, and read where it then lies', () => {
    const document = documentOf({
      variables: { rate: 2 },
      nodes: {
        'a-1': noop,
        b: noop,
        c: {
          kind: 'http-request',
          parameters: {
            method: 'POST',
            url: 'https://shop.example/{{ nodes.`a-1`.output.id }}',
            body: '{{ input }}',
          },
          compensation: { task: { kind: 'log', parameters: { message: 'undo {{ run.input.order }}' } } },
        },
        d: says('input.total * vars.rate + $sum(nodes.`a-1`.output.rows[nodes > 3].price)'),
      },
      edges: edgesOf('a-1>b', 'b>c', 'c>d'),
    })
    const { child, parent, step } = made(document, 'c', 'd')
    expect(parent.nodes[step]?.parameters?.['input']).toBe(
      '{ "input": input, "nodes": { "a-1": { "output": nodes.`a-1`.output } }, "run": run }',
    )
    expect(child.variables).toEqual({ rate: 2 })
    expect(child.nodes).toMatchObject({
      arrived: says('input.input'),
      c: {
        parameters: {
          url: 'https://shop.example/{{ run.input.nodes.`a-1`.output.id }}',
          body: '{{ input }}',
        },
        compensation: { task: { parameters: { message: 'undo {{ run.input.run.input.order }}' } } },
      },
      d: says('input.total * vars.rate + $sum(run.input.nodes.`a-1`.output.rows[nodes > 3].price)'),
    })
    expect(Object.values(child.edges).map(({ from, to }) => `${from.node}>${to.node}`)).toEqual([
      'c>d',
      'arrived>c',
    ])
  })

  test('what others read of their insides is handed back', () => {
    const document = documentOf({
      nodes: {
        a: noop,
        b: noop,
        c: says('1', { title: 'Sum' }),
        d: says('nodes.b.output.x & nodes.c.output'),
      },
      edges: edgesOf('a>b', 'b>c', 'c>d'),
      settings: { output: '{ "b": nodes.b.output }' },
    })
    const { child, parent, step, results } = made(document, 'b', 'c')
    expect(results).toEqual(['b', 'c'])
    expect(child.settings?.output).toBe('{ "b": nodes.b.output, "c": nodes.c.output }')
    expect(parent.nodes).toMatchObject({
      [step]: { kind: 'sub-workflow' },
      c: says('input.c', { title: 'Sum' }),
      d: says('nodes.extracted.output.b.x & nodes.c.output'),
    })
    expect(parent.settings?.output).toBe('{ "b": nodes.extracted.output.b }')
  })

  test('steps of a map stay in it, and get its item', () => {
    const document = documentOf({
      nodes: {
        each: { kind: 'map', parameters: { items: 'input' } },
        a: { ...noop, parent: 'each' },
        b: says('item.name', { parent: 'each' }),
        inner: { kind: 'map', parameters: { items: 'input' }, parent: 'each' },
        c: says('item.name & loop.index', { parent: 'inner' }),
      },
      edges: edgesOf('a>b', 'b>inner'),
    })
    const { child, parent, reads } = made(document, 'b', 'inner')
    expect(reads).toMatchObject({ item: true, loop: true })
    expect(parent.nodes).toMatchObject({ inner: { kind: 'sub-workflow', parent: 'each' } })
    expect(child.nodes).toMatchObject({
      b: says('run.input.item.name'),
      c: says('item.name & run.input.loop.index', { parent: 'inner' }),
    })
    expect(child.nodes[nodeId('b')]).not.toHaveProperty('parent')
  })

  test('who undoes them, their groups, frames, notes and mocks come along', () => {
    const document = documentOf({
      nodes: {
        a: noop,
        pay: { ...noop, compensation: { node: 'refund' }, mocks: { slow: { output: 1 } } },
        refund: noop,
        z: noop,
      },
      edges: edgesOf('a>pay', 'pay>z'),
      sagaScopes: { own: { nodes: ['pay'] }, all: { nodes: ['a', 'pay'] } },
      frames: {
        own: { title: 'Pay', nodes: ['pay', 'refund'], notes: ['n'] },
        all: { title: 'All', nodes: ['a', 'z'] },
      },
      notes: { n: { text: 'careful' }, m: { text: 'stays' } },
      mockSets: { slow: { title: 'Slow' } },
      settings: { rollbackOn: ['failed'], timeoutMs: 5 },
    })
    const { child, parent } = made(document, 'pay')
    expect(child).toMatchObject({
      nodes: { pay: { compensation: { node: 'refund' } }, refund: {} },
      sagaScopes: { own: { nodes: ['pay'] } },
      frames: { own: { nodes: ['pay', 'refund'] } },
      notes: { n: { text: 'careful' } },
      mockSets: { slow: { title: 'Slow' } },
      settings: { rollbackOn: ['failed'] },
    })
    expect(Object.keys(parent.nodes)).toEqual(['a', 'pay', 'z'])
    expect(parent).toMatchObject({
      sagaScopes: { all: { nodes: ['a', 'pay'] } },
      frames: { all: { nodes: ['a', 'z'] } },
      notes: { m: { text: 'stays' } },
      settings: { rollbackOn: ['failed'], timeoutMs: 5 },
    })
    expect(Object.keys(parent.sagaScopes ?? {})).toEqual(['all'])
  })

  test('a join waits in the workflow that calls', () => {
    const document = documentOf({
      nodes: { a: noop, b: noop, c: { kind: 'join', join: { mode: 'any' } }, d: noop },
      edges: edgesOf('a>c', 'b>c', 'c>d'),
    })
    const { child, parent } = made(document, 'c')
    expect(parent.nodes[nodeId('c')]).toMatchObject({ kind: 'sub-workflow', join: { mode: 'any' } })
    expect(child.nodes[nodeId('c')]).toEqual({ kind: 'join' })
  })
})

const branches = { kind: 'if', parameters: { condition: 'true' } }

test.each<readonly [ExtractRefusalCode, JsonObject, readonly string[], readonly string[]]>([
  ['nothing_selected', {}, [], []],
  ['several_levels', { nodes: { m: { kind: 'map' }, a: { ...noop, parent: 'm' }, b: noop } }, [], ['a', 'b']],
  ['unknown_kind', { nodes: { a: { kind: 'nobody-knows' } } }, [], ['a']],
  [
    'leaves_its_loop',
    { nodes: { w: { kind: 'loop' }, a: { ...noop, parent: 'w' }, b: { kind: 'break-loop', parent: 'w' } } },
    ['a>b'],
    ['a', 'b'],
  ],
  [
    'several_ways_in',
    { nodes: { a: noop, b: noop, j: { kind: 'join', parameters: { gather: 'list' } }, c: noop } },
    ['a>j', 'b>j', 'j>c'],
    ['j', 'c'],
  ],
  ['ends_the_run', { nodes: { a: noop, b: { kind: 'stop' } } }, ['a>b'], ['a', 'b']],
  [
    'several_ways_in',
    { nodes: { a: noop, b: noop, c: noop, d: noop } },
    ['a>b', 'a>c', 'c>d', 'b>d'],
    ['c', 'd'],
  ],
  ['several_ways_in', { nodes: { i: branches, a: noop, b: noop } }, ['i:true>a', 'i:false>b'], ['a', 'b']],
  ['several_ways_out', { nodes: { a: noop, b: noop, c: noop, d: noop } }, ['a>b', 'a>c', 'b>d'], ['a', 'b']],
  ['way_out_by_port', { nodes: { i: branches, a: noop, b: noop } }, ['i:true>a', 'i:false>b'], ['i']],
  ['way_out_by_port', { nodes: { a: noop, b: noop } }, ['a:error>b'], ['a']],
  ['way_back_in', { nodes: { a: noop, b: noop, c: noop } }, ['a>b', 'b>c', 'a>c'], ['a', 'c']],
  [
    'end_not_certain',
    { nodes: { i: branches, a: noop, b: noop }, settings: { output: '1' } },
    ['i:true>a', 'a>b'],
    ['i', 'a'],
  ],
  ['undone_elsewhere', { nodes: { a: { ...noop, compensation: { node: 'u' } }, u: noop } }, [], ['u']],
  [
    'undone_elsewhere',
    {
      nodes: {
        a: { ...noop, compensation: { node: 'u' } },
        b: { ...noop, compensation: { node: 'u' } },
        u: noop,
      },
    },
    ['a>b'],
    ['a'],
  ],
  [
    'group_cut',
    { nodes: { a: noop, b: noop, c: noop }, sagaScopes: { s: { nodes: ['a', 'b'] } } },
    ['a>b', 'b>c'],
    ['b', 'c'],
  ],
  ['read_by_computed_name', { nodes: { a: noop, b: says('nodes[x]') } }, ['a>b'], ['b']],
  ['read_by_computed_name', { nodes: { a: noop, b: says('$keys(nodes)') } }, ['a>b'], ['a']],
  ['reads_whole_step', { nodes: { a: noop, b: noop, c: says('nodes.a') } }, ['a>b', 'b>c'], ['a', 'b']],
  ['reads_later_step', { nodes: { a: says('nodes.b.output'), b: noop } }, ['a>b'], ['a']],
  [
    'code_reads_run',
    { nodes: { a: { kind: 'javascript', parameters: { code: 'return run.id' } }, b: noop } },
    ['a>b'],
    ['a'],
  ],
  ['result_changes', { nodes: { a: noop, b: noop, c: noop } }, ['a>b', 'a>c'], ['a', 'b']],
])('says %s', (...row) => {
  const [code, parts, edges, chosen] = row
  const document = documentOf({ ...parts, edges: edgesOf(...edges) })
  expect(extract(document, chosen.map(nodeId), names)).toMatchObject({ ok: false, refusal: { code } })
})
