/** Delay: waits for a span or until an instant, durably and without holding a slot. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { readLeftOutDays } from '../../model/left-out-days.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'
import { isTimeZone, minuteOfDay } from '../../model/wall-time.ts'

const timeOfDay = lazily(() =>
  z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Write a time such as 09:00.'),
)

const parameters = lazily(() =>
  z
    .strictObject({
      mode: z
        .enum(['duration', 'until'])
        .default('duration')
        .meta({
          title: 'Wait',
          choices: { duration: { title: 'For a span of time' }, until: { title: 'Until a moment' } },
        }),
      amount: z
        .number()
        .min(0)
        .max(1_000_000_000)
        .default(1)
        .meta({
          title: 'Amount',
          description: 'How many of the unit.',
          when: { mode: ['duration'] },
        }),
      unit: z
        .enum(['milliseconds', 'seconds', 'minutes', 'hours', 'days'])
        .default('seconds')
        .meta({ title: 'Unit', when: { mode: ['duration'] } }),
      until: z
        .unknown()
        .default('')
        .meta({
          title: 'Until',
          description: 'JSONata for a date such as "2030-01-31T09:00:00Z", or for milliseconds since 1970.',
          widget: 'expression',
          language: 'jsonata',
          placeholder: 'input.dueAt',
          when: { mode: ['until'] },
        }),
      zone: z
        .string()
        .refine((text) => text === '' || isTimeZone(text), 'no time zone of that name is known here')
        .default('')
        .meta({
          title: 'Time zone',
          description: 'Of dates that name none, and of the hours.',
          placeholder: 'Europe/Amsterdam',
          group: 'Hours',
        }),
      hours: z
        .enum(['any', 'open'])
        .default('any')
        .meta({
          title: 'Go on',
          group: 'Hours',
          choices: {
            any: { title: 'At any time' },
            open: { title: 'Within certain hours only', hint: 'Outside of them it waits until they begin.' },
          },
        }),
      from: timeOfDay()
        .default('09:00')
        .meta({ title: 'From', group: 'Hours', when: { hours: ['open'] } }),
      to: timeOfDay()
        .default('17:00')
        .meta({ title: 'To', group: 'Hours', when: { hours: ['open'] } }),
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
        .default(['SAT', 'SUN'])
        .meta({
          title: 'Not on',
          description:
            'Days without such hours: 2026-12-25, 2026-12-24..2027-01-02, 12-25 for each year, SAT.',
          group: 'Hours',
          when: { hours: ['open'] },
        }),
    })
    .refine(({ hours, zone }) => hours === 'any' || zone !== '', {
      path: ['zone'],
      message: 'Say in which time zone the hours are.',
    })
    .refine(({ hours, from, to }) => hours === 'any' || minuteOfDay(from) < minuteOfDay(to), {
      path: ['to'],
      message: 'Hours end after they have begun.',
    })
    .refine((value) => value.mode === 'duration' || (value.until ?? '') !== '', {
      path: ['until'],
      message: 'Say until when to wait.',
    }),
)

/** The resolved parameters of a delay; `until` is its expression's value. */
export type DelayParameters = z.infer<ReturnType<typeof parameters>>

export const delaySpec = {
  kind: 'delay',
  title: 'Delay',
  description: 'Waits for a while or until a moment. Survives restarts and costs nothing meanwhile.',
  icon: 'timer',
  category: 'flow',
  keywords: ['delay', 'wait', 'sleep', 'pause', 'timer', 'until', 'later', 'schedule'],
  get parameters() {
    return parameters()
  },
  defaults: { mode: 'duration', amount: 1, unit: 'seconds' },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => {
    if (raw['mode'] === 'until') return shortened(`until ${textParameter(raw, 'until', 'a moment')}`)
    const amount = textParameter(raw, 'amount', '1')
    const unit = textParameter(raw, 'unit', 'seconds')
    return shortened(`${amount} ${amount === '1' ? unit.replace(/s$/, '') : unit}`)
  },
} satisfies TaskSpec<DelayParameters>
