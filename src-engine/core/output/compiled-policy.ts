/** A policy ready to judge with: its names as tests, its patterns as expressions. */

import type { OutputPolicy, OutputRule } from '../../model/output/output-policy.ts'
import type { Scanners } from './scanners.ts'
import { scannersOf } from './scanners.ts'

/** What is known of the step that gives a result. */
export interface StepMeta {
  readonly tenant: string
  readonly workflow: string
  readonly node: string
  readonly kind: string
  readonly capabilities: readonly string[]
  readonly nodeTags: readonly string[]
  readonly runTags: readonly string[]
}

/** What is known of a result without looking into it. */
export interface OutputMeta extends StepMeta {
  readonly bytes: number
  readonly contentType: string
  readonly hasError: boolean
}

export interface CompiledRule {
  readonly rule: OutputRule
  /** Whether all that the rule asks of the metadata holds. */
  readonly fits: (meta: OutputMeta) => boolean
  /** Whether it may hold for a step whose result is not at hand. */
  readonly mayFit: (step: StepMeta) => boolean
  /** Whether it asks for anything that only a look into the result can tell. */
  readonly looksInside: boolean
  readonly patterns: readonly RegExp[]
}

export interface CompiledPolicy {
  readonly hash: string
  /** Only those that are enabled, in their order. */
  readonly rules: readonly CompiledRule[]
  readonly scanners: Scanners
}

/** A policy as it judges; null for one that is switched off or has no rule. */
export function compilePolicy(policy: OutputPolicy, hash: string): CompiledPolicy | null {
  const rules = policy.enabled ? policy.rules.filter(({ enabled }) => enabled).map(compileRule) : []
  return rules.length === 0 ? null : { hash, rules, scanners: scannersOf(policy) }
}

function compileRule(rule: OutputRule): CompiledRule {
  const { match } = rule
  const stepTests: ((step: StepMeta) => boolean)[] = []
  const ownTests: ((meta: OutputMeta) => boolean)[] = []
  const add = (names: readonly string[], said: (step: StepMeta) => readonly string[]): void => {
    if (names.length === 0) return
    const isNamed = nameTest(names)
    stepTests.push((step) => said(step).some(isNamed))
  }
  add(match.tenants, ({ tenant }) => [tenant])
  add(match.workflows, ({ workflow }) => [workflow])
  add(match.nodes, ({ node }) => [node])
  add(match.topics, ({ kind, nodeTags }) => [kind, ...nodeTags])
  add(match.capabilities, ({ capabilities }) => capabilities)
  add(match.riskTags, ({ nodeTags, runTags }) => [...nodeTags, ...runTags])
  const { outputSizeGt, hasError } = match
  if (match.contentTypes.length > 0) {
    const isNamed = nameTest(match.contentTypes)
    ownTests.push(({ contentType }) => isNamed(contentType))
  }
  if (outputSizeGt !== null) ownTests.push(({ bytes }) => bytes > outputSizeGt)
  if (hasError !== null) ownTests.push((meta) => meta.hasError === hasError)
  return {
    rule,
    fits: (meta) => stepTests.every((test) => test(meta)) && ownTests.every((test) => test(meta)),
    mayFit: (step) => stepTests.every((test) => test(step)),
    looksInside: match.scanners.length + match.contentPatterns.length + match.keywords.length > 0,
    patterns: match.contentPatterns.map((source) => new RegExp(source, 'g')),
  }
}

/** Names with `*` for any characters. */
function nameTest(names: readonly string[]): (said: string) => boolean {
  const exact = new Set(names.filter((name) => !name.includes('*')))
  const open = names.filter((name) => name.includes('*')).map((name) => name.split('*'))
  return (said) => exact.has(said) || open.some((parts) => fitsParts(said, parts))
}

/** Each part after the one before it, the first at the start and the last at the end: no backtracking. */
function fitsParts(said: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts
  const last = others.pop() ?? ''
  if (!said.startsWith(first) || said.length < first.length + last.length || !said.endsWith(last))
    return false
  let at = first.length
  for (const part of others) {
    const found = said.indexOf(part, at)
    if (found < 0 || found + part.length > said.length - last.length) return false
    at = found + part.length
  }
  return true
}
