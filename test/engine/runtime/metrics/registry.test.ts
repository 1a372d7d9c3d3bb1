import { expect, test } from 'vitest'
import { createRegistry } from '../../../../src-engine/runtime/metrics/registry.ts'
import { parseMetrics } from './parse-metrics.ts'

test('each family has its help, its type and its samples, by name', () => {
  const registry = createRegistry()
  const { counter, gauge } = registry
  counter({ name: 'b_total', help: 'Second.' }).add(2)
  gauge({ name: 'a', help: 'First.', read: () => 1.5 })
  expect(registry.text()).toBe(
    '# HELP a First.\n# TYPE a gauge\na 1.5\n# HELP b_total Second.\n# TYPE b_total counter\nb_total 2\n',
  )
})

test('help and label values survive whatever is in them', () => {
  const registry = createRegistry()
  const value = 'a "quoted" \\ back\nslash'
  registry.counterBy({ name: 'odd_total', help: 'Two\nlines \\ here.', label: 'reason' })(value).add()
  const { families } = parseMetrics(registry.text())
  expect(families.get('odd_total')).toMatchObject({ help: 'Two\nlines \\ here.', type: 'counter' })
  expect(families.get('odd_total')?.samples).toEqual([
    { name: 'odd_total', labels: { reason: value }, value: 1 },
  ])
})

test('buckets of a histogram add up to its count', () => {
  const registry = createRegistry()
  const { observe, count } = registry.histogram({ name: 'h', help: 'H.', bounds: [0.1, 1, 10] })
  for (const value of [0.1, 0.5, 0.5, 5, 50]) observe(value)
  const samples = parseMetrics(registry.text()).families.get('h')?.samples ?? []
  expect(samples.map(({ labels, value }) => [labels['le'] ?? null, value])).toEqual([
    ['0.1', 1],
    ['1', 3],
    ['10', 4],
    ['+Inf', 5],
    [null, 56.1],
    [null, 5],
  ])
  expect(count()).toBe(5)
})

test('a label that holds ids by mistake does not fill the memory', () => {
  const registry = createRegistry()
  const by = registry.counterBy({ name: 'c_total', help: 'C.', label: 'id' })
  for (let id = 0; id < 1_000; id += 1) by(`id-${id}`).add()
  const samples = parseMetrics(registry.text()).families.get('c_total')?.samples ?? []
  expect(samples.length).toBeLessThanOrEqual(201)
  expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(1_000)
})

test('a name that is taken or can’t be one is a bug', () => {
  const { counter } = createRegistry()
  counter({ name: 'a_total', help: 'A.' })
  expect(() => counter({ name: 'a_total', help: 'A.' })).toThrow('a_total')
  expect(() => counter({ name: 'a-b', help: 'A.' })).toThrow('a-b')
})
