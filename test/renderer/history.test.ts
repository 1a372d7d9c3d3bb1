import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import { canonicalJson } from '../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { addNode } from '../../src-renderer/commands/add-node.ts'
import {
  changeNode,
  setParameters,
  toggleBypassed,
  toggleDisabled,
} from '../../src-renderer/commands/change-node.ts'
import { changeWorkflow } from '../../src-renderer/commands/change-workflow.ts'
import { makeClip, paste } from '../../src-renderer/commands/clip.ts'
import { connect } from '../../src-renderer/commands/connect.ts'
import type { Edit } from '../../src-renderer/commands/edit.ts'
import { singleEdit } from '../../src-renderer/commands/edit.ts'
import type { History } from '../../src-renderer/commands/history.ts'
import { closeGesture, perform, redo, startHistory, undo } from '../../src-renderer/commands/history.ts'
import { move } from '../../src-renderer/commands/move.ts'
import { freeNodeId } from '../../src-renderer/commands/new-ids.ts'
import { addNote, changeNote } from '../../src-renderer/commands/notes.ts'
import { removeAndHeal, removeElements } from '../../src-renderer/commands/remove.ts'
import { asJson } from '../../src-renderer/state/blank-document.ts'
import { chain } from './factories.ts'

type Maker = (document: WorkflowDocument, dice: readonly number[]) => Edit

const at = (dice: readonly number[], index: number): number => dice[index] ?? 0
const pick = (document: WorkflowDocument, number: number): NodeId => {
  const ids = Object.keys(document.nodes)
  return nodeId(ids[number % Math.max(1, ids.length)] ?? 'gone')
}
const elements = (nodes: readonly NodeId[]) => ({ nodes, edges: [], notes: [] })

/** One maker per kind of edit; numbers decide what it is about. */
const makers: readonly Maker[] = [
  (document, dice) => {
    const id = freeNodeId('noop', new Set(Object.keys(document.nodes)))
    const from = { node: pick(document, at(dice, 0)), port: 'out' }
    const attach =
      at(dice, 1) % 2 === 0 && from.node in document.nodes
        ? ({ kind: 'after', from } as const)
        : ({ kind: 'none' } as const)
    return addNode(
      {
        id,
        node: { kind: 'noop' },
        at: { x: at(dice, 2), y: 0 },
        title: 'x',
        outPort: 'out',
        hasInput: true,
      },
      attach,
    )
  },
  (document, dice) =>
    connect({
      from: { node: pick(document, at(dice, 0)), port: 'out' },
      to: { node: pick(document, at(dice, 1)), port: 'in' },
    }),
  (document, dice) => removeElements(elements([pick(document, at(dice, 0))])),
  (document, dice) => removeAndHeal(elements([pick(document, at(dice, 0))])),
  (document, dice) =>
    move(
      { nodes: { [pick(document, at(dice, 0))]: { x: at(dice, 1), y: at(dice, 2) } }, notes: {} },
      { gesture: 'nudge' },
    ),
  (document, dice) =>
    changeNode(pick(document, at(dice, 0)), {
      title: `t${at(dice, 1)}`,
      retry: at(dice, 2) % 2 === 0 ? null : { maxAttempts: at(dice, 2) },
    }),
  (document, dice) =>
    setParameters(
      pick(document, at(dice, 0)),
      { [`k${at(dice, 1) % 3}`]: at(dice, 2), list: [at(dice, 0)] },
      'f',
    ),
  (document, dice) => toggleDisabled([pick(document, at(dice, 0)), pick(document, at(dice, 1))]),
  (document, dice) => toggleBypassed([pick(document, at(dice, 0)), pick(document, at(dice, 1))]),
  (_document, dice) =>
    changeWorkflow({ title: `title ${at(dice, 0)}`, description: at(dice, 1) % 2 === 0 ? null : 'd' }),
  (_document, dice) => addNote({ id: `note${at(dice, 0)}`, text: '', at: { x: 1, y: 2 } }),
  (_document, dice) => changeNote(`note${at(dice, 0)}`, `text ${at(dice, 1)}`),
  (document, dice) => {
    const clip = makeClip(document, [pick(document, at(dice, 0)), pick(document, at(dice, 1))])
    return clip === null
      ? changeWorkflow({ title: 'nothing to copy' })
      : paste(document, clip, { x: at(dice, 2), y: 0 }).edit
  },
]

