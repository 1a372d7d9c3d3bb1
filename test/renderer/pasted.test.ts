/** What is pasted and isn't steps: a whole workflow is opened as its file would be, and nothing is silent. */

import { expect, test } from 'vitest'
import { pasteText } from '../../src-renderer/commands/app/edit-commands.ts'
import { newDocument } from '../../src-renderer/state/files.ts'
import { chain } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

const page = () => {
  const { designer } = openPage(newMachine())
  newDocument(designer)
  const front = () => designer.document.getState().history.document
  const told = () => designer.view.getState().toasts.map(({ message, hint }) => `${message} ${hint}`)
  return { designer, front, told }
}

test('a workflow as JSON is opened, in place of an untouched new one', async () => {
  const { designer, front, told } = page()
  expect(pasteText(designer, JSON.stringify({ ...chain('a', 'b'), title: 'Orders' }))).toBe(true)
  await expect.poll(() => front().title).toBe('Orders')
  expect(Object.keys(front().nodes)).toEqual(['a', 'b'])
  expect(designer.tabs.getState().tabs).toHaveLength(1)
  expect(told()).toEqual([])
})

test('one as code is opened, too', async () => {
  const { designer, front } = page()
  const code = `import { defineWorkflow } from 'sagasmith'
export default defineWorkflow({ id: 'coded', title: 'Coded', nodes: { a: { kind: 'noop' } }, edges: [] })`
  expect(pasteText(designer, code)).toBe(true)
  await expect.poll(() => front().title).toBe('Coded')
})

test.for([
  ['{"format": "sagasmith.workflow", "nodes": {', 'cut off at line 1'],
  ['{"name": "Of another program", "nodes": []}', 'not a workflow file'],
  ['[1, 2]', 'not a workflow file'],
])('of %s is said what is wrong, and of no file that was left untouched', async ([text = '', words = '']) => {
  const { designer, front, told } = page()
  const before = front()
  expect(pasteText(designer, text)).toBe(true)
  await expect.poll(told).toEqual([expect.stringContaining(words)])
  expect(told()[0]).toContain('from the clipboard')
  expect(front()).toBe(before)
})

test.for(['', 'Dear all,', 'see https://example.com/'])('%j is left to who pastes it', (text) => {
  expect(pasteText(page().designer, text)).toBe(false)
})
