/** Cron: starts at the times that a cron expression names. */

import { z } from 'zod'
import { isCronFault, isNeverDue, readCronText } from '../../model/cron-text.ts'
import { readIntervalText } from '../../model/interval-text.ts'
import { lazily } from '../../model/lazily.ts'
import { readLeftOutDays } from '../../model/left-out-days.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'
import { isAfter, isTimeZone, readWallTime } from '../../model/wall-time.ts'

const expression = lazily(() =>
  z
    .string()
    .min(1)
    .superRefine((text, context) => {
      const interval = readIntervalText(text)
      if (interval !== null) {
        if ('message' in interval) context.addIssue({ code: 'custom', message: interval.message })
        return
      }
      const read = readCronText(text)
      if (isCronFault(read)) context.addIssue({ code: 'custom', message: read.message })
      else if (isNeverDue(read)) context.addIssue({ code: 'custom', message: 'no year has such a date' })
    })
    .meta({
      title: 'Schedule',
      description:
        'Five or six cron fields: (second) minute hour day month weekday. Or a time after which it comes again, counted from “Not before”: @every 90m, @every 36h.',
      placeholder: '0 9 * * MON-FRI',
      expressions: false,
    }),
)

const isBoundary = (text: string): boolean => text.trim() === '' || readWallTime(text) !== null
const boundaryWords = 'write a date such as 2026-03-01, or one with a time: 2026-03-01T09:00'

const parameters = lazily(() =>
  z
    .strictObject({
      expression: expression(),
      timeZone: z
        .string()
        .min(1)
        .refine(isTimeZone, 'no time zone of that name is known here')
        .default('UTC')
        .meta({
          title: 'Time zone',
          description: 'The zone the schedule is meant in, such as Europe/Amsterdam.',
          expressions: false,
        }),
      overlap: z
        .enum(['skip', 'queue', 'allow', 'cancel-running'])
        .default('skip')
        .meta({
          title: 'If the last run still goes on',
          choices: {
            skip: { title: 'Start nothing', hint: 'The slot is recorded as skipped.' },
            queue: { title: 'Wait in line', hint: 'One at a time, in their order; at most 100 wait.' },
            allow: { title: 'Start beside it' },
            'cancel-running': { title: 'Have it end, and start then' },
          },
        }),
      input: z.unknown().default('').meta({
        title: 'Input',
        description:
          'JSONata over the event for what the run gets: `event.payload.slot` is when it was due. Empty: nothing.',
        widget: 'expression',
        language: 'jsonata',
        placeholder: '{ "day": event.payload.slot }',
      }),
      jitterMs: z.int().min(0).max(3_600_000).default(0).meta({
        title: 'Spread',
        description:
          'Starts up to this much later, each time another bit, so that many schedules don’t start at once.',
        widget: 'duration',
        group: 'Missed and spread starts',
      }),
      catchUp: z
        .enum(['skip', 'once', 'all'])
        .default('once')
        .meta({
          title: 'Missed starts',
          description: 'Those that passed while the engine was off.',
          choices: {
            skip: { title: 'Leave them' },
            once: { title: 'Make up for the newest one' },
            all: { title: 'Make up for all of them', hint: 'As many as are allowed below, the newest ones.' },
          },
          group: 'Missed and spread starts',
        }),
      catchUpWindowMs: z.int().min(0).max(2_678_400_000).default(86_400_000).meta({
        title: 'Catch up on',
        description: 'How far back missed starts are made up for.',
        widget: 'duration',
        group: 'Missed and spread starts',
      }),
      catchUpMax: z.int().min(1).max(100).default(100).meta({
        title: 'At most',
        description: 'How many of all missed starts are made up for, the newest ones.',
        group: 'Missed and spread starts',
      }),
      startAt: z.string().refine(isBoundary, boundaryWords).default('').meta({
        title: 'Not before',
        description: 'A date of the zone, with a time if need be; or empty.',
        expressions: false,
        group: 'Period',
      }),
      endAt: z.string().refine(isBoundary, boundaryWords).default('').meta({
        title: 'Not after',
        description: 'A date of the zone, which still counts, with a time if need be; or empty.',
        expressions: false,
        group: 'Period',
      }),
      except: z
        .array(
          z
            .string()
            .refine(
              (text) => typeof readLeftOutDays([text]) !== 'string',
              'write a date such as 2026-12-25, 2026-12-24..2027-01-02, 12-25 for each year, or SAT',
            )
            .meta({ expressions: false }),
        )
        .max(400)
        .default([])
        .meta({
          title: 'Not on',
          description: 'Days without starts: 2026-12-25, 2026-12-24..2027-01-02, 12-25 for each year, SAT.',
          group: 'Period',
        }),
    })
    .superRefine(({ startAt, endAt }, context) => {
      const [start, end] = [readWallTime(startAt), readWallTime(endAt)]
      if (start !== null && end !== null && isAfter(start, end))
        context.addIssue({ code: 'custom', path: ['endAt'], message: 'it is before the schedule begins' })
    }),
)

export const cronSpec = {
  kind: 'cron',
  title: 'On a schedule',
  description: 'Starts at the times a cron expression names, or every so often.',
  icon: 'calendar-clock',
  get parameters() {
    return parameters()
  },
  defaults: { expression: '0 9 * * *', timeZone: 'UTC' },
  startsOn: (raw) => `${textParameter(raw, 'expression')} (${textParameter(raw, 'timeZone', 'UTC')})`,
  summary: (raw) =>
    shortened(`${textParameter(raw, 'expression', 'a schedule')} (${textParameter(raw, 'timeZone', 'UTC')})`),
} satisfies TriggerSpec<z.infer<ReturnType<typeof parameters>>>
