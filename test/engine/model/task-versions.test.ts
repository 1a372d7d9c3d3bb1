/** For which version of a task a step was set up: what is told, what is held back, and that documents carry it. */

import { describe, expect, it, test } from 'vitest'
import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import { readCode } from '../../../src-engine/model/code/read-code.ts'
import { writeCode } from '../../../src-engine/model/code/write-code.ts'
import type { CodeTask } from '../../../src-engine/model/code-task.ts'
import { readCodeTask, withCodeTasks } from '../../../src-engine/model/code-task.ts'
import { definitionHashOf } from '../../../src-engine/model/definition-hash.ts'
import { documentJsonSchema } from '../../../src-engine/model/document-json-schema.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { holdsBack, madeForVersion, taskUses, versionGap } from '../../../src-engine/model/task-versions.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { versionChanges } from '../../../src-engine/model/version-changes.ts'
import { writtenOut } from '../../../src-engine/model/written-out.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { documentOf } from './workflow-fixture.ts'

function taskOf(version: string, functions: readonly string[] = []): CodeTask {
  const spec = { kind: 'acme.charge', version, title: 'Charge' }
  const read = readCodeTask({ spec, functions: ['run', ...functions], code: 'export default {}' })
  if ('task' in read) return read.task
  throw new Error(read.fault.message)
}

const specsWith = (task: CodeTask) => withCodeTasks(taskSpecsByKind, [task])
const charging = (taskVersion?: JsonValue) =>
  documentOf({
    id: 'w',
    title: 'W',
    nodes: { a: { kind: 'acme.charge', ...(taskVersion === undefined ? {} : { taskVersion }) } },
  })

test.for<[string | null, string, string]>([
  ['1.0.0', '1.0.0', 'none'],
  [null, '1.0.0', 'unnoted'],
  ['1.0.0', '2.0.0', 'behind'],
  ['1.9', '1.10', 'behind'],
  ['1.10', '1.9', 'ahead'],
  ['2', '1.99.3', 'ahead'],
  ['1', '1.0', 'behind'],
  ['v2', '1', 'ahead'],
  ['2.0.0-beta', '1.0.0', 'behind'],
  ['spring', 'autumn', 'behind'],
])('set up for %s where %s is: %s', ([madeFor, here, gap]) => {
  expect(versionGap({ madeFor, here })).toBe(gap)
})

it('a task that migrates holds back what is older; what is newer than the task always is', () => {
  expect(holdsBack({ gap: 'behind', migrates: true })).toBe(true)
  expect(holdsBack({ gap: 'behind', migrates: false })).toBe(false)
  expect(holdsBack({ gap: 'ahead', migrates: false })).toBe(true)
  expect(holdsBack({ gap: 'unnoted', migrates: true })).toBe(false)
})

describe('the validation', () => {
  const told = (task: CodeTask, taskVersion?: JsonValue) =>
    validateWorkflow(charging(taskVersion), specsWith(task)).map(({ code, severity, field }) => [
      code,
      severity,
      field,
    ])

  it('says nothing of a step of the version that is here, or of one that nobody noted', () => {
    expect(told(taskOf('2', ['migrate']), '2')).toEqual([])
    expect(told(taskOf('2', ['migrate']))).toEqual([])
  })

  it('tells another version, and keeps the workflow from running where parameters may be misread', () => {
    expect(told(taskOf('2'), '1')).toEqual([['task_version_newer', 'warning', 'taskVersion']])
    expect(told(taskOf('2', ['migrate']), '1')).toEqual([['task_version_newer', 'error', 'taskVersion']])
    expect(told(taskOf('1'), '2')).toEqual([['task_version_older', 'error', 'taskVersion']])
  })

  it('what only follows from it isn’t told beside it', () => {
    const spec = { kind: 'acme.charge', version: '2', title: 'Charge' }
    const form = { type: 'object', required: ['cents'], properties: { cents: { type: 'number' } } }
    const read = readCodeTask({
      spec: { ...spec, parameters: form },
      functions: ['run', 'migrate'],
      code: ' ',
    })
    if (!('task' in read)) throw new Error('It can be read.')
    expect(told(read.task, '1').map(([code]) => code)).toEqual(['task_version_newer'])
    expect(told(read.task, '2').map(([code]) => code)).toEqual(['missing_parameter'])
  })

  it('takes any form', () => {
    for (const form of [5, null, {}, [], '', 'x'.repeat(51)]) {
      expect(told(taskOf('6'), form)).toContainEqual([expect.any(String), 'error', 'taskVersion'])
    }
    for (const compensation of [5, null, 'x', { task: 5 }, { task: { kind: 5, taskVersion: 5 } }]) {
      const document = documentOf({
        id: 'w',
        title: 'W',
        nodes: { a: { kind: 'acme.charge', taskVersion: '6', compensation } },
      })
      expect(() => validateWorkflow(document, specsWith(taskOf('6')))).not.toThrow()
    }
  })

  it('a kind of the catalogue has no versions', () => {
    const document = documentOf({ id: 'w', title: 'W', nodes: { a: { kind: 'noop', taskVersion: '1' } } })
    expect(validateWorkflow(document, taskSpecsByKind)).toEqual([])
    expect(taskUses(document, taskSpecsByKind)).toEqual([])
  })
})

