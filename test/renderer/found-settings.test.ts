import { expect, test } from 'vitest'
import type { SettingReport } from '../../src-engine/model/settings/setting-report.ts'
import { foundSettings, isChanged } from '../../src-renderer/panels/engine-page/found-settings.ts'

const setting = (name: string, parts: Partial<SettingReport> = {}): SettingReport => ({
  name,
  value: 1,
  unit: null,
  source: 'default',
  place: null,
  default: 1,
  derivedFrom: null,
  meaning: '',
  scope: 'store',
  overriddenBy: 'nobody',
  ...parts,
})
const all = [
  setting('claim_ttl', { meaning: 'How long a claim holds without a heartbeat.' }),
  setting('heartbeat_interval', { source: 'derived' }),
  setting('pools', { source: 'environment', place: 'SAGASMITH_POOLS' }),
]
const namesFor = (text: string, isOnlyChanged = false) =>
  foundSettings(all, { text, isOnlyChanged }).map(({ name }) => name)

test('settings are found by words of their name, meaning or place, in any case', () => {
  expect(namesFor('')).toEqual(['claim_ttl', 'heartbeat_interval', 'pools'])
  expect(namesFor('HEARTBEAT')).toEqual(['claim_ttl', 'heartbeat_interval'])
  expect(namesFor('claim ttl')).toEqual(['claim_ttl'])
  expect(namesFor('sagasmith_pools')).toEqual(['pools'])
  expect(namesFor('nothing')).toEqual([])
})

test('a default and a derived value were chosen by nobody', () => {
  expect(all.map(isChanged)).toEqual([false, false, true])
  expect(namesFor('', true)).toEqual(['pools'])
})
