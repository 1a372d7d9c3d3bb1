/** `runs pause|resume|cancel|skip|step`: requests that are kept, and waited for until they are in effect. */

import { errorOfRecord } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { nodeId, runId } from '../../model/ids.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { ControlAction, ControlAnswer } from '../../protocol/run-control.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { statusPaint } from './runs-list.ts'
import { withSession } from './with-session.ts'

/** Whether the run, afterwards, is as it was asked for. */
const isAsAsked: Readonly<Record<ControlAction, (status: RunStatus) => boolean>> = {
  pause: (status) => status === 'PAUSED',
  resume: (status) => status !== 'PAUSED',
  cancel: (status) => status === 'CANCELLED',
  skip: () => true,
  step: () => true,
}

export const pauseAction = (context: CommandContext, args: readonly string[]): Promise<ExitCode> =>
  steer(context, 'pause', { id: args[0] ?? '', step: textOf(context, 'step') })

export const resumeAction = (context: CommandContext, args: readonly string[]): Promise<ExitCode> =>
  steer(context, 'resume', { id: args[0] ?? '', step: textOf(context, 'step') })

export const cancelAction = (context: CommandContext, args: readonly string[]): Promise<ExitCode> =>
  steer(context, 'cancel', { id: args[0] ?? '', step: textOf(context, 'step') })

export const stepAction = (context: CommandContext, args: readonly string[]): Promise<ExitCode> =>
  steer(context, 'step', { id: args[0] ?? '', step: args[1] ?? null })

export const skipAction = (context: CommandContext, args: readonly string[]): Promise<ExitCode> =>
  steer(context, 'skip', { id: args[0] ?? '', step: args[1] ?? '' })

function steer(
  context: CommandContext,
  action: ControlAction,
  target: { readonly id: string; readonly step: string | null },
): Promise<ExitCode> {
  const id = runId(target.id)
  const wait = context.flags['no-wait'] !== true
  // What waits for work under way has to let it go on, also when nobody else has the data open.
  return withSession(context, wait ? 'work' : 'look', async (session) => {
    const { results } = await session.call('runs.control', {
      runIds: [id],
      action,
      nodeId: target.step === null ? null : nodeId(target.step),
      by: null,
      reason: textOf(context, 'reason'),
      wait,
    })
    const [result] = results
    if (result?.error) throw errorOfRecord(result.error)
    const answer = result?.answer ?? null
    if (answer === null) return 1
    tell(context, { id, action, step: target.step, answer })
    const inEffect = answer.inEffectAt !== null
    return !inEffect || target.step !== null || isAsAsked[action](answer.status) ? 0 : 1
  })
}

function tell(
  context: CommandContext,
  told: {
    readonly id: RunId
    readonly action: ControlAction
    readonly step: string | null
    readonly answer: ControlAnswer
  },
): void {
  const { id, action, step, answer } = told
  if (context.json) {
    context.emit({ type: `run.${action}`, runId: id, step, ...answer })
    return
  }
  const words = answer.inEffectAt === null ? 'requested' : 'in effect'
  const place = step === null ? id : `${id} ${step}`
  const paint = statusPaint(context.terminal, answer.status)
  context.terminal.line(
    `${paint(answer.status)}  ${place}  ${context.terminal.colors.dim(`${action} ${words}`)}`,
  )
}

function textOf(context: CommandContext, flag: string): string | null {
  const value = context.flags[flag]
  return typeof value === 'string' ? value : null
}
