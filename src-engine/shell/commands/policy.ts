/** `policy show|set|clear|test|history|rollback|replay`: what may start and be dispatched, and under which bounds. */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { policyJson } from '../../model/policy/policy.ts'
import { readPolicy } from '../../model/policy/read-policy.ts'
import type {
  PolicyQuestion,
  PolicyReplay,
  PolicyTrial,
  PolicyView,
  RemoteKernelView,
} from '../../protocol/policy.ts'
import type { Session } from '../session.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { withSession } from './with-session.ts'

const replayedDefault = 100

export const policyCommand: Command = {
  usage:
    'policy show | set FILE | clear | test [FILE] --request JSON | history | rollback HASH | replay [FILE]',
  summary: 'Show, set and try out the safety policy, and go back to an earlier one.',
  options: {
    request: { type: 'string' },
    note: { type: 'string' },
    as: { type: 'string' },
    workflow: { type: 'string' },
    limit: { type: 'string' },
    cluster: { type: 'string' },
  },
  optionHelp: [
    ['--request JSON', 'test: what is asked about: {"kind":"http-request","workflowId":"orders"}'],
    ['--note TEXT', 'set, clear, rollback: why; shown in the history'],
    ['--as NAME', 'set, clear, rollback: who; shown in the history'],
    ['--workflow ID', 'replay: only runs of this workflow'],
    ['--limit N', `replay: how many runs, newest first (${replayedDefault})`],
    ['--cluster NAME', 'the policy of a cluster instead of the data directory’s'],
  ],
  positionals: { min: 1, max: 2 },
  run: (context) => {
    const [word = '', given] = context.positionals
    const act = actions[word]
    const isMissing = act?.needs === 'argument' && given === undefined
    const isTooMuch = act?.needs === 'nothing' && given !== undefined
    if (act === undefined || isMissing || isTooMuch) {
      throw usageError(`That is no use of “policy ${word}”.`, `Usage: sagasmith ${policyCommand.usage}`)
    }
    return act.run(context, given ?? null)
  },
}

interface Action {
  readonly needs: 'nothing' | 'argument' | 'perhaps'
  readonly run: (context: CommandContext, given: string | null) => Promise<ExitCode>
}

const within = (context: CommandContext, act: (session: Session) => Promise<void>): Promise<ExitCode> =>
  withSession(context, 'look', async (session) => {
    await act(session)
    return 0
  })

const actions: Readonly<Record<string, Action>> = {
  show: {
    needs: 'nothing',
    run: (context) => within(context, async (session) => show(context, await session.call('policy.get', {}))),
  },
  set: {
    needs: 'argument',
    run: async (context, given) => {
      const policy = await policyOf(given)
      return within(context, async (session) => {
        show(context, await session.call('policy.set', { policy, ...said(context) }))
      })
    },
  },
  clear: {
    needs: 'nothing',
    run: (context) =>
      within(context, async (session) => {
        show(context, await session.call('policy.set', { policy: null, ...said(context) }))
      }),
  },
  test: {
    needs: 'perhaps',
    run: async (context, given) => {
      const policy = await policyOf(given)
      const request = requestOf(context)
      return within(context, async (session) => {
        showTrial(context, await session.call('policy.test', { policy, request }))
      })
    },
  },
  history: {
    needs: 'nothing',
    run: (context) => within(context, (session) => showHistory(context, session)),
  },
  rollback: {
    needs: 'argument',
    run: (context, given) =>
      within(context, async (session) => {
        show(context, await session.call('policy.rollback', { hash: given ?? '', ...said(context) }))
      }),
  },
  replay: {
    needs: 'perhaps',
    run: async (context, given) => {
      const policy = await policyOf(given)
      const { workflow } = context.flags
      const workflowId = typeof workflow === 'string' ? workflow : null
      const limit = limitOf(context)
      return within(context, async (session) => {
        showReplay(context, await session.call('policy.replay', { policy, workflowId, limit }))
      })
    },
  },
}

/** Who says so, and why. */
function said({ flags }: CommandContext): { readonly by: string | null; readonly note: string | null } {
  const { as, note } = flags
  return { by: typeof as === 'string' ? as : null, note: typeof note === 'string' ? note : null }
}

/** The policy of a file, checked here so that what is wrong is told with its place; null for no file. */
async function policyOf(given: string | null): Promise<JsonValue> {
  if (given === null) return null
  const path = resolve(given)
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    throw new SagasmithError('file_not_accessible', {
      message: `The policy file ${path} could not be read.`,
      details: { path },
      cause: thrown,
    })
  })
  const read = readPolicy(text)
  if (!read.ok) throw read.error
  return policyJson(read.value)
}

