/** A workflow whose call was written out gives what it gave before; what was extracted comes back as it was. */

import { expect, test } from 'vitest'
import { expand } from '../../../src-engine/model/extraction/expand.ts'
import { extract } from '../../../src-engine/model/extraction/extract.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { documentOf } from '../model/workflow-fixture.ts'
import { launched, outcome, partNames } from './extraction-scene.ts'
import { randomDataFlow, randomSelection } from './random-data-flow.ts'

const specs = taskSpecsByKind

/** What a run of it does, whatever its edges are called and wherever its steps stand. */
function meaning({ nodes, edges, settings, variables }: WorkflowDocument) {
  const ends = Object.values(edges).map(({ from, to }) => `${from.node}:${from.port}>${to.node}:${to.port}`)
  return { nodes, edges: ends.toSorted(), settings: settings ?? {}, variables }
}

test('what was extracted comes back as it was', async () => {
  let same = 0
  let others = 0
  const scene = await launched()
  for (let seed = 0; seed < 300; seed += 1) {
    const random = createRandomSource(`expand ${seed}`)
    const document = randomDataFlow(random)
    const extraction = extract(document, randomSelection(random, document), partNames)
    if (!extraction.ok) continue
    const { child, parent, step, results } = extraction.made
    const expansion = expand(parent, step, { child, specs })
    if (!expansion.ok) {
      // A number of ways out that only the run knows can be called, and not be drawn in one place.
      expect(expansion.refusal.code, `seed ${seed}`).toBe('end_not_certain')
      continue
    }
    // Where the last step stood for all of them: else one is added that collects what several gave.
    const isPlain = results.length === 0 && step in document.nodes && child.settings?.output === undefined
    if (isPlain) {
      expect(meaning(expansion.made.document), `seed ${seed}`).toEqual(meaning(document))
      same += 1
    } else {
      const kept = Object.keys(parent.nodes).filter((id) => id !== step)
      const before = await outcome(scene, document, kept)
      expect(await outcome(scene, expansion.made.document, kept), `seed ${seed}`).toEqual(before)
      others += 1
    }
  }
  expect(same).toBeGreaterThan(40)
  expect(others).toBeGreaterThan(20)
})

test('calls of any workflow give the same when they are written out', async () => {
  const scene = await launched()
  let made = 0
  for (let seed = 0; seed < 200; seed += 1) {
    const random = createRandomSource(`call ${seed}`)
    const child = randomDataFlow(random)
    scene.workflows.set('part', { document: child, folder: null })
    const input = random.pick(['', 'input', '{ "start": "there", "got": input }'])
    // Every other one is called as a step of the workflow that it calls.
    const last = random.pick(['c1', 'n1'])
    const caller = documentOf({
      id: 'caller',
      variables: { more: 'more' },
      nodes: {
        c0: { kind: 'transform', parameters: { expression: '{ "start": "first" }' } },
        call: { kind: 'sub-workflow', title: 'The part', parameters: { workflow: 'part', input } },
        [last]: {
          kind: 'transform',
          parameters: { expression: '{ "got": input, "read": nodes.call.output }' },
        },
      },
      edges: edgesBetween(['c0', 'call'], ['call', last]),
    })
    const expansion = expand(caller, nodeId('call'), { child, specs })
    if (!expansion.ok) {
      expect(['end_not_certain', 'name_taken'], `seed ${seed}`).toContain(expansion.refusal.code)
      continue
    }
    made += 1
    const before = await outcome(scene, caller, ['c0', 'call', last])
    expect(await outcome(scene, expansion.made.document, ['c0', 'call', last]), `seed ${seed}`).toEqual(
      before,
    )
  }
  expect(made).toBeGreaterThan(60)
})

function edgesBetween(...pairs: readonly (readonly [string, string])[]): JsonObject {
  return Object.fromEntries(
    pairs.map(([from, to]) => [
      `${from}-${to}`,
      { from: { node: from, port: 'out' }, to: { node: to, port: 'in' } },
    ]),
  )
}

const call = (parameters: JsonObject = {}, parts: JsonObject = {}): WorkflowDocument =>
  documentOf({
    variables: { rate: 1 },
    nodes: { call: { kind: 'sub-workflow', parameters: { workflow: 'part', ...parameters }, ...parts } },
  })

const small = (nodes: JsonObject, parts: JsonObject = {}): WorkflowDocument =>
  documentOf({ id: 'part', nodes, ...parts })

test.each([
  ['not_a_call', documentOf({ nodes: { call: { kind: 'noop' } } }), small({ a: { kind: 'noop' } })],
  ['not_waited_for', call({ mode: 'start' }), small({ a: { kind: 'noop' } })],
  ['has_policy', call({}, { retry: { maxAttempts: 3 } }), small({ a: { kind: 'noop' } })],
  ['no_steps', call(), small({})],
  ['unknown_kind', call(), small({ a: { kind: 'nobody-knows' } })],
  ['ends_the_run', call(), small({ a: { kind: 'stop' } })],
  ['values_differ', call(), small({ a: { kind: 'noop' } }, { variables: { rate: 2 } })],
  ['code_reads_run', call(), small({ a: { kind: 'javascript', parameters: { code: 'return run.id' } } })],
  ['reads_whole_run', call(), small({ a: { kind: 'transform', parameters: { expression: 'run' } } })],
  [
    'read_by_computed_name',
    call(),
    small({ a: { kind: 'transform', parameters: { expression: '$keys(nodes)' } } }),
  ],
  ['end_not_certain', call(), small({ a: { kind: 'noop', disabled: true } })],
  [
    'name_taken',
    documentOf({
      nodes: { call: { kind: 'sub-workflow', parameters: { workflow: 'part' } }, a: { kind: 'noop' } },
    }),
    small(
      { a: { kind: 'noop' }, b: { kind: 'noop' }, c: { kind: 'join' } },
      { edges: edgesBetween(['a', 'c'], ['b', 'c']) },
    ),
  ],
] as const)('says %s', (code, document, child) => {
  expect(expand(document, nodeId('call'), { child, specs })).toMatchObject({
    ok: false,
    refusal: { code },
  })
})
