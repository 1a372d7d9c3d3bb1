/** `webhooks test|captures|show|resend`: what senders say to the test address of a trigger. */

import { workflowId } from '../../model/ids.ts'
import { webhookTestMsMax } from '../../model/limits.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { CaptureOutcome, WebhookCapture } from '../../model/webhook-capture.ts'
import type { WebhookTest } from '../../protocol/webhooks.ts'
import { personHere } from '../person.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { spanOf } from './instant-flag.ts'
import { withSession } from './with-session.ts'

type Act = (context: CommandContext, args: readonly string[]) => Promise<ExitCode>

const nameOf = ([workflow = '', triggerId = '']: readonly string[]): TriggerName => ({
  workflowId: workflowId(workflow),
  triggerId,
})

/** Has the test address take calls, or take no more. */
export const testAction: Act = (context, args) => {
  const { stop, for: span = '10m' } = context.flags
  if (stop === true && context.flags['for'] !== undefined)
    throw usageError('Either --for or --stop.', 'Usage: sagasmith webhooks test WORKFLOW TRIGGER --for 10m')
  const forMs = spanOf(String(span))
  if (forMs < 10_000 || forMs > webhookTestMsMax)
    throw usageError('A test address takes calls for 10 s to an hour.', 'Such as --for 10m.')
  const name = nameOf(args)
  return withSession(context, 'look', async (session): Promise<ExitCode> => {
    if (stop === true) {
      await session.call('webhooks.closeTest', name)
      if (context.json) context.emit({ type: 'webhook.test', ...name, test: null })
      else context.terminal.line('The test address takes no more calls.')
      return 0
    }
    const { test } = await session.call('webhooks.openTest', { ...name, parameters: null, forMs })
    if (context.json) context.emit({ type: 'webhook.test', ...name, test })
    else tellTest(context, test)
    return 0
  })
}

/** Lists the calls that are kept, newest first, or forgets them. */
export const capturesAction: Act = (context, args) => {
  const name = nameOf(args)
  return withSession(context, 'look', async (session): Promise<ExitCode> => {
    if (context.flags['clear'] === true) {
      const { cleared } = await session.call('webhooks.clearCaptures', name)
      if (context.json) context.emit({ type: 'webhook.captures-cleared', ...name, cleared })
      else context.terminal.line(cleared === 0 ? 'None were kept.' : `Forgotten: ${cleared}.`)
      return 0
    }
    const { captures, test } = await session.call('webhooks.captures', name)
    for (const capture of captures) tellCapture(context, capture)
    if (context.json) context.emit({ type: 'webhook.test', ...name, test })
    else if (test !== null) tellTest(context, test)
    else if (captures.length === 0) context.terminal.line('Nothing was captured: begin with `webhooks test`.')
    return 0
  })
}

/** One call as a run would get it. */
export const showAction: Act = (context, [captureId = '']) =>
  withSession(context, 'look', async (session): Promise<ExitCode> => {
    const { capture, call } = await session.call('webhooks.capture', { captureId })
    if (context.json) context.emit({ type: 'webhook.capture', ...capture, call })
    else {
      tellCapture(context, capture)
      context.terminal.line(JSON.stringify(call, null, 2))
    }
    return 0
  })

/** Fires the published trigger with a call that was captured. */
export const resendAction: Act = (context, [captureId = '']) =>
  withSession(context, 'look', async (session): Promise<ExitCode> => {
    const { firing } = await session.call('webhooks.resend', { captureId, by: personHere() })
    if (context.json) context.emit({ type: 'webhook.resent', captureId, firing })
    else
      context.terminal.line(
        firing.runId === null ? `Nothing started: ${firing.words}` : `Started ${firing.runId}.`,
      )
    return firing.runId === null ? 1 : 0
  })

function tellTest({ terminal }: CommandContext, { url, until }: WebhookTest): void {
  terminal.line(url ?? 'Nothing listens yet: start the app, `serve` or `runner --webhooks`.')
  terminal.line(terminal.colors.dim(`takes calls until ${new Date(until).toISOString()}; they start nothing`))
}

function tellCapture({ terminal, json, emit }: CommandContext, capture: WebhookCapture): void {
  if (json) {
    emit({ type: 'webhook.captured', ...capture })
    return
  }
  const { at, method, bodyBytes, remote, outcome, id } = capture
  const what = `${method} ${bodyBytes} bytes from ${remote}`
  terminal.line(
    `${new Date(at).toISOString()}  ${what}  ${outcomeWords(outcome)}  ${terminal.colors.dim(id)}`,
  )
}

function outcomeWords(outcome: CaptureOutcome): string {
  if (outcome.kind === 'starts') return 'would start a run'
  if (outcome.kind === 'ignored') return 'would start nothing: its filter leaves it out'
  return `would be refused (${outcome.status}): ${outcome.words}`
}
