/** Payments: what was taken from whose card. */

import type { ServiceSpec } from './service.ts'

/** What a card pays at once. */
const limit = 10_000

export const paymentService: ServiceSpec = {
  name: 'payments',
  deals: [
    {
      name: 'charge',
      doAt: '/charges',
      undoAt: '/refunds',
      legs: ({ amount, card }) => [
        [`card ${card}`, -amount],
        ['till', amount],
      ],
      refusal: ({ amount }) => (amount > limit ? `A card pays up to ${limit}, not ${amount}.` : null),
    },
  ],
}
