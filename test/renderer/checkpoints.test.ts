/** The history of a document, and the way back. */

import { expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { changeNode } from '../../src-renderer/commands/change-node.ts'
import {
  listHistory,
  readEntry,
  restoreVersion,
  setCheckpoint,
} from '../../src-renderer/state/checkpoints.ts'
import { openPath, saveDocument } from '../../src-renderer/state/files.ts'
import { chain } from './factories.ts'
import { newMachine, openPage, putFile, settled } from './fake-designer.ts'

async function opened() {
  const machine = newMachine()
  putFile(machine, '/w/a.json', chain('a', 'b'))
  const kept: { readonly id: string; readonly name: string | null; readonly at: number; document: object }[] =
    []
  Object.assign(machine.methods, {
    'checkpoints.save': ({ name, document }: { readonly name: string | null; readonly document: object }) => {
      kept.push({ id: `c${kept.length}`, name, at: 10 * kept.length, document })
    },
    'checkpoints.list': () => kept,
    'checkpoints.read': ({ id }: { readonly id: string }) => kept.find((one) => one.id === id),
    'workflows.versions': () => ({ versions: [{ hash: 'w1_x', title: 't', publishedAt: 5 }] }),
    'workflows.version': () => ({ document: { ...chain('z'), id: 'wf_other' }, publishedAt: 5 }),
  })
  const { designer } = openPage(machine)
  await openPath(designer, '/w/a.json')
  return { designer, machine, kept }
}

test('named moments, saves and published versions are one list, newest first', async () => {
  const { designer, machine } = await opened()
  await setCheckpoint(designer, 'Before')
  designer.document.getState().edit(changeNode(nodeId('a'), { title: 'x' }))
  await saveDocument(designer)
  await settled()
  const entries = await listHistory(designer)
  expect(entries.map(({ kind, at }) => [kind, at])).toEqual([
    ['saved', 10],
    ['published', 5],
    ['named', 0],
  ])
  machine.isUp = false
  expect(await setCheckpoint(designer, 'Away')).toBe(false)
})

test('a version is restored as one step to undo, and the workflow stays the same one', async () => {
  const { designer } = await opened()
  const document = () => designer.document.getState().history.document
  const before = document()
  designer.document.getState().edit(changeNode(nodeId('a'), { title: 'x' }))
  const [entry] = (await listHistory(designer)).filter(({ kind }) => kind === 'published')
  if (entry === undefined) throw new Error('Nothing was published.')
  restoreVersion(designer, await readEntry(designer, entry), 'today')
  expect([Object.keys(document().nodes), document().id]).toEqual([['z'], before.id])
  designer.document.getState().undo()
  expect(document().nodes[nodeId('a')]?.title).toBe('x')
  designer.document.getState().undo()
  expect(document()).toEqual(before)
})

test('who looks right after saving asks after the save: the engine answers in that order', async () => {
  const { designer, machine } = await opened()
  const asked: string[] = []
  Object.assign(machine.methods, {
    'checkpoints.save': () => void asked.push('save'),
    'checkpoints.list': () => {
      asked.push('list')
      return []
    },
  })
  designer.document.getState().edit(changeNode(nodeId('a'), { title: 'x' }))
  await saveDocument(designer)
  await listHistory(designer)
  expect(asked).toEqual(['save', 'list'])
})
