/** The safety policy from the terminal: a real kernel over TLS, and a breaker that processes share. */

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { createAuthority } from '../support/certificates.ts'
import { sagasmithGiven } from './sagasmith.ts'

/** A data directory with a workflow of one step, and the product on it: a process each where there is a kernel. */
function scene(environment: Record<string, string> = {}) {
  const folder = temporaryFolder()
  const piped = Object.keys(environment).length === 0 ? {} : { typed: '' }
  const file = (name: string, content: object): string => {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify(content))
    return path
  }
  const nodes = { a: { kind: 'transform', parameters: { expression: '1' } } }
  const document = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'W', nodes, edges: {} }
  const sagasmith = (...args: readonly string[]) =>
    sagasmithGiven(join(folder, 'd'), args, { environment, ...piped })
  const rules = (...all: readonly JsonObject[]): string =>
    file('policy.json', {
      format: 'sagasmith.policy',
      schemaVersion: 1,
      defaultDecision: 'ALLOW',
      rules: all,
    })
  const workflow = file('w.json', document)
  const run = async () => (await sagasmith('run', workflow)).lines.at(-1)
  return { folder, sagasmith, rules, run }
}

const deny = { id: 'no', match: { kinds: ['transform'] }, decision: 'DENY', reason: 'Not today.' }

test('a policy is shown, tried out, set, replayed, taken back, and gone back to', async () => {
  const { sagasmith, rules, run } = scene()
  expect((await sagasmith('policy', 'show')).lines).toMatchObject([
    { type: 'policy', hash: null, failMode: 'closed', remote: null },
  ])
  expect(await run()).toMatchObject({ status: 'SUCCEEDED' })

  const file = rules(deny)
  const question = ['--request', '{"kind":"transform","workflowId":"w"}'] as const
  const tried = await sagasmith('policy', 'test', file, ...question)
  expect(tried.lines).toMatchObject([{ type: 'trial', decision: 'DENY', ruleId: 'no', reason: 'Not today.' }])
  const replayed = await sagasmith('policy', 'replay', file)
  expect(replayed.lines).toMatchObject([
    { type: 'difference', nodeId: 'a', change: 'escalated', before: 'ALLOW', after: 'DENY' },
    { type: 'replay', runs: 1, escalated: 1 },
  ])

  const set = await sagasmith('policy', 'set', file, '--as', 'ada', '--note', 'for now')
  expect(set).toMatchObject({ code: 0, lines: [{ type: 'policy', policy: { rules: [{ id: 'no' }] } }] })
  const [first = ''] = [set.lines[0]?.['hash']] as readonly string[]
  expect(await run()).toMatchObject({ status: 'DENIED', error: { code: 'safety_denied' } })

  await sagasmith('policy', 'set', rules({ ...deny, decision: 'ALLOW' }), '--as', 'bob')
  const { lines: history } = await sagasmith('policy', 'history')
  expect(history).toMatchObject([
    { type: 'snapshot', by: 'bob', isCurrent: true },
    { type: 'snapshot', by: 'ada', note: 'for now', hash: first, isCurrent: false },
  ])
  const back = await sagasmith('policy', 'rollback', first, '--as', 'eve')
  expect(back).toMatchObject({ code: 0, lines: [{ hash: first }] })
  expect((await sagasmith('policy', 'clear', '--as', 'eve')).lines).toMatchObject([{ hash: null }])

  const { lines: audit } = await sagasmith('audit', '--about', 'policy')
  expect(audit).toMatchObject([
    { type: 'audit', act: 'cleared', by: 'eve', hash: null },
    { act: 'set', by: 'eve', hash: first },
    { act: 'set', by: 'bob' },
    { act: 'set', by: 'ada', reason: 'for now', hash: first },
    { type: 'audit.page', next: null },
  ])
})

test('what makes no sense is refused, and what counts stays', async () => {
  const { sagasmith, rules } = scene()
  const wrong = await sagasmith('policy', 'set', rules({ id: 'x', decision: 'PERHAPS' }))
  expect(wrong).toMatchObject({ code: 2, lines: [{ error: { code: 'policy_invalid' } }] })
  expect(await sagasmith('policy', 'rollback', 'policy_none')).toMatchObject({
    code: 1,
    lines: [{ error: { code: 'policy_not_found' } }],
  })
  expect((await sagasmith('policy', 'test')).code).toBe(2)
  expect((await sagasmith('policy', 'show')).lines).toMatchObject([{ hash: null }])
})

/** A kernel over TLS; nobody answers there once it is closed. */
async function kernel(decision: string) {
  const authority = createAuthority()
  const asked: JsonObject[] = []
  const server = createServer(authority.certify('127.0.0.1'), (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
    request.on('end', () => {
      asked.push(JSON.parse(body) as JsonObject)
      response.end(JSON.stringify({ decision, reason: 'So it says.' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()))
  onTestFinished(close)
  const ca = join(temporaryFolder(), 'ca.pem')
  writeFileSync(ca, authority.cert)
  const { port } = server.address() as AddressInfo
  const environment = {
    SAFETY_KERNEL_URL: `https://127.0.0.1:${port}/`,
    SAFETY_KERNEL_TLS_CA: ca,
    SAFETY_KERNEL_TLS_REQUIRED: 'true',
  }
  return { environment, asked, close }
}

test('a kernel over TLS is asked about the start and each step, and what it denies is denied', async () => {
  const { environment, asked } = await kernel('DENY')
  const { run, sagasmith } = scene(environment)
  expect(await run()).toMatchObject({ status: 'DENIED', error: { code: 'safety_denied' } })
  expect(asked).toMatchObject([{ at: 'start', workflowId: 'w' }])
  expect((await sagasmith('policy', 'show')).lines).toMatchObject([
    { remote: { breaker: 'input', status: 'closed', failures: 0, here: true } },
  ])
})

test('a kernel that is gone opens the breaker for every process, also for those that only look', async () => {
  const { environment, close } = await kernel('ALLOW')
  const open = { ...environment, POLICY_CHECK_FAIL_MODE: 'open' }
  const asking = scene(open)
  expect(await asking.run()).toMatchObject({ status: 'SUCCEEDED' })
  await close()
  // Two questions a run, the start and the step: the third that fails opens it.
  expect(await asking.run()).toMatchObject({ status: 'SUCCEEDED' })
  expect((await asking.sagasmith('policy', 'show')).lines).toMatchObject([
    { failMode: 'open', remote: { status: 'closed', failures: 2, openUntil: null } },
  ])
  expect(await asking.run()).toMatchObject({ status: 'SUCCEEDED' })
  const looking = await sagasmithGiven(join(asking.folder, 'd'), ['policy', 'show'])
  expect(looking.lines).toMatchObject([
    { failMode: 'closed', remote: { status: 'open', openUntil: expect.any(Number), here: false } },
  ])
  const { lines } = await asking.sagasmith('runs', 'list')
  const [id = ''] = [lines[0]?.['id']] as readonly string[]
  const shown = await asking.sagasmith('runs', 'show', id)
  expect(shown.text).toContain('safety_bypassed')
})
