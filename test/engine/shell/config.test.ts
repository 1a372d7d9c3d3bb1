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

test('the command line beats the environment beats the file beats the default', () => {
  const file = join(temporaryFolder(), 'config.json')
  writeFileSync(file, '{"data": "/file", "port": 1, "logLevel": "warn"}')
  const environment = { SAGASMITH_CONFIG: file, SAGASMITH_DATA: '/environment', SAGASMITH_PORT: '2' }
  const { values, sources } = loadSettings({ ...linux, environment, flags: { data: '/flag' } })
  expect(values).toEqual({ data: '/flag', port: 2, logLevel: 'warn' })
  expect(sources).toEqual({ data: 'command line', port: 'environment', logLevel: 'config file' })
})

test('a wrong value is named with its source', () => {
  const environment = { SAGASMITH_PORT: 'eighty' }
  expect(() => loadSettings({ ...linux, environment })).toThrow(/SAGASMITH_PORT \(environment\)/)
})

test('a config file that can’t be read is named', () => {
  const file = join(temporaryFolder(), 'config.json')
  writeFileSync(file, '{"port": "many"}')
  expect(() => loadSettings({ ...linux, environment: { SAGASMITH_CONFIG: file } })).toThrow(file)
})

test('NO_COLOR wins over a terminal', () => {
  expect(wantsColor(true, { TERM: 'xterm' })).toBe(true)
  expect(wantsColor(true, { NO_COLOR: '1' })).toBe(false)
  expect(wantsColor(false, {})).toBe(false)
  expect(wantsColor(false, { FORCE_COLOR: '1' })).toBe(true)
})
