/** What keeps a workflow from running is what is wrong with it now, not before the last edit was looked at. */

import { expect, it } from 'vitest'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { isRunnable } from '../../src-renderer/state/begin-run.ts'
import { startValidation } from '../../src-renderer/state/validation.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { newMachine, openPage } from './fake-designer.ts'

const logging = (parameters: Record<string, string>) =>
  documentOf({ id: 'w', title: 'W', nodes: { a: { kind: 'log', parameters } } })

it('what was put right runs at once; what is still wrong is told as it is', async () => {
  const { designer, pass } = openPage(newMachine(), taskSpecsByKind)
  const stop = startValidation(designer)
  const { open } = designer.document.getState()
  open({ document: logging({}), path: null, etag: null }, { draftId: 'd', isSaved: true })
  await pass()
  expect(isRunnable(designer)).toBe(false)

  const history = (parameters: Record<string, string>) => {
    const { history: before } = designer.document.getState()
    designer.document.setState({ history: { ...before, document: logging(parameters) } })
  }
  // Nobody has looked at it yet.
  history({ message: 'Good day' })
  expect(designer.document.getState().problems).toHaveLength(1)
  expect(isRunnable(designer)).toBe(true)
  expect(designer.document.getState().problems).toEqual([])

  history({ other: 'field' })
  await pass()
  history({ message: '', other: 'field' })
  expect(isRunnable(designer)).toBe(false)
  const { toasts } = designer.view.getState()
  expect(toasts.at(-1)?.message).toContain('other')
  stop()
})
