/** The commands of triggers, events, webhooks and circuit breakers as people and scripts call them: words, lines, exit codes. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import type { EngineHost } from '../../src-engine/shell/engine-host.ts'
import { openEngineHost } from '../../src-engine/shell/engine-host.ts'
import { documentOf, edgesOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { sagasmith, told } from './sagasmith.ts'

async function opened(folder: string): Promise<EngineHost> {
  const host = await openEngineHost({
    dataDir: folder,
    role: 'serve',
    mode: 'work',
    canRunAtomicService: true,
    settings: loadSettings({ flags: { data: folder }, environment: { SAGASMITH_WEBHOOK_PORT: '0' } }),
  })
  onTestFinished(() => host.close())
  return host
}

const triggers = {
  daily: { kind: 'cron', parameters: { expression: '0 9 * * *', timeZone: 'Europe/Lisbon' } },
  paid: { kind: 'event', title: 'On payment', parameters: { name: 'order.*', filter: { total: 7 } } },
  hook: { kind: 'webhook', parameters: { path: 'orders', auth: { kind: 'none' } } },
}

/** A data directory that an engine works on, with a workflow in a file of its own. */
async function scene(): Promise<{ readonly data: string; readonly file: string; readonly host: EngineHost }> {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  const file = join(folder, 'orders.json')
  writeFileSync(file, JSON.stringify(documentOf({ nodes: { a: { kind: 'noop' } }, triggers })))
  return { data, file, host: await opened(data) }
}

const textIn = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

test('publish, triggers and event: a workflow from its file to why its run began', async () => {
  const { data, file, host } = await scene()
  expect(await told(data, 'triggers', 'list')).toMatchObject({
    code: 0,
    text: 'No published workflow has triggers.\n',
  })
  const published = await told(data, 'publish', file)
  expect(published).toMatchObject({ code: 0 })
  expect(published.text).toMatch(/^Published w1_\w+\. Its 3 triggers act while/)
  expect(await sagasmith(data, 'publish', file)).toMatchObject({
    code: 0,
    lines: [{ type: 'workflow.published', isNew: false, triggers: 3 }],
  })
  const emit = ['event', 'emit', 'order.paid', '--id', 'm1', '--payload']
  expect(await sagasmith(data, ...emit, '{"total": 7}')).toMatchObject({
    code: 0,
    lines: [{ type: 'event.emitted', name: 'order.paid', outcome: 'accepted' }],
  })
  expect(await told(data, ...emit, '{"total": 7}')).toMatchObject({
    code: 0,
    text: 'Received before: nothing has changed.\n',
  })
  const fired = () =>
    host.engine.triggers['triggers.firings']({ workflowId: null, triggerId: null, after: null, limit: 9 })
  await expect.poll(async () => (await fired()).firings.length, { timeout: 60_000 }).toBe(1)
  const [events, firings, list, words] = await Promise.all([
    sagasmith(data, 'event', 'list'),
    sagasmith(data, 'triggers', 'firings', 'w', 'paid'),
    sagasmith(data, 'triggers', 'list', 'w'),
    told(data, 'triggers', 'list'),
  ])
  expect(events).toMatchObject({ code: 0, lines: [{ type: 'event', name: 'order.paid', messageId: 'm1' }] })
  expect(firings).toMatchObject({ code: 0, lines: [{ type: 'firing', triggerId: 'paid', reason: null }] })
  const run = textIn(firings.lines[0]?.['runId'])
  expect(list.lines).toMatchObject([
    { type: 'trigger', triggerId: 'daily', on: true, kind: 'cron', lastFired: null },
    { type: 'trigger', triggerId: 'hook', on: true, kind: 'webhook', lastFired: null },
    { type: 'trigger', triggerId: 'paid', on: true, kind: 'event', lastFired: { runId: run } },
  ])
  expect(words.text).toMatch(/^w daily {2}on {2}cron, next .*T0[89]:00:00.000Z$/m)
  expect(words.text).toMatch(/^w paid {2}on {2}event, last /m)
  const event = textIn(events.lines[0]?.['id'])
  const [shown, shownWords, why, whyWords, one] = await Promise.all([
    sagasmith(data, 'event', 'show', event),
    told(data, 'event', 'show', event),
    sagasmith(data, 'triggers', 'why', run),
    told(data, 'triggers', 'why', run),
    sagasmith(data, 'triggers', 'show', 'w', 'paid'),
  ])
  expect(shown).toMatchObject({ code: 0, lines: [{ type: 'event', payload: { total: 7 } }] })
  expect(shownWords.text).toContain(`w paid: ${run}`)
  expect(why.lines).toMatchObject([{ type: 'run.reason', runId: run, firing: { triggerId: 'paid' } }])
  expect(whyWords.text).toMatch(/event “order\.paid” of /)
  expect(one.lines.map(({ type }) => type)).toEqual(['trigger', 'firing'])
  expect(one.lines[0]).toMatchObject({ lastFired: { runId: run } })
})

