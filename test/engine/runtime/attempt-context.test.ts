import { expect, it } from 'vitest'
import type { LogLine } from '../../../src-engine/model/attempt.ts'
import type { AttemptContextParts } from '../../../src-engine/runtime/attempt-context.ts'
import { AttemptContext } from '../../../src-engine/runtime/attempt-context.ts'
import { AttemptLog } from '../../../src-engine/runtime/attempt-log.ts'
import { fakeClock } from '../shell/shell-fixtures.ts'

it('gives a task functions that it may take out and call alone', async () => {
  const lines: LogLine[] = []
  const told: string[] = []
  const parts: Partial<AttemptContextParts> = {
    log: new AttemptLog((line) => lines.push(line)),
    clock: fakeClock(),
    beats: { beat: () => told.push('beat') } as unknown as AttemptContextParts['beats'],
    execution: { setPausable: () => told.push('pausable') } as unknown as AttemptContextParts['execution'],
    echoService: async () => 'http://127.0.0.1:1',
  }
  const { log, beat, setPausable, echoService } = new AttemptContext(parts as AttemptContextParts)
  log({ level: 'info', stream: 'task', text: 'here' })
  beat()
  setPausable(null)
  expect(await echoService()).toBe('http://127.0.0.1:1')
  expect(lines).toMatchObject([{ text: 'here' }])
  expect(told).toEqual(['beat', 'beat', 'pausable'])
})
