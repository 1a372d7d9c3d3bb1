/** Which steps are not as they were published: those that mean something else, not those that were moved or named. */

import { expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { addNode } from '../../src-renderer/commands/add-node.ts'
import { changeNode, setParameters } from '../../src-renderer/commands/change-node.ts'
import { move } from '../../src-renderer/commands/move.ts'
import { openPath } from '../../src-renderer/state/files.ts'
import { startTriggers } from '../../src-renderer/state/follow-triggers.ts'
import { startTabs } from '../../src-renderer/state/tabs/tab-session.ts'
import { chain } from './factories.ts'
import { newMachine, openPage, putFile, settled } from './fake-designer.ts'

/** Layout and titles are no part of it. */
const meaning = ({ nodes, edges }: WorkflowDocument): string =>
  JSON.stringify([nodes, edges], (key, value: unknown) => (key === 'title' ? undefined : value))

async function published() {
  const machine = newMachine()
  const document = { ...chain('a', 'b'), title: 'One' } as WorkflowDocument
  putFile(machine, '/w/One.json', document)
  Object.assign(machine.methods, {
    'triggers.list': () => ({ triggers: [{ triggerId: 't', definitionHash: meaning(document) }] }),
    'workflows.validate': (input: { readonly document: WorkflowDocument }) => ({
      hash: meaning(input.document),
    }),
    'workflows.version': () => ({ document }),
  })
  const { designer, pass } = openPage(machine)
  startTriggers(designer)
  await startTabs(designer)
  await openPath(designer, '/w/One.json')
  const looked = async (): Promise<readonly string[]> => {
    for (let turn = 0; turn < 3; turn += 1) {
      await pass()
      await settled()
    }
    return [...designer.triggers.getState().changed].toSorted()
  }
  return { designer, looked }
}

test('changed and new ones are, until they are as before', async () => {
  const { designer, looked } = await published()
  const { edit, undo } = designer.document.getState()
  expect(await looked()).toEqual([])
  edit(move({ nodes: { a: { x: 5, y: 5 } }, notes: {} }))
  edit(changeNode(nodeId('a'), { title: 'Another name' }))
  expect(await looked()).toEqual([])
  edit(setParameters(nodeId('b'), { x: 1 }))
  expect(await looked()).toEqual(['b'])
  undo()
  expect(await looked()).toEqual([])
  edit(
    addNode({
      id: nodeId('c'),
      node: { kind: 'noop' },
      title: 'C',
      at: { x: 0, y: 200 },
      hasInput: true,
      outPort: 'out',
    }),
  )
  expect(await looked()).toEqual(['c'])
})