test('triggers are switched, fired and cleared, and tell how they stand', async () => {
  const { data, file } = await scene()
  await sagasmith(data, 'publish', file)
  const state = async (word: string): Promise<JsonObject | undefined> =>
    (await sagasmith(data, 'triggers', word, 'w', 'daily')).lines[0]
  expect(await state('disable')).toMatchObject({ on: false, switched: false, nextAt: null })
  expect(await state('enable')).toMatchObject({ on: true, switched: true })
  expect(await state('reset')).toMatchObject({ on: true, switched: null })
  expect((await told(data, 'triggers', 'disable', 'w', 'daily')).text).toMatch(/^w daily {2}off /)
  expect(await sagasmith(data, 'triggers', 'fire', 'w', 'daily', '--input', '{"by": "me"}')).toMatchObject({
    code: 0,
    lines: [{ type: 'firing', triggerId: 'daily', reason: null, sources: [{ kind: 'hand' }] }],
  })
  expect(await sagasmith(data, 'triggers', 'clear', 'w', 'daily')).toMatchObject({
    code: 0,
    lines: [{ type: 'trigger', dropped: 0 }],
  })
  expect(await told(data, 'triggers', 'clear', 'w', 'daily')).toMatchObject({
    code: 0,
    text: 'It waited with nothing.\n',
  })
  const month = await sagasmith(data, 'triggers', 'month', '2026-03', '--zone', 'Europe/Lisbon')
  expect(month.code).toBe(0)
  expect(month.lines.length).toBeGreaterThan(27)
})

test('addresses that nobody signs are told in words and lines, and a test address from the terminal', async () => {
  const { data, file } = await scene()
  await sagasmith(data, 'publish', file)
  const list = async () => (await sagasmith(data, 'webhooks')).lines
  await expect.poll(async () => (await list()).at(-1)?.['kind'], { timeout: 60_000 }).toBe('listening')
  expect(await list()).toMatchObject([
    { type: 'webhook', triggerId: 'hook', auth: 'none', unsigned: true, method: 'POST' },
    { type: 'webhooks.listening', place: { address: '127.0.0.1', publicUrl: null } },
  ])
  const words = await told(data, 'webhooks', 'list')
  expect(words.text).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/hooks\//)
  expect(words.text).toContain('unsigned: whoever has the address may call')
  expect(await told(data, 'webhooks', 'captures', 'w', 'hook')).toMatchObject({
    code: 0,
    text: 'Nothing was captured: begin with `webhooks test`.\n',
  })
  const test = await told(data, 'webhooks', 'test', 'w', 'hook')
  expect(test).toMatchObject({ code: 0 })
  const url = test.text.split('\n')[0] ?? ''
  const response = await fetch(url, {
    method: 'POST',
    body: 'hello',
    headers: { 'content-type': 'text/plain' },
  })
  expect(response.status).toBe(202)
  const captures = await told(data, 'webhooks', 'captures', 'w', 'hook')
  expect(captures.text).toMatch(/POST 5 bytes from 127\.0\.0\.1 {2}would start a run {2}\S+/)
  const id = /would start a run {2}(\S+)/.exec(captures.text)?.[1] ?? ''
  expect((await told(data, 'webhooks', 'show', id)).text).toContain('"body": "hello"')
  expect((await told(data, 'webhooks', 'resend', id)).text).toMatch(/^Started run_/)
  expect((await told(data, 'webhooks', 'captures', 'w', 'hook', '--clear')).text).toBe('Forgotten: 1.\n')
  expect((await told(data, 'webhooks', 'test', 'w', 'hook', '--stop')).text).toBe(
    'The test address takes no more calls.\n',
  )
})