it('what is written out doesn’t carry the note: a noted step has the hash of one that isn’t', () => {
  const task = taskOf('2', ['migrate'])
  const tasks = new Map([['acme.charge', task]])
  const [noted, plain] = [charging('2'), charging()].map((document) => writtenOut(document, tasks))
  expect(noted).toEqual(plain)
  expect(noted === undefined ? '' : definitionHashOf(noted, taskSpecsByKind)).toBe(
    plain === undefined ? '-' : definitionHashOf(plain, taskSpecsByKind),
  )
  expect(() => writtenOut(charging('1'), tasks)).toThrow(
    expect.objectContaining({ code: 'task_not_migrated' }),
  )
})

it('the uses of a document are its steps and what undoes them', () => {
  const undo = { kind: 'acme.charge', parameters: { b: 1 }, taskVersion: '1' }
  const document = documentOf({
    id: 'w',
    title: 'W',
    nodes: { a: { kind: 'acme.charge', parameters: { a: 1 }, compensation: { task: undo } } },
  })
  const specs = specsWith(taskOf('2', ['migrate', 'compensate']))
  const uses = taskUses(document, specs)
  expect(uses).toMatchObject([
    {
      nodeId: 'a',
      place: 'step',
      madeFor: null,
      here: '2',
      migrates: true,
      gap: 'unnoted',
      parameters: { a: 1 },
    },
    { nodeId: 'a', place: 'undo', madeFor: '1', here: '2', gap: 'behind', parameters: { b: 1 } },
  ])
  const node = document.nodes[nodeId('a')]
  if (node === undefined) throw new Error('It is there.')
  expect(madeForVersion(node, 'undo', { version: '2', parameters: { c: 1 } })).toEqual({
    ...node,
    compensation: { task: { ...undo, parameters: { c: 1 }, taskVersion: '2' } },
  })
  expect(madeForVersion(node, 'step', { version: '2', parameters: null })).toEqual({
    ...node,
    taskVersion: '2',
  })
})

it('a difference of versions is a change of the step, and the schema of documents knows the field', () => {
  const changes = versionChanges(charging('1'), charging('2'), specsWith(taskOf('2')))
  expect(changes).toMatchObject([{ what: 'node', id: 'a', fields: ['taskVersion'] }])
  expect(JSON.stringify(documentJsonSchema())).toContain('"taskVersion"')
})

test('TypeScript has it where the document has it, and an edit of it there comes back', () => {
  const undo = { kind: 'acme.charge.undo', parameters: { id: 1 }, taskVersion: '1.10.0' }
  const document = documentOf({
    id: 'w',
    title: 'W',
    nodes: {
      a: {
        kind: 'acme.charge',
        parameters: { amount: 3 },
        taskVersion: '2.0.0-beta',
        compensation: { task: undo },
      },
      b: { kind: 'acme.charge', parameters: {} },
    },
  })
  const code = writeCode(document, { tasks: specsWith(taskOf('2')), triggers: triggerSpecsByKind })
  expect(code.match(/taskVersion: '[^']*'/g)).toEqual(["taskVersion: '2.0.0-beta'", "taskVersion: '1.10.0'"])
  const reread = (text: string) => {
    const read = readCode(text)
    if (!read.ok) throw read.error
    return read.value.document
  }
  expect(canonicalDocument(reread(code))).toBe(canonicalDocument(document))
  const edited = reread(code.replace('1.10.0', '1.11.0'))
  expect(edited.nodes[nodeId('a')]).toMatchObject({
    taskVersion: '2.0.0-beta',
    compensation: { task: { taskVersion: '1.11.0' } },
  })
  expect(edited.nodes[nodeId('b')]).not.toHaveProperty('taskVersion')
})
