/** Where nodes may stand: inside of maps and loops, without circles and without crossing edges. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { isRunnable, validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from './workflow-fixture.ts'

const problemsOf = (parts: JsonObject) => validateWorkflow(documentOf(parts), taskSpecsByKind)
const codesOf = (parts: JsonObject) => problemsOf(parts).map(({ code }) => code)
const map = { kind: 'map', parameters: { items: '[1]' } }
const within = (parent: string, more: JsonObject = {}): JsonObject => ({ kind: 'noop', parent, ...more })

describe('bodies', () => {
  test('a map with a step inside is sound, a loop in it too', () => {
    const nodes = {
      each: map,
      again: { kind: 'loop', parent: 'each' },
      step: within('again'),
      end: { kind: 'noop' },
    }
    expect(codesOf({ nodes, edges: edgesOf('each>end') })).toEqual([])
  })

  test.each([
    ['unknown_parent', { each: map, in: within('each'), a: within('gone') }],
    ['parent_not_container', { a: { kind: 'noop' }, b: within('a') }],
    ['empty_body', { each: map }],
  ])('%s', (code, nodes) => {
    const problems = problemsOf({ nodes })
    expect(problems.map((problem) => problem.code)).toEqual([code])
    expect(isRunnable(problems)).toBe(false)
  })

  test.each(['break-loop', 'next-turn'])('%s stands inside of a loop, however deep', (kind) => {
    const leave = (parent?: string): JsonObject => ({ kind, ...(parent === undefined ? {} : { parent }) })
    expect(codesOf({ nodes: { leave: leave() } })).toEqual(['not_in_a_loop'])
    expect(codesOf({ nodes: { each: map, leave: leave('each') } })).toEqual(['not_in_a_loop'])
    expect(codesOf({ nodes: { again: { kind: 'loop' }, leave: leave('again') } })).toEqual([])
    const deep = { again: { kind: 'loop' }, each: { ...map, parent: 'again' }, leave: leave('each') }
    expect(codesOf({ nodes: deep })).toEqual([])
  })

  test('containers that contain each other are told, and nothing loops', () => {
    const nodes = {
      a: { ...map, parent: 'b' },
      b: { kind: 'loop', parent: 'a' },
      c: within('b', { parameters: {}, notes: 'inside' }),
      d: { kind: 'transform', parent: 'b', parameters: { expression: 'nodes.c.output' } },
    }
    const problems = problemsOf({ nodes })
    const inCircle = problems.filter(({ code }) => code === 'parent_circle')
    expect(inCircle.map(({ nodeId }) => nodeId).sort((x, y) => String(x).localeCompare(String(y)))).toEqual([
      'a',
      'b',
    ])
    expect(codesOf({ nodes: { a: { ...map, parent: 'a' } } })).toContain('parent_circle')
  })

  test('no edge crosses a border, in either direction', () => {
    const nodes = { before: { kind: 'noop' }, each: map, step: within('each'), after: { kind: 'noop' } }
    const problems = problemsOf({ nodes, edges: edgesOf('before>step', 'step>after', 'each>step') })
    expect(problems.filter(({ code }) => code === 'edge_crosses_body')).toHaveLength(3)
  })

  test('steps inside read what comes before their map; the output reads the map, not its steps', () => {
    const nodes = {
      before: { kind: 'noop' },
      each: map,
      step: { kind: 'transform', parent: 'each', parameters: { expression: 'nodes.before.output' } },
    }
    const edges = edgesOf('before>each')
    expect(codesOf({ nodes, edges, settings: { output: 'nodes.each.output' } })).toEqual([])
    expect(codesOf({ nodes, edges, settings: { output: 'nodes.step.output' } })).toEqual([
      'reference_into_body',
    ])
  })
})
