/** A setting as it is shown: its value, where the value comes from, and what it means. */

import type { JsonValue } from '../json.ts'
import { day, minute, second } from '../time.ts'
import type { AnySetting, SettingOverride, SettingScope, SettingUnit } from './setting.ts'

/** Where a value comes from; the later ones of this list win. */
export const settingSources = ['default', 'derived', 'config file', 'environment', 'command line'] as const
export type SettingSource = (typeof settingSources)[number]

export interface SettingReport {
  readonly name: string
  /** In `unit`; `(set)` for a secret that has a value. */
  readonly value: JsonValue
  readonly unit: SettingUnit
  readonly source: SettingSource
  /** The variable, the option or the file that says so; null for a default. */
  readonly place: string | null
  /** In `unit`; null when the default is derived. */
  readonly default: JsonValue
  readonly derivedFrom: string | null
  readonly meaning: string
  readonly scope: SettingScope
  readonly overriddenBy: SettingOverride
}

const spanMs: ReadonlyMap<SettingUnit, number> = new Map([
  ['ms', 1],
  ['s', second],
  ['min', minute],
  ['d', day],
])

/** A value in the unit that people write it in. */
export function shownValue(setting: AnySetting, value: unknown): JsonValue {
  if (setting.isSecret) return value === '' ? '' : '(set)'
  const factor = spanMs.get(setting.unit)
  if (factor !== undefined && typeof value === 'number') return value / factor
  // Values of settings are texts, numbers, flags and lists of texts.
  return value as JsonValue
}

/** Puts a report together. */
export function settingReport(
  setting: AnySetting,
  found: { readonly value: unknown; readonly source: SettingSource; readonly place: string | null },
): SettingReport {
  const { name, unit, derivedFrom, meaning, scope, overriddenBy } = setting
  return {
    name,
    value: shownValue(setting, found.value),
    unit,
    source: found.source,
    place: found.place,
    default: setting.default === null ? null : shownValue(setting, setting.default),
    derivedFrom,
    meaning,
    scope,
    overriddenBy,
  }
}

/** `300 s`, `0.5`, `true`; a list with commas, an empty text as `-`. */
export function settingText(value: JsonValue, unit: SettingUnit): string {
  const plain = Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
  if (plain === '') return '-'
  if (unit === 'percent') return `${plain} %`
  return unit === null || unit === 'count' || unit === 'fraction' ? plain : `${plain} ${unit}`
}
