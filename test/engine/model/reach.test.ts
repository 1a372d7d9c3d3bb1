/** What a document may touch, as it is told before it is trusted. */

import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { reachOf } from '../../../src-engine/model/reach.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { taskSpecs, taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecs, triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'

const told = (kind: string, parameters: JsonObject, more: object = {}) => {
  const document = { nodes: { a: { kind, parameters, ...more } }, edges: {} } as unknown as WorkflowDocument
  return reachOf(document, { tasks: taskSpecsByKind, triggers: triggerSpecsByKind }).map(
    ({ what, text, decidedByRun }) => `${what} ${text}${decidedByRun ? ' (run)' : ''}`,
  )
}

/** Kinds that touch nothing outside of their run. A new kind tells its reach, or is put here with a reason. */
const touchNothing = [
  // Decided by the run itself, or only wait for others.
  ...[
    'if',
    'switch',
    'fork',
    'join',
    'map',
    'loop',
    'break-loop',
    'next-turn',
    'delay',
    'throttle',
    'semaphore',
    'circuit-breaker',
    'wait-signal',
    'wait-webhook',
    'stop',
    'noop',
  ],
  // Compute on what arrives; code is in a sandbox without files and network.
  ...['javascript', 'transform', 'parse-csv', 'build-csv', 'parse-data', 'build-data', 'parse-html'],
  ...['validate', 'set-values'],
  // Write into the records of the engine.
  ...['log', 'debug'],
]

test.for(Object.keys(taskSpecs))('%s says what it may touch, or touches nothing', (kind) => {
  const reach = taskSpecsByKind.get(kind)?.reach ?? []
  expect(reach.length > 0).toBe(!touchNothing.includes(kind))
})

test.for([
  ['steer-runs', { which: 'filter', workflow: 'wf_a' }, ['runs wf_a']],
  ['emit-event', { name: 'paid' }, []],
  ['emit-event', { name: 'paid', cluster: 'plant' }, ['clusters plant']],
  ['emit-event', { name: 'paid', cluster: '{{ input.to }}' }, ['clusters {{ input.to }} (run)']],
  ['steer-runs', { which: 'filter' }, ['runs runs of all workflows']],
  ['steer-runs', { runs: 'input.runId' }, ['runs runs that are named by id']],
  ['http-request', { url: 'https://User@API.example.com:8443/a?b' }, ['hosts api.example.com:8443']],
  ['http-request', { url: 'https://api.example.com/{{ input.id }}' }, ['hosts api.example.com']],
  [
    'http-request',
    { url: 'https://api.example.com{{ input.rest }}' },
    ['hosts https://api.example.com{{ input.rest }} (run)'],
  ],
  [
    'http-request',
    { url: 'https://api.example.com\\{{ input.rest }}/' },
    ['hosts https://api.example.com\\{{ input.rest }}/ (run)'],
  ],
  ['http-request', { url: '{{ input.url }}' }, ['hosts {{ input.url }} (run)']],
  ['ask-model', { model: 'm' }, ['hosts api.openai.com']],
  ['notify', { channel: { kind: 'desktop' } }, []],
  ['notify', { channel: { kind: 'ntfy', topic: 't' } }, ['hosts ntfy.sh']],
  [
    'notify',
    { channel: { kind: 'slack', address: '{{ secrets.HOOK }}' } },
    ['hosts {{ secrets.HOOK }} (run)', 'secrets HOOK'],
  ],
  ['s3', { bucket: 'b', region: 'eu-west-1' }, ['hosts b.s3.eu-west-1.amazonaws.com']],
  ['s3', { bucket: '{{ input.b }}' }, ['hosts https://{{ input.b }}.s3.us-east-1.amazonaws.com/ (run)']],
  [
    'send-mail',
    {
      host: 'smtp.example.com',
      attachments: [
        { name: 'a', file: 'a.csv' },
        { name: 'b', content: 'x' },
      ],
    },
    ['mail smtp.example.com', 'paths a.csv'],
  ],
  ['sql-query', { database: { kind: 'sqlite', file: 'shop.db' } }, ['databases shop.db']],
  ['sql-query', { database: { host: 'db', database: 'shop' } }, ['databases shop', 'hosts db']],
  [
    'sql-query',
    { database: '{{ input.db }}' },
    ['databases {{ input.db }} (run)', 'hosts {{ input.db }} (run)'],
  ],
  ['shell-command', { program: 'git', cwd: '/srv' }, ['commands git', 'paths /srv']],
  ['shell-command', { useShell: true, commandLine: 'echo {{ a }}' }, ['commands echo {{ a }}']],
  [
    'script',
    { code: 'print({{ a }})', venv: '.venv' },
    ['commands .venv/bin/python script\nprint({{ a }})', 'paths .venv'],
  ],
  [
    'docker-run',
    { image: 'alpine:3', command: ['cat', '/in/a'], mounts: [{ source: 'a', target: '/in' }] },
    ['commands docker run --network=none -v a:/in:ro alpine:3 cat /in/a', 'paths a'],
  ],
  ['copy-file', { from: 'a', to: '{{ input.to }}' }, ['paths a', 'paths {{ input.to }} (run)']],
  ['undo-files', { changes: [{ path: 'a' }] }, ['paths [{"path":"a"}]']],
  ['sub-workflow', { workflow: 'child' }, ['workflows child']],
  ['not-here', { url: 'https://a' }, ['unknown not-here (run)']],
  ['log', { message: 'https://a.example' }, []],
] as const)('%s %j', ([kind, parameters, expected]) => {
  expect(told(kind, parameters as unknown as JsonObject)).toEqual(expected)
})

