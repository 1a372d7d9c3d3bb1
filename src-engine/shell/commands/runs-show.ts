/** `runs show ID`: a run with its steps and every attempt. */

import type { AttemptRecord, LogLine } from '../../model/attempt.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import { runId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type { RunRecord } from '../../model/run.ts'
import { runTookMs, sinceMade } from '../../model/run-time.ts'
import { sealedWords } from '../../model/seal.ts'
import type { SagaView } from '../../protocol/saga.ts'
import type { RunSnapshot } from '../../protocol/snapshot.ts'
import type { Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'
import { instantText, spanText } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { printRollback } from './rollback-lines.ts'
import { stepLine } from './run-view.ts'
import { statusPaint } from './runs-list.ts'
import { withSession } from './with-session.ts'

interface Shown {
  readonly snapshot: RunSnapshot
  readonly attempts: readonly AttemptRecord[]
  readonly titles: ReadonlyMap<string, string>
  /** Null for a copy of a cluster's run: what it did is undone there. */
  readonly saga: SagaView | null
}

/** Log lines of a failed attempt that people see; `--json` has them all. */
const logLinesMax = 5

/** Prints the run. */
export function showAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const id = runId(args[0] ?? '')
  return withSession(context, 'look', async (session) => {
    const snapshot = await session.call('runs.get', { runId: id })
    const shown: Shown = {
      snapshot,
      attempts: await session.call('runs.attempts', { runId: id, invocationId: null }),
      titles: new Map(),
      saga: snapshot.pulled === undefined ? await session.call('saga.show', { runId: id }) : null,
    }
    if (context.json) await emitAll(context, session, shown)
    else
      await print(context.terminal, session, {
        ...shown,
        titles: await titlesOf(session, shown.snapshot.run),
      })
    return 0
  })
}

async function emitAll(
  context: CommandContext,
  session: Session,
  { snapshot, attempts, saga }: Shown,
): Promise<void> {
  const { run, invocations, skipped } = snapshot
  const value = (payload: Payload | null): Promise<unknown> => valueOf(session, payload)
  context.emit({
    type: 'run',
    ...run,
    input: await value(run.input),
    output: await value(run.output),
    ...(snapshot.pulled === undefined ? {} : { pulled: snapshot.pulled }),
  })
  for (const step of invocations) {
    const url = await calledAt(session, step)
    const [input, output] = [await value(step.input), await value(step.output)]
    context.emit({ type: 'step', ...step, input, output, ...(url === null ? {} : { url }) })
  }
  for (const node of skipped) context.emit({ type: 'skipped', ...node })
  for (const attempt of attempts) {
    const [input, output, log] = await Promise.all([attempt.input, attempt.output, attempt.log].map(value))
    context.emit({ type: 'attempt', ...attempt, input, output, log })
  }
  if (saga !== null && saga.entries.length > 0) context.emit({ type: 'rollback', ...saga })
}

async function valueOf(session: Session, payload: Payload | null): Promise<unknown> {
  if (payload === null) return null
  if (payload.kind === 'sealed') return { sealed: sealedWords(payload.token, payload.problem) }
  const { json } = await session.call('payloads.get', { payload })
  return JSON.parse(json)
}

async function titlesOf(session: Session, run: RunRecord): Promise<ReadonlyMap<string, string>> {
  const { document } = await session.call('workflows.version', { hash: run.definitionHash })
  const nodes = isJsonObject(document['nodes']) ? document['nodes'] : {}
  const pairs = Object.entries(nodes).map(([id, node]) => {
    const title = isJsonObject(node) ? node['title'] : null
    return [id, typeof title === 'string' && title !== '' ? title : id] as const
  })
  return new Map(pairs)
}

