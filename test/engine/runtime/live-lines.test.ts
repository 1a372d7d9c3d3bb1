/** What running tasks print, for those who come late. */

import { expect, test } from 'vitest'
import { invocationId, runId } from '../../../src-engine/model/ids.ts'
import type { LiveLine } from '../../../src-engine/runtime/engine.ts'
import { createLiveLines } from '../../../src-engine/runtime/live-lines.ts'

const line = (invocation: string, text: string): LiveLine => ({
  runId: runId(invocation.split('/')[0] ?? ''),
  invocationId: invocationId(invocation),
  line: { at: 0, level: 'info', stream: 'stdout', text },
})

test('lines of work under way are kept by run until it has ended', () => {
  const live = createLiveLines()
  const heard: string[] = []
  const stop = live.listen(({ line: { text } }) => heard.push(text))
  for (const item of [line('r1/a', 'one'), line('r2/a', 'two'), line('r1/b', 'three')]) live.add(item)
  stop()
  live.add(line('r1/a', 'four'))
  expect(heard).toEqual(['one', 'two', 'three'])
  expect(live.soFar(runId('r1')).map((item) => item.line.text)).toEqual(['one', 'four', 'three'])
  live.forget(invocationId('r1/a'))
  expect(live.soFar(runId('r1')).map((item) => item.line.text)).toEqual(['three'])
})

test('a step that prints without end keeps only its last lines', () => {
  const live = createLiveLines()
  for (let index = 0; index < 2_000; index += 1) live.add(line('r1/a', String(index)))
  const kept = live.soFar(runId('r1'))
  expect(kept.length).toBeLessThanOrEqual(500)
  expect(kept.at(-1)?.line.text).toBe('1999')
})
