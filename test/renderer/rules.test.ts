import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { changeNode } from '../../src-renderer/commands/change-node.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { mayConnect } from '../../src-renderer/rules/connection.ts'
import { chain, edgeOf, link } from './factories.ts'

const specs = taskSpecsByKind
const three = chain('a', 'b', 'c')
const codeOf = (verdict: ReturnType<typeof mayConnect>): string =>
  verdict === true ? 'allowed' : verdict.code

describe('connection rule', () => {
  test.for([
    ['a', 'c', 'out', 'allowed'],
    ['a', 'c', 'error', 'allowed'],
    ['a', 'b', 'out', 'already'],
    ['a', 'a', 'out', 'itself'],
    ['c', 'a', 'out', 'cycle'],
    ['a', 'c', 'nonsense', 'no-such-port'],
    ['a', 'gone', 'out', 'unknown-node'],
  ] as const)('%s to %s by %s: %s', ([from, to, port, code]) => {
    expect(codeOf(mayConnect(three, link(from, to, port), { specs }))).toBe(code)
  })

  test('an edge in the hand does not stand in its own way', () => {
    expect(mayConnect(three, link('c', 'a'), { specs, replacing: edgeOf('b', 'c') })).toBe(true)
    expect(mayConnect(three, link('a', 'b'), { specs, replacing: edgeOf('a', 'b') })).toBe(true)
  })

  test('an unknown kind keeps whatever ports it is used with', () => {
    const { document } = applyEdit(three, changeNode(nodeId('a'), { title: 'x' }))
    const foreign = { ...document, nodes: { ...document.nodes, [nodeId('a')]: { kind: 'from-elsewhere' } } }
    expect(mayConnect(foreign, link('a', 'c', 'whatever'), { specs })).toBe(true)
  })
})
