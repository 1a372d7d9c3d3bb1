import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSettings, wantsColor } from '../../../src-engine/shell/config.ts'
import { temporaryFolder } from './shell-fixtures.ts'

const linux = { platform: 'linux', home: '/home/ada', environment: {}, flags: {} } as const

test.for([
  ['linux', {}, '/home/ada/.local/share/sagasmith'],
  ['linux', { XDG_DATA_HOME: '/x' }, '/x/sagasmith'],
  ['darwin', {}, '/home/ada/Library/Application Support/Sagasmith'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/Sagasmith'],
] as const)('data lies where %s keeps data (%o)', ([platform, environment, data]) => {
  expect(loadSettings({ ...linux, platform, environment }).values.data).toBe(data)
})

/** A config file with that text, named by the environment. */
function configured(content: string, environment: Readonly<Record<string, string>> = {}) {
  const file = join(temporaryFolder(), 'config.json')
  writeFileSync(file, content)
  return { file, environment: { SAGASMITH_CONFIG: file, ...environment } }
}

test('the command line beats the environment beats the file beats the default', () => {
  const { environment, file } = configured('{"data": "/file", "port": 1, "logLevel": "warn"}', {
    SAGASMITH_DATA: '/environment',
    SAGASMITH_PORT: '2',
  })
  const { values, reports } = loadSettings({ ...linux, environment, flags: { data: '/flag' } })
  expect(values).toMatchObject({ data: '/flag', port: 2, logLevel: 'warn', logFormat: 'json' })
  const found = reports.map(({ name, source, place }) => [name, source, place])
  expect(found).toContainEqual(['data', 'command line', '--data'])
  expect(found).toContainEqual(['port', 'environment', 'SAGASMITH_PORT'])
  expect(found).toContainEqual(['log_level', 'config file', file])
  expect(found).toContainEqual(['log_format', 'default', null])
})

test('a setting of the engine is read from each place in its own unit', () => {
  const { environment } = configured('{"claim_ttl": 40, "dispatchTimeout": "2 min", "tags": ["gpu"]}', {
    SAGASMITH_MAX_PENDING_SECONDS: '7.5',
    SAGASMITH_CLAIM_TTL: '50 s',
  })
  const { engine } = loadSettings({ ...linux, environment, sets: ['claim_ttl=20s', 'batch_size=4'] })
  expect(engine).toMatchObject({
    claimTtlMs: 20_000,
    heartbeatIntervalMs: 5_000,
    dispatchTimeoutMs: 120_000,
    maxPendingMs: 7_500,
    batchSize: 4,
    tags: ['gpu'],
    agingIntervalMs: 300_000,
  })
})

test('a report shows the value in the unit people write, and what a derived one follows from', () => {
  const { reports } = loadSettings({ ...linux, sets: ['claim_ttl=20'] })
  const named = (name: string) => reports.find((report) => report.name === name)
  expect(named('claim_ttl')).toMatchObject({ value: 20, unit: 's', default: 300, source: 'command line' })
  expect(named('heartbeat_interval')).toMatchObject({
    value: 5,
    source: 'derived',
    default: null,
    derivedFrom: 'min(claim_ttl / 4, 15 s)',
  })
})

test('a secret is never shown', () => {
  const environment = { SAGASMITH_METRICS_TOKEN: 'hush-hush' }
  const loaded = loadSettings({ ...linux, environment })
  expect(loaded.values.metricsToken).toBe('hush-hush')
  expect(JSON.stringify(loaded.reports)).not.toContain('hush')
})

test('OpenTelemetry’s own variables count, ours beat them', () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other:4318', OTEL_SERVICE_NAME: 'theirs' }
  const ours = { ...environment, SAGASMITH_OTEL_SERVICE_NAME: 'ours' }
  const { values } = loadSettings({ ...linux, environment: ours })
  expect(values).toMatchObject({ otlpEndpoint: 'http://other:4318', serviceName: 'ours' })
})

test('an unknown name in the file is told with the one that was meant', () => {
  const { environment } = configured('{"claim_tll": 40, "colour": "red"}')
  expect(loadSettings({ ...linux, environment }).unknown).toEqual([
    { name: 'claim_tll', nearest: 'claim_ttl' },
    { name: 'colour', nearest: null },
  ])
})

test.for([
  ['claim_tll=1', /no setting “claim_tll”/],
  ['claim_ttl', /gives no value/],
  ['claim_ttl=soon', /claim_ttl \(command line\).*expected a span/],
  ['heartbeat_interval=200 s', /heartbeat_interval .* too long for claim_ttl/],
] as const)('--set %s is refused', ([written, message]) => {
  expect(() => loadSettings({ ...linux, sets: [written] })).toThrow(message)
})

test('a wrong value is named with its source', () => {
  const environment = { SAGASMITH_PORT: 'eighty' }
  expect(() => loadSettings({ ...linux, environment })).toThrow(/SAGASMITH_PORT \(environment\)/)
})

test('a config file that can’t be read is named', () => {
  const { environment, file } = configured('{"port": ')
  expect(() => loadSettings({ ...linux, environment })).toThrow(file)
  const list = configured('[1]')
  expect(() => loadSettings({ ...linux, environment: list.environment })).toThrow(list.file)
})

test('NO_COLOR wins over a terminal', () => {
  expect(wantsColor(true, { TERM: 'xterm' })).toBe(true)
  expect(wantsColor(true, { NO_COLOR: '1' })).toBe(false)
  expect(wantsColor(false, {})).toBe(false)
  expect(wantsColor(false, { FORCE_COLOR: '1' })).toBe(true)
})
