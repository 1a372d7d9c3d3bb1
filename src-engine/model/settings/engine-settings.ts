/**
 * All settings of the engine, and their values as the services read them. A service takes what it needs from
 * `EngineSettings`; nothing else in the engine has a default for one of these.
 */

import { second } from '../time.ts'
import { approvalSettings } from './approval-settings.ts'
import { folderSettings } from './folder-settings.ts'
import { outputSettings } from './output-settings.ts'
import { policySettings } from './policy-settings.ts'
import { atomicServiceSettings, recoverySettings } from './recovery-settings.ts'
import { runnerSettings } from './runner-settings.ts'
import { sagaSettings } from './saga-settings.ts'
import {
  concurrencySettings,
  lockSettings,
  reconcilerSettings,
  routingSettings,
} from './scheduling-settings.ts'
import type { ValueOfSetting } from './setting.ts'
import {
  clientDataSettings,
  deadLetterSettings,
  retentionSettings,
  storeSettings,
} from './storage-settings.ts'
import { triggerSettings } from './trigger-settings.ts'

/** The settings by the key that code reads them with. */
export const engineSettingsCatalogue = {
  ...runnerSettings,
  ...recoverySettings,
  ...atomicServiceSettings,
  ...routingSettings,
  ...concurrencySettings,
  ...reconcilerSettings,
  ...lockSettings,
  ...policySettings,
  ...sagaSettings,
  ...storeSettings,
  ...retentionSettings,
  ...deadLetterSettings,
  ...outputSettings,
  ...clientDataSettings,
  ...approvalSettings,
  ...folderSettings,
  ...triggerSettings,
} as const

type Catalogue = typeof engineSettingsCatalogue

export type EngineSettingKey = keyof Catalogue

/** The value of every setting: spans in ms, shares as numbers, everything else as it is. */
export type EngineSettings = {
  readonly [Key in EngineSettingKey]: ValueOfSetting<Catalogue[Key]>
}

/** Renewal often enough that three may fail (sayiir's rule). */
const heartbeatMsMax = 15 * second

/** Fills what is not given with the defaults, derived ones last. Values are taken as they are. */
export function engineSettings(given: Partial<EngineSettings> = {}): EngineSettings {
  const entries = Object.entries(engineSettingsCatalogue).map(([key, setting]) => [key, setting.default])
  // The catalogue has exactly the keys of EngineSettings; those without a default are set below.
  const defaults = Object.fromEntries(entries) as EngineSettings
  const claimTtlMs = given.claimTtlMs ?? defaults.claimTtlMs
  const reconcilerIntervalMs = given.reconcilerIntervalMs ?? defaults.reconcilerIntervalMs
  return {
    ...defaults,
    heartbeatIntervalMs: Math.min(claimTtlMs / 4, heartbeatMsMax),
    tickLockTtlMs: 2 * reconcilerIntervalMs,
    ...given,
  }
}

/** What an engine has when nobody sets anything. */
export const defaultEngineSettings: EngineSettings = engineSettings()
