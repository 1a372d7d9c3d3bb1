/** What a setting is: its name, default, unit, meaning, reach, and the schema of what a person writes. */

import { z } from 'zod'
import type { Millis } from '../time.ts'
import { day, hour, minute, second } from '../time.ts'

/** `runner`: each process has its own. `store`: should be the same in all processes on one store. */
export type SettingScope = 'runner' | 'store'

/** Who may choose otherwise while the engine runs; for all others the value holds from start to stop. */
export type SettingOverride = 'nobody' | 'workflow' | 'node'

export type SpanUnit = 'ms' | 's' | 'min' | 'd'

export type SettingUnit = SpanUnit | 'fraction' | 'percent' | 'count' | 'characters' | 'bytes' | null

/** A setting as data. `Value` is what the engine reads: spans in ms, whatever unit people write them in. */
export interface Setting<Value> {
  /** In config files and after `--set`; with `SAGASMITH_` and in capitals in the environment. */
  readonly name: string
  /** The value without any source; null when it is derived from other settings. */
  readonly default: Value | null
  /** How a derived default comes about, in words; null when the default is a value. */
  readonly derivedFrom: string | null
  /** The unit in which a plain number is read; null for what has no unit. */
  readonly unit: SettingUnit
  /** One or two sentences: what it does and what changes with it. */
  readonly meaning: string
  readonly scope: SettingScope
  readonly overriddenBy: SettingOverride
  /** Shown as `(set)` instead of its value. */
  readonly isSecret: boolean
  /** What else the environment calls it, for names that other programs know. */
  readonly environmentNames: readonly string[]
  /** Accepts what a person or a config file gives: text, number, boolean or a list. */
  readonly schema: z.ZodType<Value>
}

/** Any setting, when its value's type doesn't matter. */
export type AnySetting = Setting<unknown>

/** The type of a setting's value. */
export type ValueOfSetting<S> = S extends Setting<infer Value> ? Value : never

interface Described<Value> {
  readonly name: string
  readonly default: Value
  readonly meaning: string
  readonly scope?: SettingScope
  readonly overriddenBy?: SettingOverride
  readonly isSecret?: boolean
  readonly environmentNames?: readonly string[]
}

interface Bounds {
  readonly min?: number
  readonly max?: number
}

const spanMsByUnit: Readonly<Record<SpanUnit, Millis>> = { ms: 1, s: second, min: minute, d: day }
const spanMsByWord: Readonly<Record<string, Millis>> = { ...spanMsByUnit, m: minute, h: hour }
/** Longer than anything here needs, short enough for exact arithmetic. */
const spanMsMax = 3_653 * day

/** A span; a plain number is in the named unit, a text may carry its own: `90 s`, `500ms`, `5 min`, `2h`. */
export function span(described: Described<Millis> & Bounds & { readonly unit: SpanUnit }): Setting<Millis> {
  const { unit, min = 0, max = spanMsMax } = described
  const shown = (ms: Millis): string => `${ms / spanMsByUnit[unit]} ${unit}`
  const schema = z.unknown().transform((raw, context): Millis => {
    const ms = readSpan(raw, unit)
    if (ms === null) {
      context.addIssue({ code: 'custom', message: `expected a span such as ${shown(described.default)}` })
      return z.NEVER
    }
    if (ms >= min && ms <= max) return ms
    context.addIssue({ code: 'custom', message: `expected ${shown(min)} to ${shown(max)}` })
    return z.NEVER
  })
  return { ...common(described), unit, schema }
}

function readSpan(raw: unknown, unit: SpanUnit): Millis | null {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw * spanMsByUnit[unit] : null
  if (typeof raw !== 'string') return null
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(raw)
  if (match === null) return null
  const word = match[2] === undefined || match[2] === '' ? unit : match[2].toLowerCase()
  const factor = spanMsByWord[word]
  return factor === undefined ? null : Number(match[1]) * factor
}

