/** What running again is called, and what its dialogs say of the open workflow. */

import { expect, test } from 'vitest'
import { runId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { openVersion, retryWords } from '../../src-renderer/state/rerun.ts'
import { runRecord } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

function shown({ isEdited, isOther }: { readonly isEdited: boolean; readonly isOther: boolean }) {
  const { designer } = openPage(newMachine())
  const { document, runs } = designer
  document.setState({ isOpen: true })
  const open = document.getState().history.document
  const shownOn: WorkflowDocument = isEdited ? { ...open, title: 'Before' } : open
  runs.getState().show({ runId: runId('run_1'), site: null, overlay: null, hash: null, shownOn }, new Map())
  const { current } = runs.getState()
  if (current === null) throw new Error('It was shown.')
  const run = runRecord(isOther ? {} : { workflowId: open.id })
  const { live } = current
  runs.setState({ current: { ...current, live: { ...live, replay: { ...live.replay, run } } } })
  return designer
}

test('the open workflow is told to be edited only where it is', () => {
  expect(openVersion(shown({ isEdited: true, isOther: false }))).toBe('edited')
  expect(openVersion(shown({ isEdited: false, isOther: false }))).toBe('same')
  expect(openVersion(shown({ isEdited: false, isOther: true }))).toBe('other')
})

test('a run that was stopped goes on; only of one that failed what failed is tried again', () => {
  expect(retryWords({ status: 'FAILED' })).toBe('Retry what failed')
  expect(retryWords({ status: 'CANCELLED' })).toBe('Go on where it stopped')
  expect(retryWords({ status: 'TIMED_OUT' })).toBe('Go on where it stopped')
})
