/**
 * The mail about a question: what is asked, until when, and where it is decided. Nothing in it answers. A repeat after a
 * crash has the same message id, by which servers and mail programs know it.
 */

import { createHash } from 'node:crypto'
import { SagasmithError } from '../../model/errors.ts'
import { second } from '../../model/time.ts'
import { escaped } from '../data/xml.ts'
import type { EffectLeft } from '../deadline.ts'
import { withinDeadline } from '../deadline.ts'
import { serverPlace } from '../reachable-host.ts'
import { delivered } from '../send-mail/deliver.ts'
import type { TellingContext, ToldApproval } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { mailedPeople } from './mailed-people.ts'
import type { ApprovalParameters } from './spec.ts'

/** A server that takes longer is taken for one that doesn't answer. */
const timeoutMs = 30 * second
const subjectLengthMax = 200

/** Sends it; gives the addresses that the server didn't take, while it took others. Throws as sending a mail does. */
export async function mailed(
  {
    parameters,
    told,
    lookup,
  }: {
    readonly parameters: ApprovalParameters
    readonly told: ToldApproval
    readonly lookup: TaskPorts['lookup']
  },
  context: TellingContext,
): Promise<readonly string[]> {
  const to = mailedPeople(parameters, told.occasion)
  refuseMissing(parameters, to)
  const effect: EffectLeft = { isOpen: false }
  const { rejected } = await withinDeadline({ timeoutMs }, context, async (signal) => {
    const place = await serverPlace(parameters, context, lookup)
    const message = { ...messageOf(told, context), from: parameters.mailFrom, to }
    return delivered(message, { server: parameters, place, signal, effect })
  })
  return rejected
}

function refuseMissing({ host, mailFrom }: ApprovalParameters, to: string): void {
  const missing = [
    ['host', host, 'no mail server is named'],
    ['mailFrom', mailFrom, 'nobody is named from whom it comes'],
    ['mailTo', to, 'nobody is named who gets it'],
  ].find(([, text = '']) => text.trim() === '')
  if (missing === undefined) return
  const [field = '', , why = ''] = missing
  throw new SagasmithError('task_input_invalid', {
    message: `The mail could not be written: ${why}.`,
    hint: 'Fill in the fields of the group Mail in the step’s settings.',
    details: { field },
  })
}

function messageOf(told: ToldApproval, { idempotencyKey, clock }: TellingContext) {
  const { title } = told.shown
  const subject = title.replaceAll(/\s+/g, ' ').slice(0, subjectLengthMax)
  const id = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32)
  return {
    subject: told.occasion === 'escalated' ? `Urgent: ${subject}` : subject,
    text: textOf(told),
    html: htmlOf(told),
    messageId: `<${id}@sagasmith.invalid>`,
    date: new Date(clock.now()),
    // No answering machine is to answer it.
    headers: { 'Auto-Submitted': 'auto-generated' },
    // What a mail holds comes from the workflow alone.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** What is known of it, in lines of a name and its words. */
function factsOf(told: ToldApproval): readonly (readonly [name: string, words: string])[] {
  const { workflowTitle, nodeId, runId, approvers, expiresAt, onExpiry } = told
  const then = onExpiry === 'reject' ? 'it counts as rejected' : 'it times out'
  return [
    ['Workflow', `${workflowTitle}, step ${nodeId} of ${runId}`],
    ...(approvers.length === 0 ? [] : [['May decide', approvers.join(', ')] as const]),
    ['Until', expiresAt === null ? 'no end' : `${new Date(expiresAt).toUTCString()}, then ${then}`],
  ]
}

const closing = 'Neither this mail nor its link decides anything: that is done in Sagasmith.'

function textOf(told: ToldApproval): string {
  const { shown, runId, nodeId, link } = told
  return [
    ...[shown.title, ''],
    ...(shown.message.trim() === '' ? [] : [shown.message.trim(), '']),
    ...factsOf(told).map(([name, words]) => `${name}: ${words}`),
    ...['', `Open it: ${link}`, `In a terminal: sagasmith approvals show ${runId} ${nodeId}`, '', closing],
  ].join('\n')
}

/** Markdown stands as it was written: mail programs show none. */
function htmlOf(told: ToldApproval): string {
  const { shown, runId, nodeId, link } = told
  const message = shown.message.trim()
  const rows = factsOf(told).map(
    ([name, words]) =>
      `<tr><td style="padding-right:1em">${escaped(name)}</td><td>${escaped(words)}</td></tr>`,
  )
  return [
    `<h2>${escaped(shown.title)}</h2>`,
    message === '' ? '' : `<p style="white-space:pre-wrap">${escaped(message)}</p>`,
    `<table>${rows.join('')}</table>`,
    `<p><a href="${escaped(link)}">Open it in Sagasmith</a></p>`,
    `<p>In a terminal: <code>sagasmith approvals show ${escaped(runId)} ${escaped(nodeId)}</code></p>`,
    `<p><small>${escaped(closing)}</small></p>`,
  ].join('\n')
}
