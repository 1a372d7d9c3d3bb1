/** Thousands of edits as a person makes them, restarts in between: undoing all of them gives the first document. */

import { expect, test } from 'vitest'
import { canonicalDocument } from '../../src-engine/model/canonical-document.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { addNode } from '../../src-renderer/commands/add-node.ts'
import { changeNode, setParameters } from '../../src-renderer/commands/change-node.ts'
import { changeWorkflow } from '../../src-renderer/commands/change-workflow.ts'
import { connect } from '../../src-renderer/commands/connect.ts'
import { move } from '../../src-renderer/commands/move.ts'
import { freeNodeId } from '../../src-renderer/commands/new-ids.ts'
import { addNote, changeNote } from '../../src-renderer/commands/notes.ts'
import { appCommands, runCommand } from '../../src-renderer/commands/registry.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { openPath } from '../../src-renderer/state/files.ts'
import { startJournal } from '../../src-renderer/state/journal.ts'
import { startTabs } from '../../src-renderer/state/tabs/tab-session.ts'
import { chain } from './factories.ts'
import type { FakeDesigner } from './fake-designer.ts'
import { newMachine, openPage, putFile, settled } from './fake-designer.ts'

const editCount = 10_000
/** More nodes than these are cut down: what is tested is the number of edits. */
const nodesMax = 60
/** Commands that need a clipboard or a drawn canvas, that begin something, or that only look. */
const left = [
  'edit.cut',
  'edit.copy',
  'edit.paste',
  'edit.tidy',
  'edit.tidyAll',
  'edit.rename',
  'view.find',
  'canvas.jump',
  'canvas.lasso',
]

const commands = appCommands
  .filter(({ group, id }) => ['Edit', 'Arrange', 'Select'].includes(group) && !left.includes(id))
  .map(({ id }) => id)

/** Numbers from 0 to below 1, the same ones for a seed (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One edit, or one press on a key; each says what it did. */
function edits(designer: Designer, random: () => number): void {
  const { document, view } = designer
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const shown = document.getState().history.document
  const ids = Object.keys(shown.nodes).map(nodeId)
  const [one, other] = [pick(ids), pick(ids)]
  const { edit, endGesture } = document.getState()
  const at = { x: Math.round(random() * 2_000), y: Math.round(random() * 1_000) }
  const add = (): void => {
    const id = freeNodeId('noop', new Set(Object.keys(shown.nodes)))
    const node = { kind: pick(['noop', 'if', 'map', 'log']) ?? 'noop', parameters: {} }
    const attach =
      one !== undefined && random() < 0.5
        ? { kind: 'after' as const, from: { node: one, port: 'out' } }
        : { kind: 'none' as const }
    edit(addNode({ id, node, at, title: 'a step', outPort: 'out', hasInput: true }, attach))
  }
  if (one === undefined || other === undefined) return add()
  const choices: readonly (() => void)[] = [
    add,
    () => edit(changeNode(one, { title: `t${Math.floor(random() * 99)}` })),
    () =>
      edit(
        setParameters(
          one,
          { message: 'x'.repeat(Math.floor(random() * 9)), deep: { list: [random()] } },
          'message',
        ),
      ),
    () => edit(move({ nodes: { [one]: at }, notes: {} }, { gesture: 'arrows' })),
    () => edit(connect({ from: { node: one, port: 'out' }, to: { node: other, port: 'in' } })),
    () => edit(addNote({ id: `n${Math.floor(random() * 9)}`, text: 'a', at })),
    () => edit(changeNote(`n${Math.floor(random() * 9)}`, `b${random()}`)),
    () => edit(changeWorkflow({ title: `w${Math.floor(random() * 9)}` })),
    endGesture,
  ]
  if (ids.length > nodesMax) {
    view.getState().select({ nodes: ids.slice(0, ids.length / 2) })
    return void runCommand(designer, 'edit.delete')
  }
  if (random() < 0.6) return pick(choices)?.()
  view.getState().select({ nodes: ids.filter(() => random() < 0.2) })
  runCommand(designer, pick(commands) ?? '')
}

test.for([1, 2])('edits and restarts, seed %i', { timeout: 180_000 }, async (seed) => {
  const random = numbersOf(seed)
  const machine = newMachine()
  const first = chain('a', 'b', 'c')
  putFile(machine, '/w/one.json', first)
  putFile(machine, '/w/two.json', { ...first, title: 'Another' })
  const begin = async (): Promise<FakeDesigner> => {
    const page = openPage(machine, taskSpecsByKind)
    await startTabs(page.designer)
    startJournal(page.designer)
    return page
  }
  let page = await begin()
  await openPath(page.designer, '/w/one.json')
  let texts = ''
  for (let count = 0; count < editCount; count += 1) {
    edits(page.designer, random)
    if (random() < 0.02) await page.pass()
    if (random() < 0.001) await openPath(page.designer, '/w/two.json')
    if (random() < 0.01) await openPath(page.designer, '/w/one.json')
    if (page.designer.document.getState().path !== '/w/one.json') await openPath(page.designer, '/w/one.json')
    if (random() < 0.0005) {
      await page.pass()
      texts = canonicalDocument(page.designer.document.getState().history.document)
      page = await begin()
      expect(canonicalDocument(page.designer.document.getState().history.document)).toBe(texts)
    }
  }
  await page.pass()
  const last = page.designer.document.getState().history
  expect(last.past.length).toBeGreaterThan(1_000)
  page = await begin()
  expect(page.designer.document.getState().history.past).toHaveLength(last.past.length)
  const { undo } = page.designer.document.getState()
  for (let steps = last.past.length; steps > 0; steps -= 1) undo()
  expect(page.designer.document.getState().history.past).toEqual([])
  expect(canonicalDocument(page.designer.document.getState().history.document)).toBe(canonicalDocument(first))

  // And all of it is done again, over another restart.
  await page.pass()
  page = await begin()
  for (let steps = last.past.length; steps > 0; steps -= 1) page.designer.document.getState().redo()
  expect(canonicalDocument(page.designer.document.getState().history.document)).toBe(
    canonicalDocument(last.document),
  )
  await settled()
})
