/**
 * Twenty secrets go through every kind of step that may use one, through its errors, and through the kinds
 * that may not; then nothing that the engine wrote, logged or sent holds any of them, in any form.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import { createChannelPair } from '../../../src-engine/protocol/channel-pair.ts'
import { createClient } from '../../../src-engine/protocol/client.ts'
import { createRedactor } from '../../../src-engine/runtime/vault/redactor.ts'
import { openEngineHost } from '../../../src-engine/shell/engine-host.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { namesSecretAt, secretPlaces } from '../../support/secret-places.ts'
import { takenAlong } from '../../support/taken-along.ts'
import { askedByMail, cutting, javaScriptStep, printing } from './canary-scripts.ts'
import { triggersPlayed } from './canary-triggers.ts'
import type { EchoingServer } from './echoing-server.ts'
import { granted, openEchoingServer } from './echoing-server.ts'
import { listenedTo, temporaryFolder } from './shell-fixtures.ts'

const count = 20
const nameOf = (index: number): string => `S${String(index).padStart(2, '0')}`
/** Of all sorts: words, marks, umlauts, quotes, lines, digits. */
const valueOf = (index: number): string =>
  [
    `canary-${index}-plain-4711`,
    `canary/${index}+marks&"quotes"\\4711`,
    `canäry-${index}-ümläut-4711`,
    `-----BEGIN ${index}-----\ncanaryline${index}one4711\ncanaryline${index}two4711\n-----END ${index}-----`,
    `47110815${String(index).padStart(2, '0')}23`,
  ][index % 5] ?? ''
const formEncoded = (text: string): string => String(new URLSearchParams([['', text]])).slice(1)
const secret = (index: number): string => `{{ secrets.${nameOf(index)} }}`
const all = Array.from({ length: count }, (_, index) => ({ name: nameOf(index), value: valueOf(index) }))

let server: EchoingServer
let address = ''
beforeAll(async () => {
  server = await openEchoingServer()
  address = server.address
})
afterAll(() => server.close())

/** A body in which the value of a secret lies across the 2,000 characters that errors keep. */
const filled = Array.from({ length: 150 }, () => '{{ secrets.S01 }} ').join('')

const shell = (index: number, more: JsonObject = {}): JsonObject => ({
  kind: 'shell-command',
  parameters: {
    program: process.execPath,
    arguments: ['-e', printing],
    env: { MY_TOKEN: secret(index) },
    ...more,
  },
})

const http = (index: number, parameters: JsonObject): JsonObject => ({
  kind: 'http-request',
  parameters: { url: `${address}/200`, headers: { 'X-Mine': secret(index) }, ...parameters },
})

/** Signs in with two of them, and gets a token that is as secret. */
const signsIn = (index: number, status: number, placement: string): JsonObject =>
  http(index, {
    auth: {
      ...{ kind: 'oauth2', tokenUrl: `${address}/${status}/token`, placement },
      ...{ clientId: secret(index), clientSecret: secret(index + 1) },
    },
  })

/** Code of a task that says what it was handed, in all the ways in which it can. */
const coded = (index: number, body: string): JsonObject => ({
  kind: 'code-task',
  parameters: {
    ...{ task: 'acme.canary', hosts: ['127.0.0.1'], secrets: { MINE: secret(index) } },
    code: `export default { async run({ secrets: { MINE: v }, http, log }) {
      log(v); log({ v }); console.error('error: ' + v, JSON.stringify(JSON.stringify({ v })))
      ${body} } }`,
  },
})
const question: JsonObject = { model: 'm', prompt: 'x' }

/** Nobody listens there; what is said about it must not tell who wanted in. */
const sql = (step: string, kind: string, index: number): JsonObject => ({
  kind: step,
  parameters: {
    database: {
      ...{ kind, host: '127.0.0.1', port: 9, database: 'shop', tls: 'off' },
      ...{ user: secret(index), password: secret(index) },
    },
    ...{ sql: 'select 1', ...(step === 'sql-export' ? { path: 'rows' } : {}) },
  },
})

/** Nobody calls: it ends by its time. */
const awaitsCall = (auth: JsonObject): JsonObject => ({
  kind: 'wait-webhook',
  parameters: { auth, onTimeout: 'fail', amount: 50, unit: 'milliseconds' },
})