/** A span whose default is computed from other settings when nobody sets it. */
export function derivedSpan(
  described: Omit<Described<Millis>, 'default'> &
    Bounds & { readonly unit: SpanUnit; readonly example: Millis; readonly derivedFrom: string },
): Setting<Millis> {
  return {
    ...span({ ...described, default: described.example }),
    default: null,
    derivedFrom: described.derivedFrom,
  }
}

/** A whole number. */
export function count(
  described: Described<number> & Bounds & { readonly unit?: 'count' | 'characters' | 'bytes' },
): Setting<number> {
  const { unit = 'count', min = 0, max = Number.MAX_SAFE_INTEGER } = described
  const reason = `expected a whole number from ${min} to ${max}`
  return {
    ...common(described),
    unit,
    schema: number(reason, (n) => Number.isInteger(n) && n >= min && n <= max),
  }
}

/** A share of one, or of a hundred. */
export function share(
  described: Described<number> & Bounds & { readonly unit: 'fraction' | 'percent' },
): Setting<number> {
  const { unit, min = 0, max = unit === 'fraction' ? 1 : 100 } = described
  const reason = `expected a number from ${min} to ${max}`
  return { ...common(described), unit, schema: number(reason, (n) => n >= min && n <= max) }
}

function number(reason: string, accepts: (value: number) => boolean): z.ZodType<number> {
  return z.unknown().transform((raw, context): number => {
    const isText = typeof raw === 'string' && raw.trim() !== ''
    const value = typeof raw === 'number' ? raw : isText ? Number(raw) : Number.NaN
    if (Number.isFinite(value) && accepts(value)) return value
    context.addIssue({ code: 'custom', message: reason })
    return z.NEVER
  })
}

const flagWords: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
])

/** Yes or no. */
export function flag(described: Described<boolean>): Setting<boolean> {
  const schema = z.unknown().transform((raw, context): boolean => {
    const value = typeof raw === 'boolean' ? raw : flagWords.get(String(raw).trim().toLowerCase())
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: 'expected true or false' })
    return z.NEVER
  })
  return { ...common(described), unit: null, schema }
}

/** One of a few words; `aliases` are other spellings of them. */
export function choice<const Word extends string>(
  described: Described<Word> & {
    readonly words: readonly Word[]
    readonly aliases?: Readonly<Record<string, Word>>
  },
): Setting<Word> {
  const { words, aliases = {} } = described
  const schema = z.unknown().transform((raw, context): Word => {
    const text = String(raw).trim().toLowerCase()
    const value = words.find((word) => word.toLowerCase() === text) ?? aliases[text]
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: `expected one of ${words.join(', ')}` })
    return z.NEVER
  })
  return { ...common(described), unit: null, schema }
}

/** A text. */
export function text(
  described: Described<string> & { readonly pattern?: RegExp; readonly expected?: string },
): Setting<string> {
  const { pattern, expected = 'a text' } = described
  const schema = z.unknown().transform((raw, context): string => {
    if (typeof raw === 'string' && raw.length <= 4_096 && (pattern?.test(raw) ?? true)) return raw
    context.addIssue({ code: 'custom', message: `expected ${expected}` })
    return z.NEVER
  })
  return { ...common(described), unit: null, schema }
}

/** Several texts: a list in a config file, separated by commas elsewhere. */
export function words(described: Described<readonly string[]>): Setting<readonly string[]> {
  const schema = z.unknown().transform((raw, context): readonly string[] => {
    const parts = typeof raw === 'string' ? raw.split(',') : raw
    if (Array.isArray(parts) && parts.every((part) => typeof part === 'string')) {
      return parts.map((part) => part.trim()).filter((part) => part !== '')
    }
    context.addIssue({ code: 'custom', message: 'expected texts separated by commas' })
    return z.NEVER
  })
  return { ...common(described), unit: null, schema }
}

function common<Value>(described: Described<Value>): Omit<Setting<Value>, 'schema' | 'unit'> {
  const { scope = 'runner', overriddenBy = 'nobody', isSecret = false, environmentNames = [] } = described
  return {
    name: described.name,
    default: described.default,
    derivedFrom: null,
    meaning: described.meaning,
    scope,
    overriddenBy,
    isSecret,
    environmentNames,
  }
}
