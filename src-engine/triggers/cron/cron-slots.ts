/** The slots of an expression in UTC, for schedules that have no zone. */

import type { CronCalculator } from './cron-calculator.ts'
import { createCronCalculator } from './cron-calculator.ts'

export type CronSlots = Pick<CronCalculator, 'next' | 'between'>

/** Reads an expression of five fields, or of six beginning with seconds. Throws `bad_request`. */
export const readCron = (expression: string): CronSlots => createCronCalculator({ expression })
