/** Patches are applied as Immer applies them, and where it won't. */

import fc from 'fast-check'
import { applyPatches, enablePatches, produceWithPatches } from 'immer'
import { expect, test } from 'vitest'
import { withPatches } from '../../src-renderer/commands/apply-patches.ts'

enablePatches()

type Data = { fields: Record<string, unknown>; list: unknown[]; deep: { list: unknown[] }[] }

const key = fc.constantFrom('a', 'b', 'length', '0')
const data: fc.Arbitrary<Data> = fc.record({
  fields: fc.dictionary(key, fc.jsonValue({ maxDepth: 1 })),
  list: fc.array(fc.integer(), { maxLength: 6 }),
  deep: fc.array(fc.record({ list: fc.array(fc.integer(), { maxLength: 4 }) }), { maxLength: 4 }),
})

test('what Immer does, done and taken back', () => {
  const change = fc.record({ kind: fc.nat(6), name: key, at: fc.nat(5), value: fc.integer() })
  fc.assert(
    fc.property(data, fc.array(change, { maxLength: 8 }), (before, changes) => {
      const [after, patches, inverse] = produceWithPatches(before, (draft) => {
        for (const { kind, name, at, value } of changes) {
          const inside = draft.deep[at % Math.max(1, draft.deep.length)]
          if (kind === 0) draft.fields[name] = value
          else if (kind === 1) Reflect.deleteProperty(draft.fields, name)
          else if (kind === 2) draft.list.splice(at, 1)
          else if (kind === 3) draft.list.splice(at, 0, value)
          else if (kind === 4) inside?.list.push(value)
          else if (kind === 5) draft.deep.splice(at, 1, { list: [value] })
          else draft.list.reverse()
        }
      })
      expect(withPatches(before, patches)).toEqual(after)
      expect(withPatches(after, inverse)).toEqual(before)
      expect(withPatches(before, patches)).toEqual(applyPatches(before, patches))
    }),
  )
})

test('a field may be called constructor or prototype, also on the way', () => {
  const before = { input: { constructor: { prototype: { title: 'A' } } }, other: {} }
  const [after, patches, inverse] = produceWithPatches(before, (draft) => {
    draft.input.constructor.prototype.title = 'B'
  })
  const done = withPatches(before, patches)
  expect(done).toEqual(after)
  expect(done.other).toBe(before.other)
  expect(withPatches(done, inverse)).toEqual(before)
})

test('what its object doesn’t have itself isn’t reached', () => {
  for (const path of [['constructor', 'name'], ['__proto__', 'own'], ['__proto__'], ['a', 'b']])
    expect(() => withPatches({ a: 1 }, [{ op: 'replace', path, value: 1 }])).toThrow('nothing at')
  expect(Reflect.get({}, 'own')).toBeUndefined()
})

test('a record that many patches change is copied once, and what was made is frozen', () => {
  const names = Array.from({ length: 50 }, (_, at) => `n${at}`)
  let copies = 0
  const before = {
    nodes: new Proxy(Object.fromEntries(names.map((name) => [name, { x: 1 }])), {
      ownKeys: (target) => {
        copies += 1
        return Reflect.ownKeys(target)
      },
    }),
    other: Object.freeze({}),
  }
  const patches = names.map((name) => ({ op: 'replace' as const, path: ['nodes', name, 'x'], value: 2 }))
  const after = withPatches(before, patches)
  expect(copies).toBe(1)
  expect([after.nodes['n0'], after.nodes['n49'], before.nodes['n0']]).toEqual([{ x: 2 }, { x: 2 }, { x: 1 }])
  expect([after, after.nodes, after.nodes['n7']].every(Object.isFrozen)).toBe(true)
  expect(after.other).toBe(before.other)
})
