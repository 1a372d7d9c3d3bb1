/** What is kept of a serve session, and for whom. */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  endServeSession,
  readServeSession,
  writeServeSession,
} from '../../../src-engine/shell/serve-session.ts'
import { temporaryFolder } from './shell-fixtures.ts'

const session = { port: 4711, token: 'a'.repeat(43) }

test('a session that never ended is found again, one that ended is not', async () => {
  const path = join(temporaryFolder(), 'serve-session.json')
  expect(await readServeSession(path)).toBeNull()
  await writeServeSession(path, session)
  expect(await readServeSession(path)).toEqual(session)
  await endServeSession(path)
  expect(await readServeSession(path)).toBeNull()
  await endServeSession(path)
})

test('nothing but port and token is kept, readable for its owner only', async () => {
  const path = join(temporaryFolder(), 'serve-session.json')
  await writeServeSession(path, { ...session, url: 'http://127.0.0.1' } as typeof session)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(session)
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
})

test.for([
  ['a half-written file', '{"port":'],
  ['a port that is none', JSON.stringify({ ...session, port: 0 })],
  ['a token that somebody chose', JSON.stringify({ ...session, token: 'secret' })],
])('%s starts a new session', async ([, text]) => {
  const path = join(temporaryFolder(), 'serve-session.json')
  writeFileSync(path, text ?? '')
  expect(await readServeSession(path)).toBeNull()
})
