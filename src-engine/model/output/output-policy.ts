/**
 * The output policy as people write it: which results of steps may be handed on, judged by ordered rules of
 * which the first that fits decides. A document of the workspace, the same for every process of it.
 */

import { z } from 'zod'
import type { JsonValue } from '../json.ts'
import { lazily } from '../lazily.ts'
import { patternProblem } from './pattern-guard.ts'

/** What a rule does with a result; `deny` does what `quarantine` does, and says so more harshly. */
export const outputDecisions = ['allow', 'quarantine', 'deny', 'redact'] as const

export type OutputDecision = (typeof outputDecisions)[number]

export const outputSeverities = ['low', 'medium', 'high', 'critical'] as const

export type OutputSeverity = (typeof outputSeverities)[number]

/** The scanners that every engine has; a document may add its own. */
const builtinScanners = ['secret', 'pii', 'injection', 'prompt_injection'] as const

/** More than anybody reads, and little enough for every claim of every process. */
const rulesMax = 200
const listMax = 200
const textMax = 256
const wordsMax = 1_000

const text = lazily(() => z.string().min(1).max(textMax))
/** Names with `*` for any characters; an empty list asks for nothing. */
const names = lazily(() => z.array(text()).max(listMax).default([]))

const pattern = lazily(() =>
  text().superRefine((source, context) => {
    const problem = patternProblem(source)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  }),
)

const matchSchema = lazily(() =>
  z
    .strictObject({
      tenants: names(),
      workflows: names(),
      nodes: names(),
      /** Task kinds, or tags of the node. */
      topics: names(),
      /** What the step requires of its runner. */
      capabilities: names(),
      /** Tags of the node or of the run. */
      riskTags: names(),
      /** Any of these finds something. */
      scanners: names(),
      /** Any of these regular expressions matches. */
      contentPatterns: z.array(pattern()).max(listMax).default([]),
      /** Any of these words is in it, whatever the case. */
      keywords: z.array(text()).max(listMax).default([]),
      /** `application/json`, `text/*`, … */
      contentTypes: names(),
      /** More bytes than this; null for any size. */
      outputSizeGt: z.int().min(0).nullable().default(null),
      /** Whether the result tells of an error in its member `error`; null for both. */
      hasError: z.boolean().nullable().default(null),
    })
    .prefault({}),
)

const ruleSchema = lazily(() =>
  z.strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'Letters, digits, dots, dashes and underscores'),
    enabled: z.boolean().default(true),
    severity: z.enum(outputSeverities).default('medium'),
    description: z.string().max(wordsMax).default(''),
    /** What people are told. */
    reason: z.string().max(wordsMax).default(''),
    decision: z.enum(outputDecisions),
    match: matchSchema(),
  }),
)

const scannerPatternSchema = lazily(() =>
  z.strictObject({
    name: text(),
    regex: pattern(),
    ignoreCase: z.boolean().default(false),
    severity: z.enum(outputSeverities).default('medium'),
    confidence: z.number().min(0).max(1).default(0.8),
    /** One of these words must stand near by; empty for no such need. */
    contextRequired: z.array(text()).max(listMax).default([]),
  }),
)

const scannerSchema = lazily(() =>
  z.strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'Small letters, digits and underscores'),
    patterns: z.array(scannerPatternSchema()).min(1).max(listMax),
  }),
)

const policySchema = lazily(() =>
  z.strictObject({
    format: z.literal(1).default(1),
    enabled: z.boolean().default(true),
    rules: z.array(ruleSchema()).max(rulesMax).default([]),
    scanners: z.array(scannerSchema()).max(listMax).default([]),
  }),
)

/** A policy with everything said that a document may leave out. */
export type OutputPolicy = z.output<ReturnType<typeof policySchema>>

export type OutputRule = OutputPolicy['rules'][number]

export type ScannerPattern = OutputPolicy['scanners'][number]['patterns'][number]

/** What is wrong with a document, or only worth knowing. */
export interface OutputPolicyProblem {
  /** `rules.2.match.contentPatterns.0` */
  readonly path: string
  readonly message: string
  /** A warning keeps nobody from using the document: the rule has no effect. */
  readonly level: 'error' | 'warning'
}

export interface OutputPolicyReading {
  /** Null when it can't be used. */
  readonly policy: OutputPolicy | null
  readonly problems: readonly OutputPolicyProblem[]
}

/** Reads a policy document with all that is to be said about it. */
export function readOutputPolicy(document: JsonValue): OutputPolicyReading {
  const parsed = policySchema().safeParse(document)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }): OutputPolicyProblem => {
      return { path: path.map(String).join('.'), message, level: 'error' }
    })
    return { policy: null, problems }
  }
  const policy = parsed.data
  const errors = doubles(policy)
  return { policy: errors.length > 0 ? null : policy, problems: [...errors, ...unknownScanners(policy)] }
}

function doubles({ rules, scanners }: OutputPolicy): readonly OutputPolicyProblem[] {
  const problems: OutputPolicyProblem[] = []
  const look = (list: string, keys: readonly string[]): void => {
    for (const [index, key] of keys.entries()) {
      if (keys.indexOf(key) === index) continue
      problems.push({
        path: `${list}.${index}`,
        message: `There is another one named ${key}`,
        level: 'error',
      })
    }
  }
  look(
    'rules',
    rules.map(({ id }) => id),
  )
  look('scanners', [...builtinScanners, ...scanners.map(({ name }) => name)])
  return problems
}

function unknownScanners({ rules, scanners }: OutputPolicy): readonly OutputPolicyProblem[] {
  const known = new Set<string>([...builtinScanners, ...scanners.map(({ name }) => name)])
  return rules.flatMap(({ match }, index) =>
    match.scanners.flatMap((name, place): readonly OutputPolicyProblem[] => {
      if (known.has(name)) return []
      const path = `rules.${index}.match.scanners.${place}`
      return [{ path, message: `There is no scanner ${name}: it finds nothing`, level: 'warning' }]
    }),
  )
}

/** What counts where nobody set a policy. */
export const defaultOutputPolicyDocument = {
  format: 1,
  enabled: true,
  rules: [
    {
      id: 'error-with-secret',
      severity: 'critical',
      decision: 'quarantine',
      reason: 'The error that the result tells of quotes a secret.',
      match: { hasError: true, scanners: ['secret'] },
    },
    {
      id: 'secret',
      severity: 'critical',
      decision: 'quarantine',
      reason: 'The result holds what looks like a secret.',
      match: { scanners: ['secret'] },
    },
    {
      id: 'pii',
      severity: 'high',
      decision: 'quarantine',
      reason: 'The result holds data about a person.',
      match: { scanners: ['pii'], riskTags: ['pii', 'personal-data', 'export'] },
    },
    {
      id: 'injection',
      severity: 'high',
      decision: 'quarantine',
      reason: 'The result holds commands that another program might carry out.',
      match: { scanners: ['injection', 'prompt_injection'] },
    },
    {
      id: 'too-large',
      severity: 'medium',
      decision: 'quarantine',
      reason: 'The result is larger than 10 MiB.',
      match: { outputSizeGt: 10_485_760 },
    },
  ],
  scanners: [],
} satisfies JsonValue
