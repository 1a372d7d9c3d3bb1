/** A task with code that can tell whether a step happened: what it says, and what counts as not knowing. */

import { describe, expect, test } from 'vitest'
import type { CodeTask } from '../../src-engine/model/code-task.ts'
import { codeTaskStep, withCodeTasks } from '../../src-engine/model/code-task.ts'
import { codeTaskSpec } from '../../src-engine/tasks/code-task/spec.ts'
import { taskContext, thrownBy } from '../support/task-context.ts'
import { file, read, task } from './task-files.ts'

describe('the probe', () => {
  // Of code that ends by itself no machine is so slow.
  const probe = async (text: string, timeoutMs = 20_000) => {
    const { face, code } = await read(text)
    const { kind, parameters, output } = face
    const told = { task: kind, code, schema: parameters, output: output ?? {}, timeoutMs }
    const given = codeTaskSpec.parameters.parse(told)
    return task.probe?.(given, taskContext({ attempt: 2, echoService: async () => 'http://127.0.0.1:9' }))
  }
  const output = `output: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }`

  test('says whether it happened, and what it gave', async () => {
    const happened = `run: () => ({ id: 'a' }), probe: ({ idempotencyKey, attempt }) =>
      ({ happened: true, output: { id: idempotencyKey.slice(0, 0) + attempt } })`
    expect(await probe(file(`${output}, ${happened}`))).toEqual({
      happened: true,
      output: { id: '2' },
      ports: null,
    })
    expect(await probe(file('run: () => 1, probe: async () => ({ happened: false, output: 3 })'))).toEqual({
      happened: false,
    })
  })

  test.for<[string, string]>([
    ['() => undefined', 'task_output_invalid'],
    ['() => true', 'task_output_invalid'],
    ['() => ({ happened: "yes" })', 'task_output_invalid'],
    ['() => ({ happened: true, output: { id: 7 } })', 'task_output_invalid'],
    ['() => { throw new Error("who knows") }', 'script_failed'],
    ['() => { for (;;); }', 'script_limit'],
  ])('%s tells nothing', async ([code, expected]) => {
    const text = file(`${output}, run: () => ({ id: 'a' }), probe: ${code}`)
    const timeoutMs = expected === 'script_limit' ? 300 : undefined
    expect(await thrownBy(async () => probe(text, timeoutMs))).toMatchObject({ code: expected })
  })

  test('only a file that has one lets a step find out', async () => {
    const withOne = await read(file('run: () => 1, probe: () => ({ happened: false })'))
    const without = await read(file('run: () => 1'))
    const step = { kind: 'acme.charge', parameters: {} }
    const probes = (read: CodeTask) => ({
      spec: withCodeTasks(new Map(), [read]).get('acme.charge')?.probes?.({}) ?? false,
      written: codeTaskSpec.probes(codeTaskStep(read, step).parameters),
    })
    expect(probes(withOne)).toEqual({ spec: true, written: true })
    expect(probes(without)).toEqual({ spec: false, written: false })
    expect(codeTaskStep(without, step).parameters).not.toHaveProperty('probes')
  })
})