async function print(terminal: Terminal, session: Session, shown: Shown): Promise<void> {
  const { bold, dim } = terminal.colors
  const { run, invocations, skipped, pulled } = shown.snapshot
  terminal.line(`${bold(run.workflowTitle)}  ${dim(run.id)}`)
  if (pulled !== undefined) terminal.line(dim(pulledText(pulled)))
  if (run.parentRunId !== null) terminal.line(dim(`Started by the run ${run.parentRunId}.`))
  terminal.line(`${statusPaint(terminal, run.status)(run.status)}  ${timesOf(run)}\n`)
  if (run.waitReason !== null) terminal.line(`${run.waitReason.message}\n`)
  const width = Math.max(12, ...[...shown.titles.values()].map((title) => title.length))
  const titleOf = (nodeId: string): string => (shown.titles.get(nodeId) ?? nodeId).padEnd(width)
  const placeOf = ({ path }: InvocationRecord): string => (path === '' ? '' : `  ${dim(`[${path}]`)}`)
  for (const step of invocations) {
    // What undoes steps stands below, in its own order.
    if (step.role === 'compensation' && shown.saga !== null) continue
    terminal.line(plainStep(terminal, step, titleOf(step.nodeId)) + placeOf(step))
    const url = await calledAt(session, step)
    if (url !== null) terminal.line(`    call ${url}`)
    const attempts = shown.attempts.filter(({ invocationId }) => invocationId === step.id)
    // One successful attempt says nothing that its step hasn't said.
    if (attempts.length === 1 && attempts[0]?.outcome === 'succeeded') continue
    for (const attempt of attempts) await printAttempt(terminal, session, attempt)
  }
  for (const { nodeId } of skipped) terminal.line(dim(`- ${titleOf(nodeId)}  skipped`))
  if (shown.saga !== null) printRollback(terminal, shown.saga, titleOf)
  if (run.error !== null) printError(terminal, run.error, '')
}

/** The address that a step waits at; null for one that waits for no web call. */
async function calledAt(
  session: Session,
  { id, wait, finishedAt }: InvocationRecord,
): Promise<string | null> {
  if (finishedAt !== null || wait?.kind !== 'signal' || wait.calls === undefined) return null
  return (await session.call('webhooks.callback', { invocationId: id })).url
}

/** Where the copy is from, and of when. */
const pulledText = ({ origin, isSnapshot }: PulledRun): string =>
  `Pulled from ${origin.cluster} at ${instantText(origin.pulledAt)}${isSnapshot ? ', while it went on' : ''}; only read here.`

const marked: ReadonlySet<string> = new Set([
  'REGISTERED',
  'REROUTED',
  'PENDING',
  'RUNNING',
  'PAUSED',
  'RESUMED',
  'WAITING',
  'KILLED',
])

function plainStep(terminal: Terminal, step: InvocationRecord, title: string): string {
  if (!marked.has(step.status)) return stepLine(terminal, step, title)
  const reason = step.waitReason === null ? '' : ` (${step.waitReason.message})`
  return `${terminal.colors.blue('•')} ${title}  ${step.status.toLowerCase()}${reason}`
}

function timesOf(run: RunRecord): string {
  const from = instantText(run.startedAt ?? run.createdAt)
  const tookMs = runTookMs(sinceMade(run))
  return tookMs === null ? `since ${from}` : `${from}, took ${spanText(tookMs)}`
}

async function printAttempt(terminal: Terminal, session: Session, attempt: AttemptRecord): Promise<void> {
  const { dim } = terminal.colors
  const took = spanText(attempt.endedAt - attempt.startedAt)
  const head = `    attempt ${attempt.number}  ${instantText(attempt.startedAt)}  ${took}  ${attempt.outcome}`
  terminal.line(dim(head))
  if (attempt.error === null) return
  printError(terminal, attempt.error, '      ')
  const log = await valueOf(session, attempt.log)
  // A sealed one has no lines to show.
  const lines = Array.isArray(log) ? (log as readonly LogLine[]) : []
  for (const { text } of lines.slice(-logLinesMax)) terminal.line(dim(`      | ${text}`))
}

function printError(terminal: Terminal, error: ErrorRecord, indent: string): void {
  const { red, dim } = terminal.colors
  terminal.line(`${indent}${red(error.message)} ${dim(`[${error.code}]`)}`)
  terminal.line(`${indent}${dim(`→ ${error.hint}`)}`)
}
