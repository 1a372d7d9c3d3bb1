import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { redactedByName } from '../../../src-engine/model/sensitive-names.ts'
import { createFileLogger, logLine } from '../../../src-engine/shell/log.ts'
import { fakeClock, temporaryFolder } from './shell-fixtures.ts'

const entry = (fields: JsonObject) =>
  ({ at: '2026-01-02T03:04:05.000Z', level: 'warn', event: 'claim.failed', pid: 7, fields }) as const

test('a line of JSON names the ids of what it is about', () => {
  const fields = { runId: 'r1', invocationId: 'i1', nodeId: 'n1', runnerId: 'w1', workflowId: 'f1', count: 2 }
  expect(JSON.parse(logLine(entry(fields), 'json'))).toEqual({
    at: '2026-01-02T03:04:05.000Z',
    level: 'warn',
    event: 'claim.failed',
    pid: 7,
    run_id: 'r1',
    invocation_id: 'i1',
    node_id: 'n1',
    runner_id: 'w1',
    workflow_id: 'f1',
    count: 2,
  })
})

test('a line of text is one line, whatever a field holds', () => {
  const line = logLine(entry({ runId: 'r1', error: 'two\nlines = "one" \u001b[2J' }), 'text')
  expect(line).toBe(
    '2026-01-02T03:04:05.000Z warn  claim.failed run_id=r1 error="two\\nlines = \\"one\\" \\u001b[2J"',
  )
})

test.for([
  'authorization',
  'Proxy-Authorization',
  'Cookie',
  'set-cookie',
  'password',
  'db_password',
  'apiKey',
  'X-API-Key',
  'API_KEY',
  'clientSecret',
  'access_token',
  'sessionId',
  'credentials',
])('the value under %s is left out at any depth', (name) => {
  const fields = { request: { headers: [{ [name]: 'hush' }] }, [name]: { nested: 'hush' } }
  expect(JSON.stringify(redactedByName(fields))).not.toContain('hush')
})

test('a token inside of a text is left out, other texts and names stay', () => {
  const fields = { error: 'got 401 for Bearer abc.def-123', tokens: 3, keyboard: 'de', runId: 'r1' }
  expect(redactedByName(fields)).toEqual({ ...fields, error: 'got 401 for Bearer (redacted)' })
})

test('the level decides what is written', async () => {
  const folder = temporaryFolder()
  const log = createFileLogger(folder, { level: 'warn', format: 'json' }, fakeClock())
  log.debug('a')
  log.info('b')
  log.warn('c')
  log.error('d', { token: 'hush' })
  await log.close()
  const lines = readFileSync(join(folder, 'engine.log'), 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['c', 'd'])
  expect(lines.join()).not.toContain('hush')
})