test('a circuit breaker that opened is told and closed by hand; a step that is called tells its address', async () => {
  const { data, host } = await scene()
  expect(await told(data, 'circuits')).toMatchObject({ code: 0, text: 'Every circuit breaker is closed.\n' })
  const nodes = {
    guard: { kind: 'circuit-breaker', parameters: { failures: 1, openMs: 3_600_000, key: 'input.of' } },
    pay: { kind: 'debug', parent: 'guard', parameters: { failTimes: 9, retryable: false } },
    wait: { kind: 'wait-webhook', title: 'The bank calls', parameters: {} },
  }
  const document = documentOf({ nodes, edges: edgesOf('guard:error>wait') })
  const begun = { document, input: { of: 'ada' }, requestId: null, baseDirectory: null }
  const { runId } = await host.engine.startRun(begun)
  const status = async () => (await host.engine.store.load(0, 'run', { runId }))?.status
  await expect.poll(status, { timeout: 60_000 }).toBe('WAITING')
  const open = async () => (await host.engine.circuits.list(null)).map(({ circuit }) => circuit.status)
  await expect.poll(open, { timeout: 60_000 }).toEqual(['open'])
  const [listed, words, shown, shownWords, why, whyWords] = await Promise.all([
    sagasmith(data, 'circuits', 'list'),
    told(data, 'circuits'),
    sagasmith(data, 'runs', 'show', runId),
    told(data, 'runs', 'show', runId),
    sagasmith(data, 'runs', 'why', runId, 'wait'),
    told(data, 'runs', 'why', runId),
  ])
  const place = { workflowId: 'w', nodeId: 'guard', key: 'ada' }
  expect(listed).toMatchObject({ code: 0, lines: [{ type: 'circuit', place, circuit: { failures: 1 } }] })
  const id = textIn(listed.lines[0]?.['id'])
  expect(words.text).toMatch(/^guard of w for "ada": open since .*, until .*, after 1 failure \(\w+\)\n/)
  expect(words.text.split('\n')[1]).toBe(`  ${id}`)

  const url = textIn(shown.lines.find(({ nodeId }) => nodeId === 'wait')?.['url'])
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
  expect(shown.lines.filter((line) => line['url'] !== undefined)).toHaveLength(1)
  expect(shownWords.text).toContain(`\n    call ${url}\n`)
  expect(why.lines).toMatchObject([{ type: 'waiting', nodeId: 'wait', code: 'call', url }])
  expect(whyWords.text).toContain(`\n  at ${url}\n`)
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(200)
  await expect.poll(status, { timeout: 60_000 }).toBe('SUCCEEDED')

  const [after, reset] = await Promise.all([
    told(data, 'runs', 'show', runId),
    sagasmith(data, 'circuits', 'reset', id),
  ])
  expect(after.text).not.toContain(url)
  expect(reset).toMatchObject({ code: 0, lines: [{ type: 'circuit.reset', id }] })
  expect(await sagasmith(data, 'circuits')).toMatchObject({ code: 0, lines: [] })
})

const mistakes: readonly (readonly [number, string, ...(readonly string[])])[] = [
  [2, 'bad_request', 'triggers', 'nothing'],
  [2, 'bad_request', 'triggers', 'show', 'w'],
  [2, 'bad_request', 'triggers', 'list', '--cron', '* * * * *'],
  [2, 'bad_request', 'triggers', 'fire', 'w', 'daily', '--input', '{'],
  [2, 'bad_request', 'triggers', 'month', '2026-13'],
  [1, 'trigger_not_found', 'triggers', 'show', 'w', 'gone'],
  [1, 'trigger_not_found', 'triggers', 'disable', 'gone', 'daily'],
  [1, 'run_not_found', 'triggers', 'why', 'run_gone'],
  [2, 'bad_request', 'event', 'emit'],
  [2, 'bad_request', 'event', 'emit', 'x', '--payload', '{'],
  [1, 'event_not_found', 'event', 'show', 'gone'],
  [2, 'file_not_found', 'publish', 'gone.json'],
  [2, 'bad_request', 'webhooks', 'nothing'],
  [2, 'bad_request', 'webhooks', 'list', '--stop'],
  [2, 'bad_request', 'webhooks', 'test', 'w', 'hook', '--for', '5s'],
  [2, 'bad_request', 'webhooks', 'test', 'w', 'hook', '--for', 'long'],
  [1, 'trigger_not_found', 'webhooks', 'test', 'w', 'daily'],
  [1, 'capture_not_found', 'webhooks', 'show', 'gone'],
  [1, 'capture_not_found', 'webhooks', 'resend', 'gone'],
  [1, 'circuit_not_found', 'circuits', 'reset', 'circuit/gone'],
  [2, 'bad_request', 'circuits', 'reset'],
  [2, 'bad_request', 'circuits', 'open'],
]

test('mistakes are told with their code, and end with 2 where the command was wrong', async () => {
  const { data, file } = await scene()
  await sagasmith(data, 'publish', file)
  for (const [code, error, ...args] of mistakes) {
    const said = await sagasmith(data, ...args)
    const end = { type: 'error', error: { code: error } }
    expect([args, said.code, said.lines.at(-1)]).toMatchObject([args, code, end])
  }
  const words = await told(data, 'triggers', 'show', 'w', 'gone')
  expect(words.code).toBe(1)
  expect(words.text).toContain('The workflow w has no published trigger “gone”.')
  expect(words.text).not.toMatch(/\n\s+at /)
  expect((await told(data, 'webhooks', 'test', 'w')).text).toContain(
    'Usage: sagasmith webhooks test WORKFLOW TRIGGER',
  )
})
