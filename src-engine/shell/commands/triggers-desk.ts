/** `triggers list|show|firings|why|fire|enable|disable|reset|clear`: published triggers and what they did. */

import { runId, workflowId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'
import type { FiringRecord, TriggerName } from '../../model/trigger.ts'
import type { TriggerView } from '../../protocol/trigger-views.ts'
import { personHere } from '../person.ts'
import type { Session } from '../session.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { readRunInput } from './run-input.ts'
import { withSession } from './with-session.ts'

type DeskAction = (context: CommandContext, args: readonly string[]) => Promise<ExitCode>

const firingsDefault = 50

const asked =
  (act: (session: Session, context: CommandContext, args: readonly string[]) => Promise<void>): DeskAction =>
  (context, args) =>
    withSession(context, 'look', async (session) => {
      await act(session, context, args)
      return 0
    })

const nameOf = ([workflow = '', triggerId = '']: readonly string[]): TriggerName => ({
  workflowId: workflowId(workflow),
  triggerId,
})

/** Each by the word after `triggers`. */
export const deskActions = {
  list: asked(async (session, context, [workflow]) => {
    const asks = { workflowId: workflow === undefined ? null : workflowId(workflow) }
    const { triggers } = await session.call('triggers.list', asks)
    for (const trigger of triggers) showTrigger(context, trigger)
    if (triggers.length === 0 && !context.json) context.terminal.line('No published workflow has triggers.')
  }),
  show: asked(async (session, context, args) => {
    const { trigger, firings, standing } = await session.call('triggers.show', nameOf(args))
    showTrigger(context, trigger)
    if (!context.json) for (const words of standing) context.terminal.line(`  ${words}`)
    for (const firing of firings) showFiring(context, firing)
  }),
  firings: asked(async (session, context, [workflow, triggerId]) => {
    const { firings } = await session.call('triggers.firings', {
      workflowId: workflow === undefined ? null : workflowId(workflow),
      triggerId: triggerId ?? null,
      after: null,
      limit: firingsDefault,
    })
    for (const firing of firings) showFiring(context, firing)
  }),
  why: asked(async (session, context, [run = '']) => {
    const reason = await session.call('triggers.why', { runId: runId(run) })
    if (context.json) {
      context.emit({ type: 'run.reason', runId: run, ...reason })
      return
    }
    if (reason.firing === null) {
      context.terminal.line('No trigger started it, or its record is no longer kept.')
      return
    }
    showFiring(context, reason.firing)
    for (const { triggerId, words } of reason.conditions) {
      context.terminal.line(`  condition ${triggerId}: ${words}`)
    }
    for (const { name, at, source } of reason.events) {
      context.terminal.line(
        `  event “${name}” of ${timeOf(at)}${source === null ? '' : `, emitted by ${source}`}`,
      )
    }
    for (const id of reason.runs) context.terminal.line(`  after the run ${id}`)
  }),
  fire: asked(async (session, context, args) => {
    const { input: given } = context.flags
    const input: JsonValue | null = typeof given === 'string' ? await readRunInput(given, 'input') : null
    const { firing } = await session.call('triggers.fire', { ...nameOf(args), input, by: personHere() })
    showFiring(context, firing)
  }),
  enable: switching(true),
  disable: switching(false),
  reset: switching(null),
  clear: asked(async (session, context, args) => {
    const { trigger, dropped } = await session.call('triggers.clear', nameOf(args))
    if (context.json) context.emit({ type: 'trigger', ...trigger, dropped })
    else
      context.terminal.line(
        dropped === 0 ? 'It waited with nothing.' : `Dropped what it waited with: ${dropped}.`,
      )
  }),
} satisfies Readonly<Record<string, DeskAction>>

function switching(on: boolean | null): DeskAction {
  return asked(async (session, context, args) => {
    const { trigger } = await session.call('triggers.switch', { ...nameOf(args), on })
    showTrigger(context, trigger)
  })
}

const timeOf = (at: Instant): string => new Date(at).toISOString()

function showTrigger({ json, emit, terminal }: CommandContext, trigger: TriggerView): void {
  if (json) {
    emit({ type: 'trigger', ...trigger })
    return
  }
  const { workflowId: workflow, triggerId, kind, on, nextAt, lastFired, problem, waiting, switched } = trigger
  const { colors } = terminal
  const facts = [
    kind,
    ...(nextAt === null ? [] : [`next ${timeOf(nextAt)}`]),
    ...(lastFired === null ? [] : [`last ${timeOf(lastFired.at)}`]),
    ...(waiting.length === 0 ? [] : [`waits with ${waiting.length}`]),
    ...(switched === null ? [] : ['switched by hand']),
    ...(problem === null ? [] : [problem]),
  ]
  const state = on ? colors.green('on') : 'off'
  terminal.line(`${workflow} ${triggerId}  ${state}  ${colors.dim(facts.join(', '))}`)
}

function showFiring({ json, emit, terminal }: CommandContext, firing: FiringRecord): void {
  if (json) {
    emit({ type: 'firing', ...firing })
    return
  }
  const { workflowId: workflow, triggerId, at, runId: run, reason, words } = firing
  const came = run === null ? `nothing started (${reason ?? 'unknown'})` : run
  terminal.line(`${timeOf(at)}  ${workflow} ${triggerId}  ${came}  ${terminal.colors.dim(words)}`)
}
