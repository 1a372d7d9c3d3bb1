/** Saving a step as a task: its file is written, the palette has it at once, and the step can become one of it. */

import { expect, it } from 'vitest'
import type { CustomTask } from '../../src-engine/model/custom-task.ts'
import { taskOfStep } from '../../src-engine/model/custom-task-of-step.ts'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { appCommands, commandOf } from '../../src-renderer/commands/registry.ts'
import { materialOf, saveTask, selectedStep } from '../../src-renderer/state/saving-task.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { newMachine, openPage } from './fake-designer.ts'

/** An engine with a folder of tasks, and a document with a step that is set up. */
function scene() {
  const machine = newMachine()
  const folder = new Map<string, CustomTask>()
  machine.methods['tasks.custom'] = () => ({ tasks: [...folder.values()], code: [], problems: [] })
  machine.methods['tasks.save'] = ({
    task,
    replace,
  }: {
    readonly task: CustomTask
    readonly replace: boolean
  }) => {
    if (folder.has(task.kind) && !replace) throw new SagasmithError('task_kind_taken')
    folder.set(task.kind, task)
    return { task, path: `/data/tasks/${task.kind}.task.json` }
  }
  const { designer } = openPage(machine, taskSpecsByKind)
  const parameters = { message: 'Hello', level: 'warn' }
  const document = documentOf({
    id: 'w',
    title: 'W',
    nodes: { a: { kind: 'log', title: 'Greet', parameters }, m: { kind: 'map' } },
  })
  designer.document.getState().open({ document, path: null, etag: null }, { draftId: 'd', isSaved: true })
  designer.view.getState().select({ nodes: [nodeId('a')] })
  const node = () => designer.document.getState().history.document.nodes[nodeId('a')]
  const saving = (kind: string, options: { readonly replace: boolean; readonly becomes: boolean }) => {
    const step = selectedStep(designer)
    const material = step === null ? null : materialOf(step)
    if (step === null || material === null) throw new Error('The step can be made a task.')
    const wish = { kind, title: 'Greet', description: '', icon: 'bell', category: 'flow' as const }
    const task = taskOfStep(material, { ...wish, open: ['message'] })
    return saveTask(designer, { step: step.id, material, task, ...options })
  }
  return { designer, folder, node, saving }
}

it('the step becomes one of the task in one step, and undo takes it back', async () => {
  const { designer, node, saving } = scene()
  expect(await saving('acme.greet', { replace: false, becomes: true })).toBe('saved')
  expect(designer.specs.get('acme.greet')?.title).toBe('Greet')
  expect(node()).toEqual({ kind: 'acme.greet', title: 'Greet', parameters: { message: 'Hello' } })
  designer.document.getState().undo()
  expect(node()).toEqual({ kind: 'log', title: 'Greet', parameters: { message: 'Hello', level: 'warn' } })
})

it('a step of a custom task is made another task of what it stands for', async () => {
  const { designer, folder, saving } = scene()
  await saving('acme.greet', { replace: false, becomes: true })
  await saving('acme.warmly', { replace: false, becomes: false })
  expect(folder.get('acme.warmly')?.based).toEqual({
    kind: 'log',
    parameters: { message: 'Hello', level: 'warn' },
  })
  expect(designer.document.getState().history.document.nodes[nodeId('a')]?.kind).toBe('acme.greet')
})

it('one that is there stays until somebody says that it is replaced', async () => {
  const { folder, node, saving } = scene()
  await saving('acme.greet', { replace: false, becomes: false })
  const before = folder.get('acme.greet')
  expect(await saving('acme.greet', { replace: false, becomes: true })).toBe('taken')
  expect(folder.get('acme.greet')).toBe(before)
  expect(node()?.kind).toBe('log')
  expect(await saving('acme.greet', { replace: true, becomes: true })).toBe('saved')
  expect(node()?.kind).toBe('acme.greet')
})

it('the command may run for one step that does something by itself', () => {
  const { designer } = scene()
  const command = commandOf('edit.saveAsTask')
  expect(appCommands).toContain(command)
  expect(command.isEnabled(designer)).toBe(true)
  for (const nodes of [[], ['m'], ['a', 'm'], ['gone']]) {
    designer.view.getState().select({ nodes: nodes.map(nodeId) })
    expect(command.isEnabled(designer), nodes.join()).toBe(false)
  }
})