test('what undoes a step counts', () => {
  const task = { kind: 'delete-file', parameters: { path: 'made.txt' } }
  expect(told('write-file', { path: 'kept.txt' }, { compensation: { task } })).toEqual([
    'paths kept.txt',
    'paths made.txt',
  ])
})

test('triggers count', () => {
  const triggers = {
    files: { kind: 'file-watch', parameters: { folder: '/inbox' } },
    calls: {
      kind: 'webhook',
      parameters: { auth: { kind: 'standard', secret: 'HOOK', previousSecret: '' } },
    },
    entries: {
      kind: 'redis-stream',
      parameters: {
        host: 'redis.example.com',
        stream: 'orders',
        auth: { kind: 'password', user: '', secret: 'STREAM' },
      },
    },
  }
  const document = { nodes: {}, edges: {}, triggers } as unknown as WorkflowDocument
  expect(reachOf(document, { tasks: taskSpecsByKind, triggers: triggerSpecsByKind })).toEqual([
    ofTrigger('paths', '/inbox', 'file-watch'),
    ofTrigger('starts', '* in /inbox (add)', 'file-watch'),
    ofTrigger('secrets', 'HOOK', 'webhook'),
    ofTrigger('starts', 'POST / from callers with a secret (standard)', 'webhook'),
    ofTrigger('hosts', 'redis.example.com', 'redis-stream'),
    ofTrigger('secrets', 'STREAM', 'redis-stream'),
    ofTrigger('starts', 'orders on redis.example.com:6379', 'redis-stream'),
  ])
})

const ofTrigger = (what: string, text: string, kind: string) => ({
  ...{ what, text, decidedByRun: false },
  ...{ kind, nodeId: null },
})

const startsOf = (kind: string, parameters: JsonObject): readonly string[] => {
  const document = { nodes: {}, edges: {}, triggers: { t: { kind, parameters } } }
  return reachOf(document as unknown as WorkflowDocument, {
    tasks: taskSpecsByKind,
    triggers: triggerSpecsByKind,
  }).flatMap(({ what, text }) => (what === 'starts' ? [text] : []))
}

test.for(Object.keys(triggerSpecs))(
  'what a trigger of the kind %s starts on is told, unless it is a person',
  (kind) => {
    expect(startsOf(kind, triggerSpecsByKind.get(kind)?.defaults ?? {})).toHaveLength(
      kind === 'manual' ? 0 : 1,
    )
    // Whatever a file says of it.
    expect(startsOf(kind, {})).toSatisfy((texts: readonly string[]) => texts.every((text) => text !== ''))
  },
)

test.for<[string, JsonObject, JsonObject]>([
  ['cron', { expression: '0 9 * * *' }, { expression: '* * * * *' }],
  ['cron', { expression: '0 9 * * *' }, { expression: '0 9 * * *', timeZone: 'Asia/Tokyo' }],
  ['event', { name: 'order.paid' }, { name: '*' }],
  ['event', { name: 'order.paid', filter: 'event.payload.total > 9' }, { name: 'order.paid' }],
  ['event', { name: 'a', filter: { by: 'ada' } }, { name: 'a', filter: { by: 'eve' } }],
  ['webhook', { path: 'a' }, { path: 'a', auth: { kind: 'none' } }],
  ['webhook', { path: 'a' }, { path: 'b' }],
  ['webhook', { path: 'a', method: 'GET' }, { path: 'a' }],
  ['file-watch', { folder: '/a', pattern: '*.csv' }, { folder: '/a' }],
  ['file-watch', { folder: '/a', recursive: true }, { folder: '/a' }],
  ['file-watch', { folder: '/a', on: ['add', 'remove'] }, { folder: '/a' }],
  ['redis-stream', { host: 'a', stream: 's' }, { host: 'a', stream: 's', port: 6380 }],
  ['redis-stream', { host: 'a', stream: 's' }, { host: 'a', stream: 's', db: 3 }],
  ['redis-stream', { host: 'a', stream: 's' }, { host: 'a', stream: 't' }],
  ['run-status', { workflow: 'a' }, { workflow: '*' }],
  ['run-status', { workflow: 'a', node: 'pay' }, { workflow: 'a' }],
  ['run-status', { workflow: 'a', statuses: ['FAILED'] }, { workflow: 'a' }],
  ['run-status', { workflow: 'a', output: 'event.payload.output' }, { workflow: 'a' }],
  ['run-status', { workflow: 'a', errors: ['http_*'] }, { workflow: 'a' }],
  ['composite', { conditions: ['a', 'b'] }, { conditions: ['a', 'b'], mode: 'any' }],
  ['composite', { conditions: ['a', 'b'] }, { conditions: ['a'] }],
  ...Object.keys(triggerSpecs)
    .filter((kind) => kind !== 'manual')
    .map((kind): [string, JsonObject, JsonObject] => [kind, {}, { input: '{ "path": "/etc/passwd" }' }]),
])(
  'a trigger that starts on something else, or with another input, is told differently: %s %j %j',
  ([kind, one, other]) => {
    expect(startsOf(kind, one)).not.toEqual(startsOf(kind, other))
  },
)

test('a request that signs in by OAuth 2 touches the server of its token, too', () => {
  const auth = {
    kind: 'oauth2',
    tokenUrl: 'https://login.example.com/token',
    clientId: 'a',
    clientSecret: 'b',
  }
  expect(told('http-request', { url: 'https://api.example.com/', auth })).toEqual([
    'hosts api.example.com',
    'hosts login.example.com',
  ])
  expect(told('http-request', { url: 'https://api.example.com/', auth: '{{ input.auth }}' })).toEqual([
    'hosts api.example.com',
    'hosts {{ input.auth }} (run)',
  ])
})
