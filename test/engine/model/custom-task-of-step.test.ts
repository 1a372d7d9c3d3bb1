/** A task made of a configured step: what is part of it, what stays open, and what no file may hold. */

import { expect, it } from 'vitest'
import { readCustomTask } from '../../../src-engine/model/custom-task.ts'
import {
  keptByStep,
  plainSecretFields,
  suggestedKind,
  suggestedOpen,
  taskFileText,
  taskMaterial,
  taskOfStep,
} from '../../../src-engine/model/custom-task-of-step.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { subWorkflowSpec } from '../../../src-engine/tasks/sub-workflow/spec.ts'

const wish = { kind: 'acme.order', title: 'Read an order', description: '', icon: 'box' }

const made = (parameters: JsonObject, open: readonly string[] = []) => {
  const material = taskMaterial(httpRequestSpec, parameters)
  if (material === null) throw new Error('It can be made a task.')
  return { material, task: taskOfStep(material, { ...wish, category: 'network', open }) }
}

it('what the step says is fixed, and what is open begins with it', () => {
  const { task, material } = made({ method: 'POST', url: 'https://shop.example/{{ input.id }}' }, ['url'])
  expect(task.based).toEqual({
    kind: 'http-request',
    parameters: { method: 'POST', url: 'https://shop.example/{{ input.id }}' },
  })
  expect(task.open).toEqual(['url'])
  expect(task).not.toHaveProperty('category')
  expect(keptByStep(material, task)).toEqual({ url: 'https://shop.example/{{ input.id }}' })
  expect(readCustomTask(JSON.parse(taskFileText(task)), taskSpecsByKind)).toEqual({ task })
})

it('what reads around the step is better open, and then begins empty elsewhere', () => {
  const parameters = {
    url: 'https://shop.example/{{ nodes.order.output.id }}',
    query: { item: '{{ item.id }}', field: '{{ input.nodes }}' },
    headers: { accept: 'text/plain' },
  }
  const { material, task } = made(parameters, ['url'])
  expect(suggestedOpen(material)).toEqual(['url', 'query'])
  expect(task.based.parameters).toEqual({ query: parameters.query, headers: parameters.headers })
  expect(keptByStep(material, task)).toEqual({ url: parameters.url })
})

it('a secret stays a reference; one in plain text stays with the step, whatever is wished', () => {
  const referenced = made({ url: 'https://a.example', headers: { authorization: '{{ secrets.KEY }}' } })
  expect(referenced.task.based.parameters).toHaveProperty('headers')
  expect(referenced.task.open).toEqual([])
  const parameters = {
    url: 'https://a.example',
    auth: { kind: 'bearer', token: 'sk-live-1' },
    headers: { 'X-Api-Key': 'sk-live-2' },
  }
  const { material, task } = made(parameters)
  expect(task.open).toEqual(['headers', 'auth'])
  expect(taskFileText(task)).not.toContain('sk-live')
  expect(keptByStep(material, task)).toEqual({ auth: parameters.auth, headers: parameters.headers })
  const held = { ...task, based: { kind: 'http-request', parameters } }
  expect(plainSecretFields(held, httpRequestSpec)).toEqual(['headers', 'auth'])
  expect(plainSecretFields(task, httpRequestSpec)).toEqual([])
})

it('kinds that shape the way of a run are no material', () => {
  const left = [...taskSpecsByKind.values()].filter((spec) => taskMaterial(spec, {}) === null)
  expect(left.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['map', 'loop', 'fork', 'join', 'semaphore']),
  )
  expect(left.map(({ kind }) => kind)).not.toContain('sub-workflow')
})

it('a kind is suggested for every title, in the space that most tasks are in', () => {
  expect(suggestedKind('Read an order', [])).toBe('my.read-an-order')
  expect(suggestedKind('  2. Größe & Café!', ['acme.one', 'acme.two', 'my.x'])).toBe('acme.grosse-cafe')
  expect(suggestedKind('訂單', [])).toBe('my.task')
  for (const title of ['', '-', '9', 'x'.repeat(300), 'a'.repeat(95) + '-b']) {
    const kind = suggestedKind(title, [])
    const { task } = made({ url: 'https://a.example' })
    expect(readCustomTask({ ...task, kind }, taskSpecsByKind), kind).toHaveProperty('task')
  }
})

it('a call made a task asks for its input field by field, and the step says what it said', () => {
  const form = { type: 'object', properties: { order: { type: 'string' }, note: { type: 'string' } } }
  const call = (input: JsonObject) => {
    const material = taskMaterial(subWorkflowSpec, { workflow: 'wf_price', ...input })
    if (material === null) throw new Error('It can be made a task.')
    const task = taskOfStep(material, { ...wish, category: 'flow', open: ['input'], inputForm: form })
    expect(readCustomTask(JSON.parse(taskFileText(task)), taskSpecsByKind)).toEqual({ task })
    return { task, kept: keptByStep(material, task) }
  }
  const { task, kept } = call({ input: '{ "order": nodes.a.output }' })
  expect(task).toMatchObject({ open: [], inputForm: form, based: { parameters: { workflow: 'wf_price' } } })
  expect(task.based.parameters).not.toHaveProperty('input')
  expect(kept).toEqual({
    order: '{{ ({ "order": nodes.a.output }).`order` }}',
    note: '{{ ({ "order": nodes.a.output }).`note` }}',
  })
  expect(call({}).kept).toEqual({ order: '{{ input.`order` }}', note: '{{ input.`note` }}' })
})
