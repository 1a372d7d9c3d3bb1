import jsonata from 'jsonata'
import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import type { CompletionMeans } from '../../src-renderer/forms/completion.ts'
import { completionsAt, dataPathAt, wantedAt } from '../../src-renderer/forms/completion.ts'
import { chain, secretEntry } from './factories.ts'

describe('what the end of an expression asks for', () => {
  test.for<[string, ReturnType<typeof wantedAt>]>([
    ['', { from: 0, typed: '', of: null }],
    ['inp', { from: 0, typed: 'inp', of: null }],
    ['input.', { from: 6, typed: '', of: 'input' }],
    ['input.cu', { from: 6, typed: 'cu', of: 'input' }],
    ['1 + input.lines[price > 3].', { from: 27, typed: '', of: 'input.lines[price > 3]' }],
    ['$sort(input.lines, $f)[0].s', { from: 26, typed: 's', of: '$sort(input.lines, $f)[0]' }],
    ['(input.a).b.', { from: 12, typed: '', of: '(input.a).b' }],
    ['{"x": input.`first name`.', { from: 25, typed: '', of: 'input.`first name`' }],
    ['input.`fir', { from: 6, typed: 'fir', of: 'input' }],
    ['$su', { from: 0, typed: '$su', of: null }],
    ['nodes.a.output.x & ', { from: 19, typed: '', of: null }],
    ['"inp', null],
    ['12', null],
    ['input ', null],
    ['$sum(input.lines)', null],
    ['input.lines[0] ', null],
    ['{ "paper": 7 }', null],
    ['$sum(', { from: 5, typed: '', of: null }],
  ])('%s', ([text, wanted]) => {
    expect(wantedAt(text)).toEqual(wanted)
  })
})

test.for<[string, string | null]>([
  ['return input.', 'input.'],
  ['if (input.rows[0].na', 'input.rows[0].na'],
  ['const a = vars?.x?.', 'vars?.x?.'],
  ['f(run.i', 'run.i'],
  ['input', null],
  ['my.input.', null],
  ['myinput.', null],
  ['input.rows.map(', null],
  ['"input. "', null],
])('code at the end of %s writes a path into the data: %s', ([line, path]) => {
  expect(dataPathAt(line)).toBe(path)
})

describe('what is offered', () => {
  const scope = {
    input: { customer: { 'first name': 'Ada', age: 7 }, lines: [{ sku: 'x' }, { sku: 'y', gift: true }] },
    nodes: { a: { output: { id: 1 } } },
  }
  const document = chain('a', 'b')
  const means = (node = 'b', vault: ReturnType<CompletionMeans['secrets']> = null): CompletionMeans => ({
    document: () => document,
    nodeId: node,
    secrets: () => vault,
    valueOf: async (text) => (await jsonata(text).evaluate(scope)) as JsonValue | undefined,
  })
  const labels = async (text: string) =>
    (await completionsAt(text, means()))?.options.map(({ label }) => label)

  test('fields of the value before the dot, with what is in them', async () => {
    const found = await completionsAt('input.customer.', means())
    expect(found).toEqual({
      from: 15,
      options: [
        { label: 'first name', apply: '`first name`', detail: '"Ada"', type: 'property' },
        { label: 'age', detail: '7', type: 'property' },
      ],
    })
  })

  test('names of the vault are offered where a secret may stand, and nowhere else', async () => {
    const token = { ...secretEntry('SHOP_TOKEN'), note: 'for the shop' }
    const vault = [token, secretEntry('OTHER')]
    const found = await completionsAt('secrets.SHOP', means('b', vault))
    expect(found?.options).toEqual([{ label: 'SHOP_TOKEN', detail: 'for the shop', type: 'property' }])
    const roots = await completionsAt('sec', means('b', vault))
    expect(roots?.options.map(({ label }) => label)).toEqual(['secrets'])
    expect(await completionsAt('secrets.', means())).toBeNull()
    expect(await completionsAt('sec', means())).toBeNull()
  })

  test('of a list, the fields of all that is in it; of what a filter leaves, only those', async () => {
    expect(await labels('input.lines.')).toEqual(['sku', 'gift'])
    expect(await labels("input.lines[sku = 'x'].")).toEqual(['sku'])
    expect(await labels('$filter(input.lines, function($l) { $l.gift }).')).toEqual(['sku', 'gift'])
  })

  test('other steps by name, and their output before they have one', async () => {
    expect(await labels('nodes.')).toEqual(['a'])
    expect(await labels('nodes.b.')).toEqual(['output'])
    expect(await labels('nodes.a.output.')).toEqual(['id'])
  })

  test('roots and functions where a name begins; item and loop only inside of maps and loops', async () => {
    expect(await labels('')).toEqual(['input', 'nodes', 'vars', 'run'])
    expect(await labels('$su')).toContain('$substring')
    const b = document.nodes[nodeId('b')]
    const inside = {
      ...document,
      nodes: { ...document.nodes, b: { kind: 'noop', ...b, parent: nodeId('a') } },
    }
    const found = await completionsAt('', { ...means(), document: () => inside })
    expect(found?.options.map(({ label }) => label)).toContain('item')
  })

  test('how the step came out, where a field is asked about that', async () => {
    const found = await completionsAt('', { ...means(), sees: 'error' })
    expect(found?.options.map(({ label }) => label)).toEqual(['error', 'input', 'nodes', 'vars', 'run'])
    const fields = await completionsAt('error.', {
      ...means(),
      sees: 'error',
      valueOf: async (text) => (text === 'error' ? { code: 'x', retryable: true } : undefined),
    })
    expect(fields?.options.map(({ label }) => label)).toEqual(['code', 'retryable'])
  })

  test('nothing for a name that stands there already', async () => {
    expect(await completionsAt('input.customer.age', means())).toBeNull()
  })
})
