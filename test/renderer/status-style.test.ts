import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { invocationStatuses } from '../../src-engine/model/invocation-status.ts'
import { runStatuses } from '../../src-engine/model/run-status.ts'
import { taskSpecs } from '../../src-engine/tasks/specs.ts'
import { runLook } from '../../src-renderer/status/run-look.ts'
import { asItWas, invocationStyle, runStyle } from '../../src-renderer/status/status-style.ts'
import { hasTaskIcon } from '../../src-renderer/ui/task-icon.ts'
import { runRecord } from './factories.ts'

const tokens = readFileSync(new URL('../../src-renderer/theme/tokens.css', import.meta.url), 'utf8')
const themes = tokens.split(':root[data-theme=').slice(1)

describe('looks', () => {
  test('every status has a word, an icon and a tone that both themes know', () => {
    expect(Object.keys(invocationStyle)).toEqual([...invocationStatuses])
    expect(Object.keys(runStyle)).toEqual([...runStatuses])
    for (const style of [...Object.values(invocationStyle), ...Object.values(runStyle)]) {
      expect(style.label).toMatch(/^[A-Z]/)
      for (const theme of themes) expect(theme).toContain(`--tone-${style.tone}:`)
    }
  })

  test('both themes define the same tokens', () => {
    const [dark = '', light = ''] = themes
    const names = (text: string) => [...text.matchAll(/--[\w-]+(?=:)/g)].map(([name]) => name)
    expect(names(light)).toEqual(names(dark))
  })

  test('every task kind has an icon of its own', () => {
    for (const spec of Object.values(taskSpecs)) expect(hasTaskIcon(spec.icon), spec.icon).toBe(true)
  })
})

test('a run says that it stands in line, pauses or stops, not only what it is', () => {
  const label = (changes: Parameters<typeof runRecord>[0]) => runLook(runRecord(changes)).label
  const waitReason = { code: 'workflow_limit', message: 'Others run.' }
  expect(label({ status: 'CREATED' })).toBe('Starting')
  expect(label({ status: 'CREATED', waitReason })).toBe('In line')
  expect(label({ status: 'RUNNING', pauseRequestedAt: 5 })).toBe('Pausing …')
  expect(label({ status: 'RUNNING', cancelRequestedAt: 5 })).toBe('Stopping')
  expect(label({ status: 'SUCCEEDED', finishedAt: 9 })).toBe('Succeeded')
})

test('what was going on at some time has no look of what goes on', () => {
  expect(asItWas(invocationStyle.RUNNING)).toEqual({
    ...invocationStyle.RUNNING,
    tone: 'neutral',
    isMoving: false,
  })
  expect(asItWas(invocationStyle.FAILED)).toBe(invocationStyle.FAILED)
})
