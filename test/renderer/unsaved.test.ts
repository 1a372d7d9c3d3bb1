/** A file that can't be written: said with why, and with the way to another place. */

import { expect, test } from 'vitest'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import { changeNode } from '../../src-renderer/commands/change-node.ts'
import { isDirty } from '../../src-renderer/state/document-store.ts'
import { openPath, saveDocument } from '../../src-renderer/state/files.ts'
import { chain } from './factories.ts'
import { newMachine, openPage, putFile } from './fake-designer.ts'

test('a read-only file is told of with a button that saves elsewhere, and what was drawn stays unsaved', async () => {
  const machine = newMachine()
  putFile(machine, '/w/a.json', chain('a'))
  const message = '/w/a.json is read-only.'
  machine.methods['library.save'] = () => {
    throw new SagasmithError('file_not_accessible', { message })
  }
  const { designer } = openPage(machine)
  await openPath(designer, '/w/a.json')
  designer.document.getState().edit(changeNode(nodeId('a'), { title: 'Mine' }))
  await saveDocument(designer)
  const [toast] = designer.view.getState().toasts
  expect(toast?.message).toBe(message)
  expect(isDirty(designer.document.getState())).toBe(true)
  toast?.action?.run()
  expect(designer.view.getState().dialog).toBe('save-as')
})
