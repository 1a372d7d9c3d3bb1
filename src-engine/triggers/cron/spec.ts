/** Cron: starts at the times that a cron expression names. */

import { z } from 'zod'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const parameters = z.strictObject({
  expression: z.string().min(1).meta({
    title: 'Schedule',
    description: 'Five or six cron fields: (second) minute hour day month weekday.',
    placeholder: '0 9 * * MON-FRI',
    expressions: false,
  }),
  timeZone: z.string().min(1).default('UTC').meta({
    title: 'Time zone',
    description: 'The zone the schedule is meant in, such as Europe/Amsterdam.',
    expressions: false,
  }),
  overlap: z.enum(['skip', 'queue', 'allow', 'cancel-running']).default('skip').meta({
    title: 'If the last run still goes on',
    description: 'Skip this one, queue it, start it beside the other, or cancel the other first.',
  }),
  jitterMs: z.int().min(0).max(3_600_000).default(0).meta({
    title: 'Spread',
    description: 'Starts at a random moment within this time, so that many schedules do not start at once.',
    widget: 'duration',
    group: 'Missed and spread starts',
  }),
  catchUpWindowMs: z.int().min(0).max(2_678_400_000).default(3_600_000).meta({
    title: 'Catch up on',
    description: 'How far back missed starts are made up for after the engine was off.',
    widget: 'duration',
    group: 'Missed and spread starts',
  }),
  catchUpMax: z.int().min(0).max(100).default(1).meta({
    title: 'At most',
    description: 'How many missed starts are made up for.',
    group: 'Missed and spread starts',
  }),
  startAt: z
    .string()
    .default('')
    .meta({ title: 'Not before', description: 'A date, or empty.', group: 'Period' }),
  endAt: z
    .string()
    .default('')
    .meta({ title: 'Not after', description: 'A date, or empty.', group: 'Period' }),
})

export const cronSpec = {
  kind: 'cron',
  title: 'On a schedule',
  description: 'Starts at the times a cron expression names.',
  icon: 'calendar-clock',
  parameters,
  defaults: { expression: '0 9 * * *', timeZone: 'UTC' },
  summary: (raw) =>
    shortened(`${textParameter(raw, 'expression', 'a schedule')} (${textParameter(raw, 'timeZone', 'UTC')})`),
} satisfies TriggerSpec<z.infer<typeof parameters>>
