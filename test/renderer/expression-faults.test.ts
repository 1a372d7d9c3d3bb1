/** An expression that can't be read is a problem of the document, wherever in it and whichever step is looked at. */

import { expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { checkedExpressionsMax } from '../../src-engine/model/limits.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { changeNode } from '../../src-renderer/commands/change-node.ts'
import { createExpressionFaults } from '../../src-renderer/state/expression-faults.ts'
import { openPath } from '../../src-renderer/state/files.ts'
import { startTabs } from '../../src-renderer/state/tabs/tab-session.ts'
import { startValidation } from '../../src-renderer/state/validation.ts'
import { chain } from './factories.ts'
import { newMachine, openPage, putFile, settled } from './fake-designer.ts'

/** A machine on which everything with `?(` in it can't be read, and what it was asked. */
function machineWithGrammar() {
  const machine = newMachine()
  const asked: (readonly string[])[] = []
  Object.assign(machine.methods, {
    'expressions.check': ({ expressions }: { readonly expressions: readonly string[] }) => {
      asked.push(expressions)
      return {
        faults: expressions.map((text) => (text.includes('?(') ? { message: 'Lost.', position: 0 } : null)),
      }
    },
  })
  return { machine, asked }
}

test('the engine is asked once about each, and the document has the problem until it is mended', async () => {
  const { machine, asked } = machineWithGrammar()
  const { nodes, ...rest } = chain('a', 'b')
  const transform = (expression: string) => ({ kind: 'transform', parameters: { expression } })
  const broken = { ...nodes, a: transform('input.x'), b: transform('input?(') }
  putFile(machine, '/w/one.json', { ...rest, nodes: broken })
  const { designer, pass } = openPage(machine, taskSpecsByKind)
  await startTabs(designer)
  startValidation(designer)
  await openPath(designer, '/w/one.json')
  const codes = async () => {
    for (let turn = 0; turn < 4; turn += 1) await pass()
    return designer.document.getState().problems.map(({ code, nodeId: node }) => `${node}: ${code}`)
  }
  expect(await codes()).toEqual(['b: expression_invalid'])
  designer.document.getState().edit(changeNode(nodeId('b'), { parameters: { expression: 'input.y' } }))
  expect(await codes()).toEqual([])
  expect(asked.flat()).toEqual(['input.x', 'input?(', 'input.y'])
})

test('many are asked about a few at a time, and again where the engine was away', async () => {
  const { machine, asked } = machineWithGrammar()
  const faults = createExpressionFaults(openPage(machine).designer)
  const texts = Array.from({ length: checkedExpressionsMax + 1 }, (_, at) => `x${at}`)
  const checkAll = () => texts.map(faults.check)
  machine.isUp = false
  checkAll()
  await expect(faults.ask()).rejects.toThrow('away')
  machine.isUp = true
  checkAll()
  expect(await faults.ask()).toBe(false)
  expect(asked.map(({ length }) => length)).toEqual([checkedExpressionsMax, 1])
  checkAll()
  await faults.ask()
  await settled()
  expect(asked).toHaveLength(2)
})
