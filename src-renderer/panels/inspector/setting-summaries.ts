/** What a folded group of settings comes to, in a few words: it tells what counts without being opened. Pure. */

import type { Priority } from '../../../src-engine/model/invocation.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { fullRetryPolicy } from '../../../src-engine/model/retry.ts'
import { shortened, spanText } from '../../../src-engine/model/summary.ts'
import type {
  OnLost,
  WorkflowDocument,
  WorkflowNode,
  WorkflowSettings,
} from '../../../src-engine/model/workflow.ts'
import { fill, summaries as words } from '../../text/messages.ts'
import { cacheSummary, keeping, redaction, stoppedAfter } from '../../text/result-words.ts'
import { rollbackWords } from '../../text/saga-words.ts'
import { priorityChoices } from './setting-fields.ts'
import { rollbackCases } from './undo-schema.ts'

/** By the title of the group. `schema` has the defaults that count for this node; see `usual-settings.ts`. */
export function settingSummaries(node: WorkflowNode, schema: JsonObject): Readonly<Record<string, string>> {
  const usual = usualReader(schema)
  return {
    Skipping: skipWords(node),
    Cache: cacheWords(node),
    Retry: retryWords(node),
    Timeouts: timeoutWords(node, Number(usual('timeout', 'attemptMs'))),
    'When it fails': node.onError === 'continue' ? words.goesOn : words.runFails,
    'Output check': node.outputSchema === undefined ? words.none : words.checked,
    'Kept output': keptWords(node),
    'Ending the run': stopWords(node),
    'Several ways in': joinWords(node),
    'When it is cut off': words.onLost[node.onLost ?? asLost(usual('onLost'))],
    'How many at a time': concurrencyWords(node, usual('concurrency', 'onFull')),
    'How often': rateWords(node),
    'Priority and tags': priorityWords(node, usual('priority')),
    'Where it runs': placeWords(node, usual('pool')),
  }
}

/** The same for a workflow as a whole: by the title of the group. */
export function workflowSummaries({
  settings = {},
  capabilities,
}: WorkflowDocument): Readonly<Record<string, string>> {
  const { timeoutMs, onFailure, priority = 'NORMAL', concurrency, rateLimit } = settings
  const hosts = capabilities?.hosts?.length ?? 0
  const general = [
    priorityChoices[priority]?.title ?? priority,
    ...(timeoutMs === undefined ? [] : [fill(words.inAll, { span: spanText(timeoutMs) })]),
    ...(onFailure === 'finish' ? [words.othersFinish] : []),
  ]
  const limits = [
    ...(concurrency?.limit === undefined ? [] : [fill(words.limit, { limit: concurrency.limit })]),
    ...(rateLimit === undefined ? [] : [rateWords({ rateLimit })]),
  ]
  return {
    Settings: general.join(', '),
    [rollbackWords.group]: rollbackSummary(settings.rollbackOn),
    'Runs at a time': limits.length === 0 ? words.noLimit : limits.join(', '),
    'Private hosts':
      hosts === 0 ? words.noHosts : fill(hosts === 1 ? words.oneHost : words.hosts, { count: hosts }),
  }
}

function rollbackSummary(chosen: WorkflowSettings['rollbackOn']): string {
  const cases = chosen ?? rollbackCases
  if (cases.length === 0) return rollbackWords.never
  if (cases.length === rollbackCases.length) return rollbackWords.always
  return fill(rollbackWords.some, { count: cases.length, total: rollbackCases.length })
}

/** Reads a default out of the schema, by the path of its field. */
function usualReader(schema: JsonObject): (...path: readonly string[]) => unknown {
  return (...path) => {
    let at = schema
    for (const key of path) {
      const properties = at['properties']
      const next = isJsonObject(properties) ? properties[key] : undefined
      if (!isJsonObject(next)) return undefined
      at = next
    }
    return at['default']
  }
}

const asLost = (value: unknown): OnLost => (value === 'ask' || value === 'fail' ? value : 'retry')

