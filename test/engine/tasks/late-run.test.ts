/** Kinds whose code is loaded with their first step. */

import { expect, test, vi } from 'vitest'
import { lateProbingRun, lateRun } from '../../../src-engine/tasks/late-run.ts'
import type { ProbingRun, TaskRun } from '../../../src-engine/tasks/task.ts'
import { completed } from '../../../src-engine/tasks/task.ts'
import { taskContext } from '../../support/task-context.ts'

const echo = (): TaskRun<string> => ({ execute: (text) => completed(text) })

test('it is loaded with the first step, and never again', async () => {
  const load = vi.fn<() => Promise<TaskRun<string>>>(async () => echo())
  const run = lateRun(load)
  expect(load).not.toHaveBeenCalled()
  expect(await run.execute('one', taskContext())).toEqual(completed('one'))
  expect(await run.execute('two', taskContext())).toEqual(completed('two'))
  expect(load).toHaveBeenCalledTimes(1)
})

test('steps that come while it is loaded share what it keeps between them', async () => {
  const load = vi.fn<() => Promise<TaskRun<string>>>(async () => {
    const seen: string[] = []
    const keeping: TaskRun<string> = {
      execute(text) {
        seen.push(text)
        return completed([...seen])
      },
    }
    return keeping
  })
  const run = lateRun(load)
  const both = await Promise.all([run.execute('one', taskContext()), run.execute('two', taskContext())])
  expect(both).toEqual([completed(['one']), completed(['one', 'two'])])
  expect(load).toHaveBeenCalledTimes(1)
})

test('once it is loaded, a step that takes no time takes none', async () => {
  const run = lateRun(async () => echo())
  await run.execute('first', taskContext())
  expect(run.execute('second', taskContext())).toEqual(completed('second'))
})

test('who is cancelled while it is loaded never begins, and holds nobody else up', async () => {
  const execute = vi.fn<TaskRun<string>['execute']>(() => completed(null))
  const run = lateRun<string>(async () => ({ execute }))
  const cancelled = new AbortController()
  const first = run.execute('first', taskContext({ signal: cancelled.signal }))
  const second = run.execute('second', taskContext())
  cancelled.abort()
  await expect(first).rejects.toMatchObject({ code: 'task_cancelled' })
  expect(await second).toEqual(completed(null))
  expect(execute.mock.calls.map(([text]) => text)).toEqual(['second'])
})

test('what could not be loaded fails the step, and is tried again by the next', async () => {
  const load = vi.fn<() => Promise<TaskRun<string>>>(async () => echo())
  load.mockRejectedValueOnce(new Error('the file is gone'))
  const run = lateRun(load)
  await expect(run.execute('one', taskContext())).rejects.toThrow('the file is gone')
  expect(await run.execute('two', taskContext())).toEqual(completed('two'))
})

test('a kind that can find out whether a step happened is loaded by that question, too', async () => {
  const load = vi.fn<() => Promise<ProbingRun<string>>>(async () => ({
    ...echo(),
    probe: async (text: string) => ({ happened: true as const, output: text, ports: null }),
  }))
  const run = lateProbingRun(load)
  expect(await run.probe('asked', taskContext())).toEqual({ happened: true, output: 'asked', ports: null })
  expect(await run.execute('one', taskContext())).toEqual(completed('one'))
  expect(load).toHaveBeenCalledTimes(1)
})