function requestOf({ flags }: CommandContext): PolicyQuestion {
  const { request } = flags
  if (typeof request !== 'string') {
    throw usageError('There is nothing to ask about.', 'Give it with --request \'{"kind":"http-request"}\'.')
  }
  try {
    // Its fields are checked by whoever answers.
    return JSON.parse(request) as PolicyQuestion
  } catch {
    throw usageError('The request is not valid JSON.', 'Write it like \'{"kind":"http-request"}\'.')
  }
}

function limitOf({ flags }: CommandContext): number {
  const { limit } = flags
  const number = typeof limit === 'string' ? Number(limit) : replayedDefault
  if (Number.isInteger(number) && number >= 1) return number
  throw usageError(`${String(limit)} is no number of runs.`, 'Write a whole number from 1.')
}

function show({ json, emit, terminal }: CommandContext, view: PolicyView): void {
  if (json) return emit({ type: 'policy', ...view })
  const { dim } = terminal.colors
  if (view.problem !== null) terminal.line(view.problem)
  else if (view.policy === null) terminal.line('There is no policy: everything is allowed.')
  else {
    terminal.line(`${view.policy.title ?? 'Policy'}  ${dim(view.hash ?? '')}`)
    for (const [index, rule] of view.policy.rules.entries()) {
      const what = [rule.title ?? '', rule.enabled === false ? '(off)' : ''].filter((text) => text !== '')
      terminal.line(`${index + 1}. ${rule.id}  ${rule.decision}  ${dim(what.join(' '))}`)
    }
    terminal.line(`else ${view.policy.defaultDecision}`)
  }
  const remote = view.remote === null ? 'none' : wordsOfRemote(view.remote)
  terminal.line(dim(`fail mode ${view.failMode}; remote kernel: ${remote}`))
}

function wordsOfRemote({ status, failures, openUntil, here }: RemoteKernelView): string {
  const until = openUntil === null ? '' : ` until ${new Date(openUntil).toISOString()}`
  const failed = failures === 0 ? '' : ` after ${failures} ${failures === 1 ? 'failure' : 'failures'}`
  return `circuit ${status}${until}${failed}${here ? '' : ' (asked by others)'}`
}

function showTrial({ json, emit, terminal }: CommandContext, trial: PolicyTrial): void {
  if (json) return emit({ type: 'trial', ...trial })
  const words = {
    disabled: 'off',
    'no-match': 'does not apply',
    'within-velocity': 'applies beyond its rate',
  }
  for (const { ruleId, why } of trial.passed) terminal.line(terminal.colors.dim(`${ruleId}: ${words[why]}`))
  terminal.line(`${trial.decision}  by ${trial.ruleId ?? 'the default'}: ${trial.reason}`)
  if (trial.constraints !== null) terminal.line(`under ${JSON.stringify(trial.constraints)}`)
}

async function showHistory({ json, emit, terminal }: CommandContext, session: Session): Promise<void> {
  const { current, snapshots } = await session.call('policy.history', {})
  for (const snapshot of snapshots) {
    const isCurrent = snapshot.hash === current
    if (json) emit({ type: 'snapshot', ...snapshot, isCurrent })
    else {
      const { hash, at, by, note, title, ruleCount } = snapshot
      const told = [new Date(at).toISOString(), by, `${ruleCount} rules`, title, note].filter(
        (text) => text !== '',
      )
      terminal.line(`${isCurrent ? '*' : ' '} ${hash}  ${terminal.colors.dim(told.join('  '))}`)
    }
  }
  if (snapshots.length === 0 && !json) terminal.line('No policy was ever set.')
}

function showReplay({ json, emit, terminal }: CommandContext, replay: PolicyReplay): void {
  const { differences, ...counts } = replay
  for (const difference of differences) {
    if (json) emit({ type: 'difference', ...difference })
    else {
      const { runId, nodeId, change, before, after, ruleId } = difference
      terminal.line(`${change}  ${runId} ${nodeId}  ${before} → ${after}  by ${ruleId ?? 'the default'}`)
    }
  }
  if (json) emit({ type: 'replay', ...counts })
  else {
    const { runs, steps, escalated, relaxed, unchanged } = counts
    terminal.line(
      `${runs} runs, ${steps} steps: ${escalated} stricter, ${relaxed} milder, ${unchanged} the same`,
    )
  }
}