function retryWords({ retry }: WorkflowNode): string {
  const { maxAttempts, delayMs, retryIf } = fullRetryPolicy(retry)
  if (maxAttempts === 1) return words.once
  const tries = fill(words.attempts, { count: maxAttempts, delay: spanText(delayMs) })
  return retryIf === null ? tries : `${tries}, ${fill(words.retriedIf, { condition: shortened(retryIf) })}`
}

function skipWords({ skipIf = '', onSkip }: WorkflowNode): string {
  if (skipIf.trim() === '') return words.neverSkipped
  return fill(onSkip === 'pass' ? words.passedOver : words.skipped, { condition: shortened(skipIf) })
}

function cacheWords({ cache }: WorkflowNode): string {
  // A form that is filled in has a key before it has a time.
  if (cache?.ttlMs === undefined) return cacheSummary.always
  const { ttlMs, key = '' } = cache
  const span = spanText(ttlMs)
  return key.trim() === ''
    ? fill(cacheSummary.upTo, { span })
    : fill(cacheSummary.by, { span, key: shortened(key) })
}

function stopWords({ stopAfterIf = '', stopAs = 'succeeded' }: WorkflowNode): string {
  if (stopAfterIf.trim() === '') return stoppedAfter.never
  return `${fill(stoppedAfter.after, { condition: shortened(stopAfterIf) })}${stoppedAfter.as[stopAs]}`
}

function keptWords(node: WorkflowNode): string {
  const { keepOutput = 'full', redact = [] } = node
  if (keepOutput === 'full') return redactWords(node)
  const kept = keeping[keepOutput]
  return redact.length === 0 ? kept : `${kept}, ${redactWords(node)}`
}

function redactWords({ redact = [] }: WorkflowNode): string {
  const [path] = redact
  if (path === undefined) return redaction.nothing
  return redact.length === 1 ? fill(redaction.one, { path }) : fill(redaction.some, { count: redact.length })
}

function timeoutWords({ timeout }: WorkflowNode, usualMs: number): string {
  const each = fill(words.perAttempt, { span: spanText(timeout?.attemptMs ?? usualMs) })
  return timeout?.totalMs === undefined
    ? each
    : `${each}, ${fill(words.inAll, { span: spanText(timeout.totalMs) })}`
}

function joinWords({ join }: WorkflowNode): string {
  const { mode = 'all', count = 1 } = join ?? {}
  return mode === 'count' ? fill(words.join.count, { count }) : words.join[mode]
}

function concurrencyWords({ concurrency }: WorkflowNode, usualOnFull: unknown): string {
  const { running = 'DISABLED', registration = 'DISABLED', limit = 1 } = concurrency ?? {}
  const parts: string[] = []
  if (running !== 'DISABLED') {
    const isPatient = (concurrency?.onFull ?? usualOnFull) === 'reroute'
    parts.push(fill(words.limit, { limit }), isPatient ? words.othersWait : words.othersEnd)
  }
  if (registration !== 'DISABLED') parts.push(words.deduplicated)
  return parts.length === 0 ? words.noLimit : parts.join(', ')
}

function rateWords({ rateLimit }: Pick<WorkflowNode, 'rateLimit'>): string {
  if (rateLimit?.count === undefined || rateLimit.perMs === undefined) return words.noLimit
  return fill(words.rate, { count: rateLimit.count, span: spanText(rateLimit.perMs) })
}

function priorityWords({ priority, tags = [] }: WorkflowNode, usual: unknown): string {
  const value = priority ?? (typeof usual === 'string' ? (usual as Priority) : 'NORMAL')
  return [priorityChoices[value]?.title ?? value, ...tags].join(', ')
}

function placeWords({ pool, route }: WorkflowNode, usual: unknown): string {
  const rules = Object.keys(route?.labels ?? {}).length + (route?.requires?.length ?? 0)
  const place = pool ?? (typeof usual === 'string' ? usual : words.noPool)
  return rules === 0 ? place : fill(words.placeRules, { place, count: rules })
}