/** Steps that may use secrets: well, and ending in errors. Each goes on by its error port. */
const users = (): Readonly<Record<string, JsonObject>> => ({
  bearer: http(0, { auth: { kind: 'bearer', token: secret(1) } }),
  basic: http(4, { auth: { kind: 'basic', username: secret(4), password: secret(2) } }),
  key: http(5, { auth: { kind: 'api-key', placement: 'query', name: 'k', value: secret(3) } }),
  signsIn: signsIn(0, 200, 'header'),
  signsInByForm: signsIn(1, 200, 'body'),
  signInRefused: signsIn(1, 400, 'header'),
  signInRefusedByForm: signsIn(6, 400, 'body'),
  signInFails: signsIn(11, 500, 'header'),
  json: http(6, { method: 'POST', body: { kind: 'json', value: { deep: [secret(7), `x ${secret(8)} y`] } } }),
  form: http(9, { method: 'POST', body: { kind: 'form', fields: { a: secret(12) } } }),
  text: http(10, { method: 'POST', body: { kind: 'text', text: `a ${secret(13)} b` } }),
  refused: http(0, { url: 'http://127.0.0.1:9/', auth: { kind: 'bearer', token: secret(5) } }),
  answered: http(11, { url: `${address}/500`, method: 'POST', body: { kind: 'text', text: secret(18) } }),
  // No header may have a line break: what is said about it must not tell the rest.
  wrong: http(3, {}),
  uncertified: http(4, { clientCertificate: secret(14), clientKey: secret(19) }),
  proxied: http(4, { proxy: address, proxyUser: secret(16), proxyPassword: secret(17) }),
  // Half of a value behind a cut would be found by nobody: in logs, in details of errors, in a parser's words.
  long: shell(15, { arguments: ['-e', `${cutting(3_995)}; console.log(x + v)`] }),
  longError: shell(16, { arguments: ['-e', `${cutting(1_990)}; console.log(v + x); process.exit(1)`] }),
  noJson: shell(15, { output: 'json', arguments: ['-e', 'console.log(process.env.MY_TOKEN)'] }),
  longAnswer: http(0, { url: `${address}/500`, method: 'POST', body: { kind: 'text', text: filled } }),
  prints: shell(15),
  fails: shell(16, { arguments: ['-e', `${printing}; process.exit(3)`] }),
  lines: shell(17, { output: 'lines' }),
  model: { kind: 'ask-model', parameters: { ...question, baseUrl: `${address}/200`, apiKey: secret(4) } },
  modelFails: {
    kind: 'ask-model',
    parameters: { ...question, baseUrl: `${address}/500`, apiKey: secret(6) },
  },
  scripted: javaScriptStep(secret(2), 'return { v, deep: [`a ${v}`] }'),
  scriptedThrows: javaScriptStep(secret(3), 'throw new Error(`no: ${v}`)'),
  codes: coded(7, `return { v, came: await http({ url: '${address}/200', method: 'POST', body: { v } }) }`),
  codeFails: coded(2, 'throw new Error("no: " + v)'),
  codeLost: coded(9, 'return http({ url: "http://127.0.0.1:9/" + v, headers: { a: v } })'),
  codeLong: coded(5, 'throw new Error("x".repeat(9_995) + v)'),
  mail: {
    kind: 'send-mail',
    parameters: {
      ...{ host: '127.0.0.1', port: 9, security: 'none', from: 'a@example.com', to: 'b@example.com' },
      ...{ user: secret(7), password: secret(8) },
    },
  },
  approval: askedByMail(secret(7), secret(8)),
  ntfy: {
    kind: 'notify',
    parameters: {
      channel: { kind: 'ntfy', server: address, topic: 'canary', token: secret(9) },
      message: 'x',
    },
  },
  hook: {
    kind: 'notify',
    parameters: { channel: { kind: 'slack', address: secret(10) }, message: 'x' },
  },
  teams: {
    kind: 'notify',
    parameters: { channel: { kind: 'teams', address: secret(11) }, message: 'x' },
  },
  discord: {
    kind: 'notify',
    parameters: { channel: { kind: 'discord', address: secret(16) }, message: 'x' },
  },
  redis: {
    kind: 'redis-command',
    parameters: {
      ...{ host: '127.0.0.1', port: 9, tls: 'off', user: secret(12), password: secret(13) },
      commands: [{ name: 'GET', args: ['a'] }],
    },
  },
  remote: {
    kind: 'ssh-command',
    parameters: {
      ...{ host: '127.0.0.1', port: 9, hostKeys: `SHA256:${'A'.repeat(43)}`, program: 'true' },
      ...{ user: secret(12), password: secret(13), privateKey: secret(16), passphrase: secret(17) },
      stdin: secret(18),
    },
  },
  container: {
    kind: 'docker-run',
    // Whether an engine is there or not: what it is given is told to nobody.
    parameters: {
      ...{ image: 'sagasmith-canary/none:0', pull: 'never', command: ['true'] },
      ...{ env: { TOKEN: secret(5) }, stdin: secret(18) },
    },
  },
  script: {
    kind: 'script',
    parameters: {
      ...{ language: 'shell', code: 'cat; printf " %s\\n" "$TOKEN"; printf "%s" "$TOKEN" >&2; exit 3' },
      ...{ env: { TOKEN: secret(5) }, input: secret(18) },
    },
  },
  object: {
    kind: 's3',
    parameters: {
      ...{ mode: 'put', bucket: 'bucket', key: 'a', content: 'x', endpoint: `${address}/500` },
      ...{ accessKey: secret(14), secretKey: secret(17), sessionToken: secret(18) },
    },
  },
  awaitsStandard: awaitsCall({ kind: 'standard', secret: secret(0) }),
  awaitsSigned: awaitsCall({ kind: 'hmac', secret: secret(1), header: 'x-signature' }),
  awaitsBearer: awaitsCall({ kind: 'bearer', secret: secret(15) }),
  awaitsBasic: awaitsCall({ kind: 'basic', username: 'ada', secret: secret(16) }),
  asks: sql('sql-query', 'postgres', 2),
  asksOther: sql('sql-query', 'mysql', 11),
  changes: sql('sql-statement', 'mysql', 3),
  changesOther: sql('sql-statement', 'postgres', 12),
  writes: sql('sql-export', 'postgres', 3),
  writesOther: sql('sql-export', 'mysql', 11),
  reads: {
    kind: 'shell-command',
    parameters: {
      program: process.execPath,
      arguments: ['-e', 'process.stdin.pipe(process.stdout)'],
      stdin: { a: secret(14), b: [`${secret(19)}!`] },
    },
  },
})

