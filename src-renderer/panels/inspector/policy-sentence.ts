/** What a step's settings come to, defaults included, as sentences a person can check. Pure. */

import { fullRetryPolicy } from '../../../src-engine/model/retry.ts'
import { shortened, spanText } from '../../../src-engine/model/summary.ts'
import type { TaskSpec } from '../../../src-engine/model/task-spec.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../src-engine/model/workflow.ts'
import { errorPort } from '../../../src-engine/model/workflow.ts'
import { fill } from '../../text/messages.ts'
import { policySentence as words } from '../../text/sentence-words.ts'

export interface SentenceOf {
  readonly id: string
  readonly node: WorkflowNode
  readonly document: Pick<WorkflowDocument, 'edges' | 'nodes' | 'settings'>
  /** Undefined for a kind that nothing here knows. */
  readonly spec: Pick<TaskSpec, 'sideEffect'> | undefined
  /** Default of one attempt's time, in ms. */
  readonly attemptMs: number
  /** The pool that counts where the node names none; null while nobody knows. */
  readonly pool: string | null
}

/** In the order in which things happen to a step. */
export function policySentences(of: SentenceOf): readonly string[] {
  const { node } = of
  if (node.disabled === true) return [words.disabled]
  if (node.bypassed === true) return [words.bypassed]
  return [
    skipped(node),
    cached(node),
    `${tries(node)} ${time(of)}`,
    place(of),
    lost(of),
    redacted(node),
    kept(node),
    stopping(node),
    failing(of),
    undoing(of),
  ].filter((text) => text !== '')
}

function skipped({ skipIf = '', onSkip }: WorkflowNode): string {
  if (skipIf.trim() === '') return ''
  return fill(onSkip === 'pass' ? words.passedOver : words.skipped, { condition: shortened(skipIf) })
}

function cached({ cache }: WorkflowNode): string {
  if (cache?.ttlMs === undefined) return ''
  const { ttlMs, key = '' } = cache
  const span = spanText(ttlMs)
  return key.trim() === ''
    ? fill(words.cached, { span })
    : fill(words.cachedBy, { span, key: shortened(key) })
}

function stopping({ stopAfterIf = '', stopAs = 'succeeded' }: WorkflowNode): string {
  if (stopAfterIf.trim() === '') return ''
  return fill(words.stops, { condition: shortened(stopAfterIf), status: stopAs })
}

function redacted({ redact = [] }: WorkflowNode): string {
  return redact.length === 0 ? '' : fill(words.redacts, { paths: shortened(redact.join(', ')) })
}

function kept({ keepOutput = 'full' }: WorkflowNode): string {
  return keepOutput === 'full' ? '' : words.keeps[keepOutput]
}

function tries({ retry }: WorkflowNode): string {
  const { maxAttempts, backoff, delayMs, factor, maxDelayMs, retryOn, neverOn, retryIf } =
    fullRetryPolicy(retry)
  if (maxAttempts === 1) return words.once
  const grows = backoff === 'exponential' && factor > 1
  const first = { count: maxAttempts, delay: spanText(delayMs), factor, max: spanText(maxDelayMs) }
  const said = fill(grows ? words.growing : words.steady, first)
  const only = retryOn === null ? whenAsked(retryIf) : fill(words.onlyOn, { codes: retryOn.join(', ') })
  const never = neverOn.length === 0 ? '' : fill(words.neverOn, { codes: neverOn.join(', ') })
  const asked = retryIf === null ? '.' : fill(words.onlyIf, { condition: shortened(retryIf) })
  return `${said}${retryOn?.length === 0 ? words.onNothing : only}${never}${asked}`
}

/** What the error itself says counts only where nothing else is asked. */
const whenAsked = (condition: string | null): string => (condition === null ? words.worthIt : '')

function time({ node: { timeout }, attemptMs }: SentenceOf): string {
  const each = fill(words.attempt, { span: spanText(timeout?.attemptMs ?? attemptMs) })
  const silent =
    timeout?.heartbeatMs === undefined ? '' : fill(words.heartbeat, { span: spanText(timeout.heartbeatMs) })
  const total = timeout?.totalMs === undefined ? '' : fill(words.total, { span: spanText(timeout.totalMs) })
  return `${each}${silent}${total}.`
}

function place({ node, pool }: SentenceOf): string {
  const named = node.pool ?? pool
  return named === null ? '' : fill(words.pool, { pool: named })
}

function lost({ node, spec }: SentenceOf): string {
  const effect = node.sideEffect ?? spec?.sideEffect ?? 'unsafe'
  return words.lost[node.onLost ?? (effect === 'unsafe' ? 'ask' : 'retry')]
}

function failing({ id, node, document }: SentenceOf): string {
  const hasPort = Object.values(document.edges).some(
    ({ from }) => from.node === id && from.port === errorPort,
  )
  if (hasPort) return words.errorPort
  if (node.onError === 'continue') return words.goesOn
  return document.settings?.onFailure === 'finish' ? words.failsLater : words.fails
}

function undoing({ node, document, spec }: SentenceOf): string {
  const { compensation } = node
  if (compensation?.impossible !== undefined)
    return fill(words.impossible, { reason: compensation.impossible })
  if (compensation?.node !== undefined) {
    return fill(words.undone, { by: document.nodes[compensation.node]?.title ?? compensation.node })
  }
  if (compensation?.task !== undefined) return fill(words.undone, { by: compensation.task.kind })
  return (node.sideEffect ?? spec?.sideEffect) === 'pure' ? '' : words.stays
}
