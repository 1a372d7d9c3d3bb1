/** Custom tasks: what a file may say, the form that comes of it, and what it is written out as. */

import { expect, it } from 'vitest'
import { readCode } from '../../../src-engine/model/code/read-code.ts'
import { writeCode } from '../../../src-engine/model/code/write-code.ts'
import type { CustomTask } from '../../../src-engine/model/custom-task.ts'
import { customTaskSpec, readCustomTask, withCustomTasks } from '../../../src-engine/model/custom-task.ts'
import { inputJsonSchema } from '../../../src-engine/model/schema-walk.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { writtenOut } from '../../../src-engine/model/written-out.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { documentOf } from './workflow-fixture.ts'

const file = {
  format: 'sagasmith.task',
  schemaVersion: 1,
  kind: 'acme.order',
  title: 'Read an order',
  based: { kind: 'http-request', parameters: { method: 'GET', url: 'https://shop.example/1' } },
  open: ['url', 'headers'],
}

function taskOf(json: unknown): CustomTask {
  const read = readCustomTask(json, taskSpecsByKind)
  if ('fault' in read) throw new Error(read.fault.message)
  return read.task
}

const faultOf = (change: object): unknown => readCustomTask({ ...file, ...change }, taskSpecsByKind)

it('the form has the open fields only, as their kind has them, and what the task has for them', () => {
  const spec = customTaskSpec(taskOf(file), httpRequestSpec)
  const schema = inputJsonSchema(spec.parameters)
  const original = inputJsonSchema(httpRequestSpec.parameters)
  expect(Object.keys(schema['properties'] as object)).toEqual(['url', 'headers'])
  const url = (original['properties'] as { readonly url: object }).url
  expect(schema['properties']).toMatchObject({ url: { ...url, default: 'https://shop.example/1' } })
  expect(spec.parameters.safeParse({}).success).toBe(true)
  expect(spec.parameters.safeParse({ method: 'POST' }).success).toBe(false)
  expect(spec.defaults).toMatchObject({ url: 'https://shop.example/1' })
  expect(spec.summary({})).toBe(httpRequestSpec.summary(taskOf(file).based.parameters))
})

it('what a file has wrong is told with its place', () => {
  expect(faultOf({ kind: 'order' })).toMatchObject({ fault: { path: ['kind'] } })
  expect(faultOf({ colour: 'red' })).toMatchObject({ fault: { path: ['colour'] } })
  expect(faultOf({ open: ['speed'] })).toMatchObject({ fault: { path: ['open', 'speed'] } })
  expect(faultOf({ based: { kind: 'acme.other' } })).toMatchObject({ fault: { path: ['based', 'kind'] } })
  expect(faultOf({ based: { kind: 'map' } })).toMatchObject({ fault: { path: ['based', 'kind'] } })
  const wrong = { kind: 'http-request', parameters: { ...file.based.parameters, method: 'SHOUT' } }
  expect(faultOf({ based: wrong })).toMatchObject({ fault: { path: ['based', 'parameters', 'method'] } })
  // What is open may be left to the nodes.
  expect(faultOf({ based: { kind: 'http-request', parameters: {} } })).toMatchObject({
    task: { based: { parameters: {} } },
  })
})

it('every kind that doesn’t shape the way of a run can be made a task with all of its fields', () => {
  const left: string[] = []
  for (const [kind, { defaults, execution }] of taskSpecsByKind) {
    const read = readCustomTask(
      { ...file, based: { kind, parameters: defaults }, open: Object.keys(defaults) },
      taskSpecsByKind,
    )
    if ('fault' in read && execution === 'runner') left.push(kind)
  }
  expect(left).toEqual(['code-task', 'if', 'map', 'loop', 'semaphore', 'circuit-breaker'])
})

it('a document is written out as what its tasks stand for; kinds that are gone stay, with their data', () => {
  const tasks = new Map([['acme.order', taskOf(file)]])
  const document = documentOf({
    id: 'w',
    title: 'W',
    nodes: {
      a: { kind: 'acme.order', parameters: { url: 'https://shop.example/{{ input.id }}' } },
      b: { kind: 'acme.gone', parameters: { any: [1] } },
      c: { kind: 'noop', compensation: { task: { kind: 'acme.order', parameters: {} } } },
    },
  })
  const { nodes } = writtenOut(document, tasks)
  expect(Object.values(nodes)).toEqual([
    {
      kind: 'http-request',
      title: 'Read an order',
      parameters: { method: 'GET', url: 'https://shop.example/{{ input.id }}' },
    },
    { kind: 'acme.gone', parameters: { any: [1] } },
    { kind: 'noop', compensation: { task: { kind: 'http-request', parameters: file.based.parameters } } },
  ])
  const found = validateWorkflow(document, withCustomTasks(taskSpecsByKind, tasks.values()))
  expect(found.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'unknown_kind', nodeId: 'b', hint: expect.stringContaining('folder of custom tasks') },
  ])
})

it('a value for a parameter that the task has fixed is refused, and not left out in silence', () => {
  const tasks = new Map([['acme.order', taskOf(file)]])
  const document = documentOf({
    id: 'w',
    title: 'W',
    nodes: { a: { kind: 'acme.order', parameters: { method: 'POST' } } },
  })
  expect(() => writtenOut(document, tasks)).toThrow(/“method”.*acme\.order/)
  const plain = documentOf({ id: 'w', title: 'W', nodes: { a: { kind: 'noop' } } })
  expect(writtenOut(plain, tasks)).toBe(plain)
})

it('code of a workflow keeps the custom kind', () => {
  const nodes = { a: { kind: 'acme.order', parameters: { url: 'https://shop.example/2' } } }
  const document = documentOf({ id: 'w', title: 'W', nodes })
  const code = writeCode(document, { tasks: taskSpecsByKind, triggers: triggerSpecsByKind })
  const read = readCode(code)
  expect(read.ok && read.value.document.nodes).toEqual(nodes)
})
