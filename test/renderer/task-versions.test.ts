/** Steps and the versions of their tasks in an open designer: noted when they are added, and migrated only on demand. */

import { expect, it } from 'vitest'
import type { CodeTaskFace } from '../../src-engine/model/code-task.ts'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowNode } from '../../src-engine/model/workflow.ts'
import type { MigrationWish } from '../../src-engine/protocol/custom-tasks.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { addKind } from '../../src-renderer/canvas/placement.ts'
import { becomeTask, changeNode, setParameters } from '../../src-renderer/commands/change-node.ts'
import { clipToText, makeClip, textToClip } from '../../src-renderer/commands/clip.ts'
import { followVersions } from '../../src-renderer/commands/follow-versions.ts'
import { commandOf } from '../../src-renderer/commands/registry.ts'
import { fieldTab } from '../../src-renderer/state/field-tab.ts'
import { follow, foresee, keepParameters, usesToFollow } from '../../src-renderer/state/task-versions.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { newMachine, openPage } from './fake-designer.ts'

const face = (version: string, hasMigrate: boolean): CodeTaskFace => ({
  ...{ kind: 'acme.charge', version, title: 'Charge', description: '', icon: 'code', category: 'code' },
  ...{ keywords: [], parameters: { type: 'object', properties: { amount: {}, cents: {} } }, output: null },
  ...{ sideEffect: 'unsafe', secrets: [], hosts: [], timeoutMs: 1000, memoryMb: 32 },
  ...{ hasMock: false, hasUndo: false, hasProbe: false, hasMigrate },
})

/** A page that has one task in its folder, and steps that were set up for others. */
function scene(nodes: Readonly<Record<string, JsonObject>>, task = face('2', true)) {
  const machine = newMachine()
  const asked: (MigrationWish & { readonly kind: string })[] = []
  machine.methods['tasks.migrate'] = (wish: MigrationWish & { readonly kind: string }) => {
    asked.push(wish)
    if (wish.parameters['amount'] === 'bad') throw new SagasmithError('task_migration_failed')
    return { version: '2', parameters: { cents: Number(wish.parameters['amount']) * 100 }, problems: [] }
  }
  const { designer } = openPage(machine, taskSpecsByKind)
  designer.customTasks.getState().take({ tasks: [], code: [task], problems: [] })
  const document = documentOf({ id: 'w', title: 'W', nodes })
  designer.document.getState().open({ document, path: null, etag: null }, { draftId: 'd', isSaved: true })
  const node = (id: string): WorkflowNode | undefined =>
    designer.document.getState().history.document.nodes[nodeId(id)]
  return { designer, asked, node }
}

const step = (taskVersion: string | null, amount: number | string = 12): JsonObject => ({
  kind: 'acme.charge',
  parameters: { amount },
  ...(taskVersion === null ? {} : { taskVersion }),
})

it('a step that is added is noted with the version that is here; one of the catalogue has none', () => {
  const { designer, node } = scene({})
  for (const kind of ['acme.charge', 'noop']) {
    const spec = designer.specs.get(kind)
    if (spec === undefined) throw new Error('It is there.')
    const id = addKind(designer, spec, { at: { x: 0, y: 0 }, attach: { kind: 'none' } })
    expect(node(id ?? '')?.taskVersion).toBe(kind === 'noop' ? undefined : '2')
  }
})

it('a copy keeps what its step was set up for; a step that becomes another task doesn’t', () => {
  const { designer, node } = scene({ a: step('1') })
  const clip = makeClip(designer.document.getState().history.document, [nodeId('a')])
  const pasted = textToClip(clip === null ? '' : clipToText(clip))
  expect(pasted?.nodes['a']?.taskVersion).toBe('1')
  designer.document.getState().edit(becomeTask(nodeId('a'), { kind: 'acme.greet', title: 'Greet' }, {}))
  expect(node('a')).toEqual({ kind: 'acme.greet', parameters: {} })
})

