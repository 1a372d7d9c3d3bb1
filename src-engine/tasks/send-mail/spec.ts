/** Send mail: one message, by a mail server. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { mailServerFields } from '../../model/server-fields.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const people = (title: string, group: string | null) =>
  z
    .union([z.string(), z.array(z.string())])
    .default('')
    .meta({
      title,
      description: 'Addresses, with commas between them: Ada <ada@example.com>, bob@example.com.',
      ...(group === null ? {} : { group }),
    })

const attachment = lazily(() =>
  z.object({
    name: z.string().min(1).meta({ title: 'Name', placeholder: 'report.csv' }),
    file: z
      .string()
      .default('')
      .meta({ title: 'File', widget: 'path', description: 'Or its content below.' }),
    content: z.string().default('').meta({ title: 'Content', widget: 'multiline' }),
    base64: z.boolean().default(false).meta({ title: 'The content is Base64' }),
  }),
)

const parameters = lazily(() =>
  z.strictObject({
    host: z.string().min(1).meta({ title: 'Mail server', placeholder: 'smtp.example.com', group: 'Server' }),
    ...mailServerFields({ group: 'Server' }),
    from: z.string().min(1).meta({ title: 'From', placeholder: 'Shop <shop@example.com>' }),
    to: people('To', null),
    subject: z.string().default('').meta({ title: 'Subject' }),
    text: z.string().default('').meta({ title: 'Text', widget: 'multiline' }),
    html: z.string().default('').meta({
      title: 'HTML',
      description: 'Beside the text, for programs that show it. Values in it must be escaped.',
      widget: 'multiline',
    }),
    cc: people('Copy', 'More'),
    bcc: people('Blind copy', 'More'),
    replyTo: people('Answers to', 'More'),
    dedupeKey: z
      .string()
      .max(1_000)
      .default('')
      .meta({
        title: 'Dedupe key',
        description:
          'Mails with the same key from the same sender are one mail to servers and mail programs that look: they ' +
          'have the same message id. Empty: each step of each run is a mail of its own.',
        placeholder: 'reminder-{{ input.invoice }}',
        group: 'More',
      }),
    attachments: z.array(attachment()).max(50).default([]).meta({ title: 'Attachments', group: 'More' }),
    maxBytes: z.int().min(1).max(50_000_000).default(20_000_000).meta({
      title: 'Largest attachments',
      description: 'In bytes, all together.',
      group: 'Limits',
    }),
    timeoutMs: z.int().min(1).max(3_600_000).default(60_000).meta({
      title: 'Timeout',
      widget: 'duration',
      group: 'Limits',
    }),
  }),
)

/** The resolved parameters of a mail. */
export type SendMailParameters = z.infer<ReturnType<typeof parameters>>

export const sendMailSpec = {
  kind: 'send-mail',
  title: 'Send mail',
  description: 'Sends a message by a mail server, with text, HTML and attachments.',
  icon: 'mail',
  category: 'network',
  keywords: ['mail', 'email', 'smtp', 'send', 'message', 'attachment', 'notify'],
  get parameters() {
    return parameters()
  },
  defaults: { host: '', from: '', to: '', subject: '', text: '' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [
    { what: 'mail', field: 'host' },
    { what: 'paths', field: 'attachments.*.file' },
  ],
  sideEffect: 'unsafe',
  execution: 'runner',
  summary: (raw) => shortened(`to ${textParameter(raw, 'to', 'somebody')}`),
} satisfies TaskSpec<SendMailParameters>
