/** Custom tasks in an open designer: kinds come, change and go while it is open. */

import { expect, it } from 'vitest'
import type { OutputOf } from '../../src-engine/protocol/api.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { startCustomTasks } from '../../src-renderer/state/follow-custom-tasks.ts'
import { startValidation } from '../../src-renderer/state/validation.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { newMachine, openPage, settled } from './fake-designer.ts'

type Folder = OutputOf<'tasks.custom'>

const taskOf = (title: string): Folder['tasks'][number] => ({
  ...{ format: 'sagasmith.task', schemaVersion: 1, kind: 'acme.greet', title, description: '', icon: 'box' },
  ...{ keywords: [], based: { kind: 'log', parameters: { message: 'Hello' } }, open: ['message'] },
})

it('kinds follow the folder, the open document is checked again, and a node keeps its data', async () => {
  const machine = newMachine()
  let folder: Folder = { tasks: [], code: [], problems: [] }
  machine.methods['tasks.custom'] = () => folder
  const { designer, pass } = openPage(machine, taskSpecsByKind)
  startValidation(designer)
  const stop = startCustomTasks(designer)
  await settled()
  const node = { kind: 'acme.greet', parameters: { message: 'Good day' } }
  const document = documentOf({ id: 'w', title: 'W', nodes: { a: node } })
  designer.document.getState().open({ document, path: null, etag: null }, { draftId: 'd', isSaved: true })
  await pass()
  const codes = (): readonly string[] => designer.document.getState().problems.map(({ code }) => code)
  expect(codes()).toContain('unknown_kind')

  folder = { tasks: [taskOf('Greet')], code: [], problems: [] }
  await pass()
  expect(designer.specs.get('acme.greet')?.title).toBe('Greet')
  expect(codes()).not.toContain('unknown_kind')

  const before = designer.specs
  await pass()
  expect(designer.specs).toBe(before)

  const problem = { code: 'task_file_invalid', message: 'line 3', hint: 'Correct it.', retryable: false }
  folder = { tasks: [taskOf('Greet')], code: [], problems: [problem as Folder['problems'][number]] }
  await pass()
  await pass()
  expect(designer.view.getState().toasts.map(({ message }) => message)).toEqual(['line 3'])
  expect(designer.specs).toBe(before)

  folder = { tasks: [], code: [], problems: [] }
  await pass()
  expect(codes()).toContain('unknown_kind')
  expect(designer.document.getState().history.document.nodes).toEqual({ a: node })
  stop()
})