it('what can be followed are older and newer ones, and unknown ones where the task migrates', () => {
  const nodes = { a: step('1'), b: step('2'), c: step('3'), d: step(null), e: { kind: 'noop' } }
  const gaps = (task: CodeTaskFace) =>
    usesToFollow(scene(nodes, task).designer).map(({ nodeId: id, gap }) => `${id} ${gap}`)
  expect(gaps(face('2', true))).toEqual(['a behind', 'c ahead', 'd unnoted'])
  expect(gaps(face('2', false))).toEqual(['a behind', 'c ahead'])
  const command = commandOf('edit.migrateTasks')
  expect(command.isEnabled(scene(nodes).designer)).toBe(true)
  expect(command.isEnabled(scene({ b: step('2') }).designer)).toBe(false)
})

it('all follow in one step that undo takes back; looking at what would become changes nothing', async () => {
  const { designer, asked, node } = scene({ a: step('1', 1), b: step(null, 2), c: step('1', 'bad') })
  const came = await Promise.all(usesToFollow(designer).map((use) => foresee(designer, use)))
  expect(asked.map(({ from, kind }) => `${kind} ${from}`)).toEqual([
    'acme.charge 1',
    'acme.charge null',
    'acme.charge 1',
  ])
  expect(came.map(({ kind }) => kind)).toEqual(['ready', 'ready', 'failed'])
  expect(node('a')).toEqual(step('1', 1))
  follow(
    designer,
    came.flatMap((one) => (one.kind === 'ready' ? [one.followed] : [])),
  )
  expect(node('a')).toEqual({ kind: 'acme.charge', parameters: { cents: 100 }, taskVersion: '2' })
  expect(node('b')).toEqual({ kind: 'acme.charge', parameters: { cents: 200 }, taskVersion: '2' })
  expect(node('c')).toEqual(step('1', 'bad'))
  expect(designer.document.getState().history.past).toHaveLength(1)
  designer.document.getState().undo()
  expect(node('a')).toEqual(step('1', 1))
  expect(node('b')).toEqual(step(null, 2))
})

it('a step that was changed since it was looked at stays', async () => {
  const { designer, node } = scene({ a: step('1', 1), b: step('1', 2) })
  const came = await Promise.all(usesToFollow(designer).map((use) => foresee(designer, use)))
  designer.document.getState().edit(setParameters(nodeId('a'), { amount: 7 }))
  designer.document.getState().edit(changeNode(nodeId('b'), { title: 'B' }))
  const all = came.flatMap((one) => (one.kind === 'ready' ? [one.followed] : []))
  designer.document.getState().edit(followVersions(all))
  expect(node('a')).toEqual(step('1', 7))
  expect(node('b')).toEqual({ kind: 'acme.charge', title: 'B', parameters: { cents: 200 }, taskVersion: '2' })
})

it('a version is taken as it is without asking; a task that is older is never asked', async () => {
  const undo = { kind: 'acme.charge', parameters: { amount: 1 }, taskVersion: '3' }
  const { designer, asked, node } = scene({ a: { ...step('3'), compensation: { task: undo } } })
  const [own, undoing] = usesToFollow(designer)
  if (own === undefined || undoing === undefined) throw new Error('Both are there.')
  expect(await foresee(designer, own)).toEqual({ kind: 'backwards' })
  keepParameters(designer, own)
  keepParameters(designer, undoing)
  expect(node('a')).toEqual({ ...step('2'), compensation: { task: { ...undo, taskVersion: '2' } } })
  expect(asked).toEqual([])
  const older = scene({ a: step('1') }, face('2', false))
  const [use] = usesToFollow(older.designer)
  expect(use === undefined ? null : await foresee(older.designer, use)).toMatchObject({
    kind: 'ready',
    followed: { version: '2', parameters: null },
  })
})

it('the problem leads to the form of the parameters', () => {
  expect(fieldTab('taskVersion')).toBe('parameters')
  expect(fieldTab('compensation.task.taskVersion')).toBe('undo')
})
