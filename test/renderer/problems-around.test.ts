/** What is listed among the problems beside those of the document: task files, and triggers that hear nothing. */

import { expect, test } from 'vitest'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import type { TriggerView } from '../../src-engine/protocol/trigger-views.ts'
import { fileWatchSpec } from '../../src-engine/triggers/file-watch/spec.ts'
import { problemsAround } from '../../src-renderer/panels/problems/problems-around.ts'

const broken = (message: string, details: ErrorRecord['details']): ErrorRecord => ({
  ...{ code: 'task_file_invalid', message, hint: 'Correct the file.', details, retryable: false },
})

const parameters = { folder: '/in' }
/** As it is published: with the defaults of its kind. */
const view = (more: Partial<TriggerView>): TriggerView =>
  ({
    ...{ triggerId: 'files', kind: 'file-watch', title: null, enabled: true, switched: null, on: true },
    ...{
      problem: null,
      reading: null,
      folderProblem: null,
      parameters: fileWatchSpec.parameters.parse(parameters),
    },
    ...more,
    // The rest of a view isn't looked at here.
  }) as TriggerView

const around = (given: {
  readonly files?: readonly ErrorRecord[]
  readonly views?: readonly TriggerView[]
}) =>
  problemsAround({
    files: given.files ?? [],
    triggers: { files: { kind: 'file-watch', parameters }, byHand: { kind: 'manual' } },
    views: new Map((given.views ?? []).map((one) => [one.triggerId, one])),
    titleOf: () => 'On a file change',
  })

test('a task file is named, with the place in it, and leads to its path', () => {
  const path = '/data/tasks/greet.task.json'
  expect(
    around({ files: [broken(`${path}, line 1, column 12: a value is missing.`, { path, line: 1 })] }),
  ).toEqual([
    {
      key: expect.any(String),
      where: 'greet.task.json',
      what: 'Line 1, column 12: a value is missing.',
      hint: 'Correct the file.',
      at: { kind: 'file', path },
    },
  ])
  const windows = 'C:\\data\\tasks\\a.task.ts'
  expect(around({ files: [broken('It can’t be read.', { path: windows })] })).toMatchObject([
    { where: 'a.task.ts', what: 'It can’t be read.' },
  ])
  expect(around({ files: [broken('Odd.', {})] })).toMatchObject([{ where: 'Custom tasks', at: null }])
})

test('a trigger that is on and hears nothing is listed with what to do, and leads to its card', () => {
  const folderProblem = {
    code: 'file_not_found',
    message: 'There is no folder “/in”.',
    hint: 'Make it.',
    at: 0,
  }
  expect(around({ views: [view({ folderProblem })] })).toEqual([
    {
      key: 'trigger:files',
      where: 'On a file change',
      what: 'On, but its folder can’t be read: There is no folder “/in”.',
      hint: 'Make it.',
      at: { kind: 'trigger', id: 'files' },
    },
  ])
  expect(around({ views: [view({ problem: 'no such zone', on: false })] })).toMatchObject([
    { what: 'It can’t act: no such zone', hint: 'Its form says more.' },
  ])
})

test('nothing is listed of triggers that hear, are off, or are not published', () => {
  const folderProblem = { code: 'x', message: 'gone', hint: '', at: 0 }
  expect(around({ views: [view({})] })).toEqual([])
  expect(around({ views: [view({ folderProblem, on: false, switched: false })] })).toEqual([])
  expect(around({})).toEqual([])
})
