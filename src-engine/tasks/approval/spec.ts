/** Approval: stands still until a person has decided about what they are shown. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { mailServerFields } from '../../model/server-fields.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'

const units = ['minutes', 'hours', 'days'] as const
const isMailed = { mails: [true] }
const addresses = lazily(() => z.union([z.string(), z.array(z.string())]).default(''))
const people = lazily(() => z.array(z.string().min(1).max(200)).max(100).default([]))

const parameters = lazily(() =>
  z.strictObject({
    title: z.string().min(1).max(500).meta({
      title: 'Question',
      description: 'What the person is to decide, in one line.',
      placeholder: 'Pay {{ input.amount }} to {{ input.supplier }}?',
    }),
    message: z.string().max(100_000).default('').meta({
      title: 'Message',
      description: 'What they should know before they decide. Markdown.',
      widget: 'multiline',
    }),
    details: z.unknown().default('').meta({
      title: 'Details',
      description: 'JSONata for the data that is shown with it; empty for none.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'input',
    }),
    form: z.unknown().default(null).meta({
      title: 'Form',
      description: 'JSON Schema of what is to be filled in for an approval; null for nothing.',
      widget: 'code',
      language: 'json',
      expressions: false,
    }),
    pushBack: z.boolean().default(false).meta({
      title: 'May be pushed back',
      description:
        'Adds a way for changes: the person says what is missing, and it goes on there. To go back to an earlier step, lead it to “Next turn” in a loop.',
    }),
    onReject: z
      .enum(['port', 'deny'])
      .default('port')
      .meta({
        title: 'When it is rejected',
        choices: {
          port: { title: 'Leave by the rejected way' },
          deny: { title: 'Deny the step', hint: 'It ends like a failure: its error way, or the run’s end.' },
        },
      }),
    approvers: people().meta({
      title: 'May decide',
      description: 'Names of those who may. Empty: everybody.',
      group: 'People',
    }),
    otherPerson: z.boolean().default(false).meta({
      title: 'Somebody else than who started the run',
      group: 'People',
    }),
    onExpiry: z
      .enum(['wait', 'reject', 'fail'])
      .default('wait')
      .meta({
        title: 'When nobody decides',
        choices: {
          wait: { title: 'Wait for ever' },
          reject: { title: 'Take it as rejected' },
          fail: { title: 'Time out' },
        },
        group: 'Time',
      }),
    amount: z
      .number()
      .min(0)
      .max(1_000_000)
      .default(1)
      .meta({
        title: 'After',
        description: 'How long there is to decide.',
        when: { onExpiry: ['reject', 'fail'] },
        group: 'Time',
      }),
    unit: z
      .enum(units)
      .default('days')
      .meta({ title: 'Unit', when: { onExpiry: ['reject', 'fail'] }, group: 'Time' }),
    escalates: z.boolean().default(false).meta({
      title: 'Ask more urgently',
      description: 'After a while it is shown as urgent, and others may decide it too.',
      group: 'Time',
    }),
    escalateAmount: z
      .number()
      .min(0)
      .max(1_000_000)
      .default(4)
      .meta({ title: 'Urgent after', when: { escalates: [true] }, group: 'Time' }),
    escalateUnit: z
      .enum(units)
      .default('hours')
      .meta({ title: 'Unit of that', when: { escalates: [true] }, group: 'Time' }),
    escalateTo: people().meta({
      title: 'May then decide too',
      when: { escalates: [true] },
      group: 'Time',
    }),
    mails: z.boolean().default(false).meta({
      title: 'Send a mail, too',
      description:
        'As it begins to wait, and once more when it becomes urgent. Its link opens the question and answers nothing.',
      expressions: false,
      group: 'Mail',
    }),
    mailTo: addresses().meta({
      title: 'To',
      description: 'Addresses, with commas between them: Ada <ada@example.com>, bob@example.com.',
      when: isMailed,
      group: 'Mail',
    }),
    mailUrgentTo: addresses().meta({
      title: 'When it is urgent, also to',
      when: { ...isMailed, escalates: [true] },
      group: 'Mail',
    }),
    mailFrom: z
      .string()
      .default('')
      .meta({ title: 'From', placeholder: 'Shop <shop@example.com>', when: isMailed, group: 'Mail' }),
    host: z
      .string()
      .default('')
      .meta({ title: 'Mail server', placeholder: 'smtp.example.com', when: isMailed, group: 'Mail' }),
    ...mailServerFields({ when: isMailed, group: 'Mail' }),
  }),
)

/** The resolved parameters of an approval; `details` is its expression's value. */
export type ApprovalParameters = z.infer<ReturnType<typeof parameters>>

const approved: PortSpec = { id: 'approved', title: 'Approved' }
const rejected: PortSpec = { id: 'rejected', title: 'Rejected' }
const changes: PortSpec = { id: 'changes', title: 'Changes' }

const outputs = (raw: JsonObject): readonly PortSpec[] => [
  approved,
  ...(raw['onReject'] === 'deny' ? [] : [rejected]),
  ...(raw['pushBack'] === true ? [changes] : []),
]

export const approvalSpec = {
  kind: 'approval',
  title: 'Approval',
  description: 'Asks a person, and goes on with what they decided: approved, rejected or pushed back.',
  icon: 'stamp',
  category: 'flow',
  keywords: [
    'approve',
    'approval',
    'review',
    'human',
    'person',
    'sign off',
    'reject',
    'four eyes',
    'form',
    'mail',
  ],
  get parameters() {
    return parameters()
  },
  defaults: { title: '' },
  hasInput: true,
  outputs,
  reach: [{ what: 'mail', field: 'host' }],
  tellsWithSecrets: true,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(textParameter(raw, 'title', 'a question')),
} satisfies TaskSpec<ApprovalParameters>
