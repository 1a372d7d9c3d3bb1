/**
 * Settings with their source: default < config file < environment < command line. The only place of the
 * shell that reads the environment.
 */

import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { SagasmithError } from '../model/errors.ts'
import type { EngineSettings } from '../model/settings/engine-settings.ts'
import { engineSettings, engineSettingsCatalogue } from '../model/settings/engine-settings.ts'
import { nearestName, plainName } from '../model/settings/nearest-name.ts'
import type { AnySetting } from '../model/settings/setting.ts'
import type { SettingReport, SettingSource } from '../model/settings/setting-report.ts'
import { settingReport } from '../model/settings/setting-report.ts'
import type { ShellSettings } from '../model/settings/shell-settings.ts'
import { shellSettingsCatalogue } from '../model/settings/shell-settings.ts'
import { readConfigFile } from './config-file.ts'
import type { Environment } from './places.ts'
import { configFile, dataFolder } from './places.ts'

export type Settings = ShellSettings

/** A key of the config file that is no setting: reported, never fatal, for a newer version may know it. */
export interface UnknownSetting {
  readonly name: string
  /** What was probably meant. */
  readonly nearest: string | null
}

export interface LoadedSettings {
  readonly values: Settings
  readonly engine: EngineSettings
  /** Every setting with its value and where that comes from, in the order of the catalogue. */
  readonly reports: readonly SettingReport[]
  readonly unknown: readonly UnknownSetting[]
  /** The config file that was looked for, whether it is there or not. */
  readonly configFile: string
}

export interface SettingsInput {
  /** Options of a command, by the names of settings; what is undefined wasn't given. */
  readonly flags: Readonly<Record<string, string | undefined>>
  /** `name=value` of each `--set`. */
  readonly sets?: readonly string[]
  readonly environment?: Environment
  readonly platform?: NodeJS.Platform
  readonly home?: string
}

/** What somebody wrote for a setting, and where. */
interface Given {
  readonly raw: unknown
  readonly source: SettingSource
  readonly place: string
}

type GivenByName = ReadonlyMap<string, Given>

const catalogue: Readonly<Record<string, AnySetting>> = {
  ...shellSettingsCatalogue,
  ...engineSettingsCatalogue,
}
const settings = Object.entries(catalogue)
const nameByPlain: ReadonlyMap<string, string> = new Map(
  settings.map(([, { name }]) => [plainName(name), name]),
)

/** The names of all settings, in the order of the catalogue. */
export const settingNames: readonly string[] = settings.map(([, { name }]) => name)

/** Collects the settings. Throws `bad_request` naming the setting and where its wrong value comes from. */
export function loadSettings(input: SettingsInput): LoadedSettings {
  const environment = input.environment ?? process.env
  const place = { environment, platform: input.platform ?? process.platform, home: input.home ?? homedir() }
  const file = configFile(place)
  const { given: fromFile, unknown } = fromConfigFile(file)
  const given: GivenByName = new Map([
    ...fromFile,
    ...fromEnvironment(environment),
    ...fromFlags(input.flags),
    ...fromSets(input.sets ?? []),
  ])
  const values = parseAll(given, resolve(dataFolder(place)))
  const shell = pick<ShellSettings>(values, shellSettingsCatalogue)
  const engine = engineSettings(pick<Partial<EngineSettings>>(values, engineSettingsCatalogue))
  refuseContradictions(engine)
  const effective: Readonly<Record<string, unknown>> = { ...shell, ...engine }
  const reports = settings.map(([key, setting]) => {
    const found = given.get(setting.name)
    const source = found?.source ?? (setting.derivedFrom === null ? 'default' : 'derived')
    return settingReport(setting, { value: effective[key], source, place: found?.place ?? null })
  })
  return { values: shell, engine, reports, unknown, configFile: file }
}

/** Whether colours are wanted on a stream: `NO_COLOR` wins, then `FORCE_COLOR`, then the terminal. */
export function wantsColor(isTerminal: boolean, environment: Environment = process.env): boolean {
  if ((environment['NO_COLOR'] ?? '') !== '') return false
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0'
  return isTerminal && environment['TERM'] !== 'dumb'
}

/** The environment that tasks take their allowed part of. */
export const taskEnvironment = (): Environment => process.env

/** The variable that sets a setting. */
const environmentName = (name: string): string => `SAGASMITH_${name.toUpperCase()}`

