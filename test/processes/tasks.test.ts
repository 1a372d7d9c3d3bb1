/** `sagasmith tasks` as people and scripts call it: real processes, real files. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { sagasmith } from './sagasmith.ts'

function scene() {
  const data = temporaryFolder()
  const file = join(data, 'order.json')
  const parameters = {
    method: 'POST',
    url: 'https://shop.example/1',
    auth: { kind: 'bearer', token: 'sk-live-1' },
  }
  const document = {
    ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'order', title: 'Order', edges: {} },
    nodes: {
      read: { kind: 'http-request', title: 'Read an order', parameters },
      each: { kind: 'map', parameters: { items: 'input' } },
      hello: { kind: 'log', title: 'Say hello', parameters: { message: 'Hello' } },
    },
  }
  writeFileSync(file, JSON.stringify(document))
  return { data, file }
}

test('a step is saved as a task, listed, shown, run, and removed', async () => {
  const { data, file } = scene()
  const saved = await sagasmith(data, 'tasks', 'save', file, 'hello', '--open', 'message')
  expect(saved).toMatchObject({
    code: 0,
    lines: [{ type: 'task.saved', kind: 'my.say-hello', open: ['message'] }],
  })
  const { lines } = await sagasmith(data, 'tasks', 'list')
  expect(lines).toMatchObject([{ kind: 'my.say-hello', title: 'Say hello', based: 'log', open: ['message'] }])
  const shown = await sagasmith(data, 'tasks', 'show', 'my.say-hello')
  expect(shown.lines).toMatchObject([{ form: { properties: { message: { default: 'Hello' } } } }])

  const using = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...using, nodes: { a: { kind: 'my.say-hello', parameters: {} } } }))
  expect((await sagasmith(data, 'run', file)).code).toBe(0)

  expect(await sagasmith(data, 'tasks', 'remove', 'my.say-hello')).toMatchObject({ code: 0 })
  expect(await sagasmith(data, 'tasks', 'remove', 'my.say-hello')).toMatchObject({ code: 2 })
  expect(await sagasmith(data, 'tasks', 'show', 'my.say-hello')).toMatchObject({ code: 2 })
})

test('what is there is kept, a secret in plain text stays out, and what can’t be a task is said', async () => {
  const { data, file } = scene()
  const kind = ['--kind', 'acme.read-order']
  const { code, lines } = await sagasmith(data, 'tasks', 'save', file, 'read', ...kind)
  expect({ code, lines }).toMatchObject({ code: 0, lines: [{ open: ['auth'] }] })
  const path = join(data, 'tasks', 'acme.read-order.task.json')
  expect(readFileSync(path, 'utf8')).not.toContain('sk-live-1')
  expect((await sagasmith(data, 'tasks', 'save', file, 'hello', ...kind)).code).toBe(2)
  expect(readFileSync(path, 'utf8')).toContain('http-request')
  expect((await sagasmith(data, 'tasks', 'save', file, 'hello', ...kind, '--replace')).code).toBe(0)
  expect(readFileSync(path, 'utf8')).toContain('"log"')
  for (const wrong of [
    ['save', file, 'each'],
    ['save', file, 'nobody'],
    ['save', file, 'hello', '--open', 'speed'],
    ['list', '--replace'],
    ['paint'],
  ])
    expect((await sagasmith(data, 'tasks', ...wrong)).code, wrong.join(' ')).toBe(2)
})

test('a file that can’t be used is listed with the reason', async () => {
  const { data } = scene()
  mkdirSync(join(data, 'tasks'))
  writeFileSync(join(data, 'tasks', 'half.task.json'), '{ "format": ')
  const { code, lines } = await sagasmith(data, 'tasks', 'list')
  expect({ code, lines }).toMatchObject({ code: 1, lines: [{ type: 'problem', code: 'task_file_invalid' }] })
})
