/**
 * Settings with their source: default < config file < environment < command line. The only place of the
 * shell that reads the environment.
 */

import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { SagasmithError } from '../model/errors.ts'
import { isSystemError } from './atomic-file.ts'
import type { LogLevel } from './log.ts'
import { logLevels } from './log.ts'

export interface Settings {
  /** The data directory. */
  readonly data: string
  /** Port of `serve`; 0 lets the system choose. */
  readonly port: number
  readonly logLevel: LogLevel
}

export type SettingSource = 'default' | 'config file' | 'environment' | 'command line'

export interface LoadedSettings {
  readonly values: Settings
  readonly sources: Readonly<Record<keyof Settings, SettingSource>>
  /** The config file that was looked for, whether it is there or not. */
  readonly configFile: string
}

type Environment = Readonly<Record<string, string | undefined>>
type Given = Readonly<Partial<Record<keyof Settings, string | number | undefined>>>

export interface SettingsInput {
  readonly flags: Given
  readonly environment?: Environment
  readonly platform?: NodeJS.Platform
  readonly home?: string
}

const schemas = {
  data: z.string().min(1).max(4_096),
  port: z.coerce.number().int().min(0).max(65_535),
  logLevel: z.enum(logLevels),
} satisfies { readonly [Key in keyof Settings]: z.ZodType<Settings[Key]> }

const keys = ['data', 'port', 'logLevel'] as const satisfies readonly (keyof Settings)[]

const environmentNames: Readonly<Record<keyof Settings, string>> = {
  data: 'SAGASMITH_DATA',
  port: 'SAGASMITH_PORT',
  logLevel: 'SAGASMITH_LOG_LEVEL',
}

/** Collects the settings. Throws `bad_request` naming the setting and where its wrong value comes from. */
export function loadSettings(input: SettingsInput): LoadedSettings {
  const environment = input.environment ?? process.env
  const place = { environment, platform: input.platform ?? process.platform, home: input.home ?? homedir() }
  const configFile = environment['SAGASMITH_CONFIG'] ?? join(configFolder(place), 'config.json')
  const layers: readonly (readonly [SettingSource, Given])[] = [
    ['default', { data: dataFolder(place), port: 0, logLevel: 'info' }],
    ['config file', readConfigFile(configFile)],
    ['environment', fromEnvironment(environment)],
    ['command line', input.flags],
  ]
  const pick = <Key extends keyof Settings>(key: Key): { value: Settings[Key]; source: SettingSource } => {
    const layer = layers.findLast(([, given]) => given[key] !== undefined)
    if (layer === undefined) throw new Error(`Broken invariant: setting ${key} has a default`)
    const [source, given] = layer
    const parsed = schemas[key].safeParse(given[key])
    // The schema of a key yields that key's type.
    if (parsed.success) return { value: parsed.data as Settings[Key], source }
    throw wrongSetting({ key, source, reason: parsed.error.issues[0]?.message ?? 'wrong value' })
  }
  const picked = { data: pick('data'), port: pick('port'), logLevel: pick('logLevel') }
  return {
    values: { data: resolve(picked.data.value), port: picked.port.value, logLevel: picked.logLevel.value },
    sources: { data: picked.data.source, port: picked.port.source, logLevel: picked.logLevel.source },
    configFile,
  }
}

/** Whether colours are wanted on a stream: `NO_COLOR` wins, then `FORCE_COLOR`, then the terminal. */
export function wantsColor(isTerminal: boolean, environment: Environment = process.env): boolean {
  if ((environment['NO_COLOR'] ?? '') !== '') return false
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0'
  return isTerminal && environment['TERM'] !== 'dumb'
}

/** The environment that tasks take their allowed part of. */
export const taskEnvironment = (): Environment => process.env

interface Place {
  readonly environment: Environment
  readonly platform: NodeJS.Platform
  readonly home: string
}

function dataFolder({ environment, platform, home }: Place): string {
  if (platform === 'win32')
    return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Sagasmith')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Sagasmith')
  return join(environment['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'sagasmith')
}

function configFolder({ environment, platform, home }: Place): string {
  if (platform === 'win32')
    return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Sagasmith')
  if (platform === 'darwin') return join(home, 'Library', 'Preferences', 'Sagasmith')
  return join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'sagasmith')
}

function fromEnvironment(environment: Environment): Given {
  const found = keys.map((key) => [key, environment[environmentNames[key]]] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== ''))
}

function readConfigFile(path: string): Given {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return {}
    throw unusableConfig(path, error)
  }
  try {
    const known = z.object({ data: z.string(), port: z.number(), logLevel: z.string() }).partial()
    return known.parse(JSON.parse(text))
  } catch (error) {
    throw unusableConfig(path, error)
  }
}

function unusableConfig(path: string, cause: unknown): SagasmithError {
  const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause)
  return new SagasmithError('bad_request', {
    message: `The config file ${path} can’t be used: ${reason}`,
    hint: 'Correct the file, or remove it to get the defaults.',
    details: { path },
    cause,
  })
}

function wrongSetting(wrong: { key: keyof Settings; source: SettingSource; reason: string }): SagasmithError {
  const { key, source, reason } = wrong
  const name = source === 'environment' ? environmentNames[key] : key
  return new SagasmithError('bad_request', {
    message: `The setting ${name} (${source}) has a wrong value: ${reason}.`,
    hint: 'Correct the value, or leave it out to get the default.',
    details: { setting: key, source },
  })
}