/** What to say about a key of the config file that is no setting. */
export function unknownText({ name, nearest }: UnknownSetting): string {
  const meant = nearest === null ? '' : `; did you mean ${nearest}?`
  return `The config file names “${name}”, which is no setting${meant}`
}

/** The given values by key, checked; a setting that nobody gave has its default or is left out. */
function parseAll(given: GivenByName, data: string): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [key, setting] of settings) {
    const found = given.get(setting.name)
    if (found !== undefined) values[key] = parsed(setting, found)
    else if (setting.default !== null) values[key] = setting.default
  }
  const folder = values['data']
  return { ...values, data: typeof folder === 'string' ? resolve(folder) : data }
}

/** The schema of each key yields that key's type, so the record has the type of its catalogue. */
function pick<Values>(values: Readonly<Record<string, unknown>>, of: object): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key in of)) as Values
}

function parsed(setting: AnySetting, { raw, source, place }: Given): unknown {
  const result = setting.schema.safeParse(raw)
  if (result.success) return result.data
  const reason = result.error.issues[0]?.message ?? 'wrong value'
  const where = source === 'environment' ? `${place} (environment)` : `${setting.name} (${source})`
  const hint = 'Correct the value, or leave it out to get the default.'
  throw new SagasmithError('bad_request', {
    message: `The setting ${where} has a wrong value: ${reason}.`,
    hint: source === 'config file' ? `${hint} The file is ${place}.` : hint,
    details: { setting: setting.name, source },
  })
}

function refuseContradictions({ heartbeatIntervalMs, claimTtlMs }: EngineSettings): void {
  if (heartbeatIntervalMs * 2 <= claimTtlMs) return
  throw new SagasmithError('bad_request', {
    message: `The setting heartbeat_interval (${heartbeatIntervalMs} ms) is too long for claim_ttl (${claimTtlMs} ms).`,
    hint: 'Make it at most half of claim_ttl, or leave it out to get a quarter.',
    details: { setting: 'heartbeat_interval' },
  })
}

function fromConfigFile(path: string): {
  readonly given: GivenByName
  readonly unknown: readonly UnknownSetting[]
} {
  const given = new Map<string, Given>()
  const unknown: UnknownSetting[] = []
  for (const [written, raw] of Object.entries(readConfigFile(path))) {
    const name = nameByPlain.get(plainName(written))
    if (name === undefined) unknown.push({ name: written, nearest: nearestName(written, settingNames) })
    else if (raw !== null) given.set(name, { raw, source: 'config file', place: path })
  }
  return { given, unknown }
}

function fromEnvironment(environment: Environment): GivenByName {
  const given = new Map<string, Given>()
  for (const [, { name, environmentNames }] of settings) {
    const place = [environmentName(name), ...environmentNames].find(
      (known) => (environment[known] ?? '') !== '',
    )
    if (place !== undefined) given.set(name, { raw: environment[place], source: 'environment', place })
  }
  return given
}

function fromFlags(flags: SettingsInput['flags']): GivenByName {
  const given = new Map<string, Given>()
  for (const [name, raw] of Object.entries(flags)) {
    const place = `--${name.replaceAll('_', '-')}`
    if (raw !== undefined) given.set(name, { raw, source: 'command line', place })
  }
  return given
}

function fromSets(sets: readonly string[]): GivenByName {
  const given = new Map<string, Given>()
  for (const written of sets) {
    const at = written.indexOf('=')
    const wanted = at === -1 ? written : written.slice(0, at).trim()
    const name = nameByPlain.get(plainName(wanted))
    if (at === -1 || name === undefined) throw wrongSet(written, wanted)
    given.set(name, { raw: written.slice(at + 1), source: 'command line', place: `--set ${name}` })
  }
  return given
}

function wrongSet(written: string, wanted: string): SagasmithError {
  const isKnown = nameByPlain.has(plainName(wanted))
  const nearest = nearestName(wanted, settingNames)
  return new SagasmithError('bad_request', {
    message: isKnown ? `--set ${written} gives no value.` : `There is no setting “${wanted}”.`,
    hint: isKnown
      ? `Write --set ${wanted}=VALUE.`
      : nearest === null
        ? 'See `sagasmith config show` for all settings.'
        : `Did you mean ${nearest}?`,
    details: { usage: true, setting: wanted },
  })
}