/** Each place of the catalogue that may hold a secret; a new one is here by itself, and wants its step above. */
const places = [...taskSpecsByKind].flatMap(([kind, spec]) =>
  secretPlaces(spec).map((place) => [kind, place.path.join('.'), place] as const),
)
const using = [...new Set(places.map(([kind]) => kind))]

test.for(places)('%s has a canary in %s [I33]', ([kind, , place]) => {
  const steps = Object.values(users()).filter((step) => step['kind'] === kind)
  expect(steps).toSatisfy((all: typeof steps) =>
    all.some(({ parameters }) => namesSecretAt(parameters as JsonObject, place)),
  )
})

/** Every other kind tries to get hold of one in its first field of text; the catalogue refuses. */
const others = [...taskSpecsByKind.keys()].filter((kind) => !using.includes(kind))

function documentOf(id: string, nodes: Readonly<Record<string, JsonObject>>): JsonObject {
  const edges = Object.keys(nodes).map((from, index) => [
    `e${index}`,
    { from: { node: from, port: 'error' }, to: { node: 'after', port: 'in' } },
  ])
  return {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id,
    title: id,
    nodes: { ...nodes, after: { kind: 'log', parameters: { message: '{{ input }}' } } },
    edges: Object.fromEntries(edges) as JsonObject,
    capabilities: { hosts: ['127.0.0.1'] },
  }
}

function allFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
}