const roll = fc.record({
  maker: fc.nat(makers.length - 1),
  dice: fc.tuple(fc.nat(40), fc.nat(40), fc.nat(40)),
  ends: fc.boolean(),
})

function play(
  history: History,
  rolls: readonly { maker: number; dice: readonly number[]; ends: boolean }[],
): History {
  let now = history
  for (const { maker, dice, ends } of rolls) {
    const make = makers[maker]
    if (make !== undefined) now = perform(now, make(now.document, dice))
    if (ends) now = closeGesture(now)
  }
  return now
}

const textOf = (document: WorkflowDocument): string => canonicalJson(asJson(document))
const undoAll = (history: History): History => (history.past.length === 0 ? history : undoAll(undo(history)))
const redoAll = (history: History): History =>
  history.future.length === 0 ? history : redoAll(redo(history))

describe('history', () => {
  test('undoing everything gives the identical document, redoing everything the edited one', () => {
    const start = startHistory(chain('a', 'b', 'c', 'd'))
    const property = fc.property(fc.array(roll, { minLength: 1, maxLength: 100 }), (rolls) => {
      const edited = play(start, rolls)
      const undone = undoAll(edited)
      // A document is its canonical JSON: keys have no order.
      expect(textOf(undone.document)).toBe(textOf(start.document))
      expect(redoAll(undone).document).toEqual(edited.document)
    })
    // 200 histories of up to 100 edits: ten thousand edits and more.
    fc.assert(property, { numRuns: 200 })
  })

  test('typing into one field is one step, another field or a closed gesture begins a new one', () => {
    const start = startHistory(chain('a'))
    const typed = ['h', 'he', 'hey'].reduce(
      (history, url) => perform(history, setParameters(nodeId('a'), { url }, 'url')),
      start,
    )
    expect(typed.past).toHaveLength(1)
    expect(undo(typed).document).toEqual(start.document)
    expect(perform(typed, setParameters(nodeId('a'), { url: 'hey', body: 'x' }, 'body')).past).toHaveLength(2)
    expect(
      perform(closeGesture(typed), setParameters(nodeId('a'), { url: 'hey!' }, 'url')).past,
    ).toHaveLength(2)
  })

  test('a new edit forgets what was undone', () => {
    const edited = perform(startHistory(chain('a')), changeNode(nodeId('a'), { title: 'one' }))
    const branched = perform(undo(edited), changeNode(nodeId('a'), { title: 'two' }))
    expect(branched.future).toHaveLength(0)
    expect(redo(branched)).toBe(branched)
  })

  test('an edit that changes nothing is no step', () => {
    const start = startHistory(chain('a', 'b'))
    expect(
      perform(
        start,
        connect({ from: { node: nodeId('a'), port: 'out' }, to: { node: nodeId('b'), port: 'in' } }),
      ),
    ).toBe(start)
    expect(undo(start)).toBe(start)
  })
})

test('older steps are forgotten many at a time, the newest never', () => {
  let history = startHistory(chain('a'))
  for (let count = 1; count <= 20_501; count += 1) {
    history = perform(
      history,
      singleEdit('Rename', (draft) => void (draft.title = `t${count}`)),
    )
  }
  expect([history.past.length, history.document.title]).toEqual([20_000, 't20501'])
  expect(undo(history).document.title).toBe('t20500')
  const heavy = singleEdit('Many', (draft) => {
    draft.variables = {}
    for (let count = 0; count < 210_000; count += 1) draft.variables[`v${count}`] = count
  })
  const cleared = singleEdit('Few', (draft) => {
    for (const name of Object.keys(draft.variables ?? {}))
      if (draft.variables !== undefined) delete draft.variables[name]
  })
  const after = perform(perform(history, heavy), cleared)
  expect(after.past).toHaveLength(1)
  expect(after.weight).toBe(420_000)
})
