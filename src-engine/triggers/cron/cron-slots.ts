/** The instants that a cron expression names. cron-parser reads the expression; zone is UTC. */

import { CronExpressionParser } from 'cron-parser'
import { SagasmithError } from '../../model/errors.ts'
import type { Instant } from '../../model/time.ts'

export interface CronSlots {
  /** The first slot after an instant; null when there is none any more. */
  readonly next: (after: Instant) => Instant | null
  /** The slots after one instant up to and including another, oldest first, at most `limit` of them. */
  readonly between: (after: Instant, upTo: Instant, limit: number) => readonly Instant[]
}

/** Reads an expression of five fields, or of six beginning with seconds. Throws `bad_request`. */
export function readCron(expression: string): CronSlots {
  const fields = expression.trim().split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6) throw unreadable(expression, 'it has no five or six fields')
  const parsed = parse(expression)
  const next = (after: Instant): Instant | null => {
    parsed.reset(new Date(after))
    return parsed.hasNext() ? parsed.next().getTime() : null
  }
  return {
    next,
    between: (after, upTo, limit) => {
      const slots: Instant[] = []
      for (let slot = next(after); slot !== null && slot <= upTo && slots.length < limit; slot = next(slot))
        slots.push(slot)
      return slots
    },
  }
}

function parse(expression: string): ReturnType<typeof CronExpressionParser.parse> {
  try {
    return CronExpressionParser.parse(expression, { tz: 'UTC', currentDate: new Date(0) })
  } catch (thrown) {
    throw unreadable(expression, thrown instanceof Error ? thrown.message : String(thrown))
  }
}

const unreadable = (expression: string, reason: string): SagasmithError =>
  new SagasmithError('bad_request', {
    message: `“${expression}” is no cron expression: ${reason}.`,
    hint: 'Use five fields, minute hour day month weekday: */5 * * * * is every five minutes.',
    details: { expression },
  })