test('no canary in database, wal, blobs, logs, live lines, answers, recorded mocks, tests, drafts and exports [I33]', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder()
  const host = await openEngineHost({ dataDir: folder, role: 'test', mode: 'work' })
  const [near, far] = createChannelPair()
  const { channel: tapped, heard } = listenedTo(near)
  host.serve(far, { requireToken: null })
  const client = createClient(tapped, { token: null, isCommand: true })
  for (const { name, value } of all) await client.call('secrets.set', { name, value })

  const play = async (document: JsonObject): Promise<RunId> => {
    const { runId } = await client.call('runs.start', {
      document,
      input: {},
      baseDirectory: folder,
      requestId: null,
    })
    await new Promise<void>((resolve, reject) => {
      client.subscribe(
        { topic: { kind: 'run', runId }, cursor: [] },
        {
          events: (events) => {
            const ended = events.some(
              ({ body }) => body.type === 'run.changed' && runMachine.final.has(body.to),
            )
            if (ended) resolve()
          },
          live: () => {},
          ended: reject,
        },
      )
    })
    return runId
  }

  const used = await play(documentOf('users', users()))
  const { invocations } = await client.call('runs.get', { runId: used })
  const attempts = await client.call('runs.attempts', { runId: used, invocationId: null })
  for (const { input, log, output } of attempts) {
    for (const payload of [input, log, output])
      if (payload !== null) await client.call('payloads.get', { payload })
  }
  const statusOf = Object.fromEntries(invocations.map(({ nodeId, status }) => [nodeId, status]))
  expect(statusOf).toMatchObject({
    ...{ bearer: 'SUCCESS', basic: 'SUCCESS', key: 'SUCCESS', signsIn: 'SUCCESS', signsInByForm: 'SUCCESS' },
    ...{ signInRefused: 'FAILED', signInRefusedByForm: 'FAILED', signInFails: 'FAILED' },
    ...{ json: 'SUCCESS', form: 'SUCCESS', text: 'SUCCESS', script: 'FAILED' },
    refused: 'FAILED',
    answered: 'FAILED',
    prints: 'SUCCESS',
    wrong: 'FAILED',
    long: 'SUCCESS',
    longError: 'FAILED',
    noJson: 'FAILED',
    longAnswer: 'FAILED',
    fails: 'FAILED',
    lines: 'SUCCESS',
    model: 'SUCCESS',
    modelFails: 'FAILED',
    ...{ mail: 'FAILED', approval: 'TIMEOUT' },
    ...{ ntfy: 'SUCCESS', hook: 'FAILED', teams: 'FAILED', discord: 'FAILED' },
    redis: 'FAILED',
    object: 'FAILED',
    awaitsStandard: 'TIMEOUT',
    awaitsSigned: 'TIMEOUT',
    awaitsBearer: 'TIMEOUT',
    awaitsBasic: 'TIMEOUT',
    asks: 'FAILED',
    asksOther: 'FAILED',
    changes: 'FAILED',
    changesOther: 'FAILED',
    reads: 'SUCCESS',
  })
  // What a step says in its errors is where secrets get out: no kind is left without one.
  const failed = Object.entries(users()).flatMap(([id, { kind }]) =>
    ['FAILED', 'TIMEOUT'].includes(statusOf[id] ?? '') ? [kind] : [],
  )
  expect(failed).toEqual(expect.arrayContaining(using))

  for (const kind of others) {
    const parameters = { value: secret(0), message: secret(0), expression: 'secrets.S00', code: 'return 1' }
    const document = documentOf(`other-${kind}`, { step: { kind, parameters } })
    // Most are refused before they start; whatever happens, nobody hears a value.
    await client
      .call('runs.start', { document, input: {}, baseDirectory: folder, requestId: null })
      .catch(() => null)
  }
  await triggersPlayed(client, host.engine, documentOf('triggers', { step: { kind: 'noop' } }))
  await takenAlong(client, { folder, runId: used, document: documentOf('users', users()) })
  await client.call('secrets.list', {})
  await client.call('secrets.check', {})
  client.close()
  const seeker = createRedactor([...all, { name: 'access token', value: granted }])
  const holders = (): readonly string[] =>
    allFiles(folder)
      .filter((path) => {
        const bytes = readFileSync(path)
        return seeker.isIn(bytes.toString('latin1')) || seeker.isIn(bytes.toString('utf8'))
      })
      .map((path) => path.slice(folder.length))
  // Once with the write-ahead log beside the data file, once with everything written back.
  expect(holders()).toEqual([])
  await host.close()
  expect(holders()).toEqual([])
  // A good half of one is as good as the whole.
  const halves = createRedactor(
    [0, 1, 15, 16].flatMap((index) => {
      const value = valueOf(index)
      const half = Math.ceil(value.length / 2)
      return [
        { name: 'half', value: value.slice(0, half) },
        { name: 'half', value: value.slice(-half) },
      ]
    }),
  )
  expect(heard.filter((text) => halves.isIn(text)).map((text) => text.slice(0, 2_000))).toEqual([])
  const leaks = heard.filter((text) => seeker.isIn(text)).map((text) => text.slice(0, 300))
  expect(leaks).toEqual([])
  // What signs in is encoded twice: as a field of a form, then with its name.
  const twice = Buffer.from(`${formEncoded(valueOf(1))}:${formEncoded(valueOf(2))}`).toString('base64')
  expect(
    heard.filter((text) => text.includes(twice.slice(4, 24)) || text.includes(twice.slice(-24, -4))),
  ).toEqual([])

  // The secrets were really used, and what they became is seen, in what was sent and in what was kept.
  const told = heard.join('\n')
  for (const { name } of all) expect(told, name).toContain(`(secret ${name})`)
  expect(allFiles(folder).some((path) => readFileSync(path).includes('(secret S16)'))).toBe(true)
  // So were the copies: what was recorded tells the same.
  for (const copy of ['canary.json', 'exported.json', 'exported.png.json', 'draft'])
    expect(
      allFiles(folder).some((path) => path.includes(copy) && readFileSync(path).includes('(secret S16)')),
      copy,
    ).toBe(true)
})
