/** What waits for several events together in a month, and what each of its conditions listens to. */

/** Triggers that have others as their conditions, in the workflow `joining`. */
export const joints = {
  together: { mode: 'all', conditions: ['paid', 'sent'] },
  either: { mode: 'any', conditions: ['seen', 'shipped'] },
} as const

/** The events that each condition listens to. */
export const conditionEvents = {
  paid: 'order.paid',
  sent: 'order.sent',
  seen: 'visit',
  shipped: 'order.sent',
} as const
