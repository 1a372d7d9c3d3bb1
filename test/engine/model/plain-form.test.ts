import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPlainEdge, isPlainNode, isPlainPlace } from '../../../src-engine/model/plain-form.ts'
import { parseDocument } from '../../../src-engine/model/read-document.ts'
import { skeletonSchema, workflowSchema } from '../../../src-engine/model/workflow-schema.ts'

const text = fc.constantFrom('', 'a', 'noop', 'n-1')
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.integer(),
  fc.constantFrom({}, { a: 1 }, [], ['a']),
)
const id = fc.constantFrom('n1', 'a_b-c', '', '-a', 'constructor', 'a/b', 'x'.repeat(128), 'x'.repeat(129))
const nodeFields = [
  'kind',
  'title',
  'note',
  'color',
  'parameters',
  'pool',
  'parent',
  'disabled',
  'bypassed',
  'join',
  'tags',
  'onError',
  'unknown',
]
const fields = (names: readonly string[], of: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...names), of, { maxKeys: 4, noNullPrototype: true })
const node = fc.oneof(
  value,
  fields(nodeFields, value).map((rest) => ({ kind: 'noop', ...rest })),
)
const end = fc.oneof(
  value,
  fields(['node', 'port', 'unknown'], value).map((rest) => ({ node: 'n1', port: 'out', ...rest })),
)
const edge = fc.oneof(
  value,
  fields(['from', 'to', 'label', 'unknown'], fc.oneof(end, value)).map((rest) => ({
    from: { node: 'a', port: 'out' },
    to: { node: 'b', port: 'in' },
    ...rest,
  })),
)

const place = fc.oneof(
  value,
  fields(['x', 'y', 'byHand', 'unknown'], fc.oneof(value, fc.double())).map((rest) => ({
    x: 0,
    y: 0.5,
    ...rest,
  })),
)

const fits = (parts: object): boolean => {
  const head = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'W' }
  const document = { ...head, nodes: {}, edges: {}, ...parts }
  return [workflowSchema, skeletonSchema].every((schema) => schema.safeParse(document).success)
}

test('what has a plain form fits the schema, whatever it is made of', () => {
  const seen = { nodes: 0, edges: 0, places: 0 }
  fc.assert(
    fc.property(id, fc.tuple(node, edge, place), (name, [someNode, someEdge, somePlace]) => {
      if (isPlainNode(name, someNode)) {
        seen.nodes += 1
        expect(fits({ nodes: { [name]: someNode } })).toBe(true)
      }
      if (isPlainEdge(name, someEdge)) {
        seen.edges += 1
        expect(fits({ edges: { [name]: someEdge } })).toBe(true)
      }
      if (isPlainPlace(somePlace)) {
        seen.places += 1
        expect(fits({ layout: { nodes: { [name]: somePlace } } })).toBe(true)
      }
    }),
    { numRuns: 2_000 },
  )
  expect(seen.nodes).toBeGreaterThan(20)
  expect(seen.edges).toBeGreaterThan(20)
  expect(seen.places).toBeGreaterThan(20)
})

test('a place that isn’t plain is left to the schema, which names what is wrong with it', () => {
  const places = {
    a: { x: 1, y: 2 },
    b: { x: 1, y: 2, byHand: true },
    c: { x: 'far', y: 2 },
    d: { x: 1, y: 2, z: 3 },
  }
  expect(Object.values(places).map(isPlainPlace)).toEqual([true, true, false, false])
  const json = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'W', nodes: {}, edges: {} }
  const parsed = parseDocument({ ...json, layout: { nodes: places, other: 1 } })
  expect(parsed.ok && parsed.value.problems.map(({ field }) => field)).toEqual(['layout.nodes.c.x'])
  // What was left out for the schema is there for everybody else.
  expect(parsed.ok && parsed.value.document.layout).toEqual({ nodes: places, other: 1 })
})

test('nodes and edges as they mostly are have a plain form', () => {
  const parameters = { url: '{{ input.url }}', headers: [{ name: 'a', value: 'b' }] }
  expect(isPlainNode('n1', { kind: 'http-request', title: 'Fetch', parameters, disabled: true })).toBe(true)
  expect(isPlainEdge('e1', { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } })).toBe(true)
  expect(isPlainNode('n1', { kind: 'noop', retry: { maxAttempts: 0 } })).toBe(false)
  expect(isPlainEdge('e1', { from: { node: 'a', port: '' }, to: { node: 'b', port: 'in' } })).toBe(false)
})
