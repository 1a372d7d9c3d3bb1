/** Stock: what lies on the shelves, and what of it is set aside for whom. */

import type { ServiceSpec } from './service.ts'

/** What was on each shelf at first. */
const atFirst: Readonly<Record<string, number>> = { lamp: 1_000_000, ladder: 1_000_000, unicorn: 0 }

export const stockService: ServiceSpec = {
  name: 'stock',
  deals: [
    {
      name: 'reservation',
      doAt: '/reservations',
      undoAt: '/releases',
      legs: ({ sku, quantity }) => [
        [`shelf ${sku}`, -quantity],
        ['set aside', quantity],
      ],
      refusal: ({ sku, quantity }, { balanceOf }) => {
        const left = (atFirst[sku] ?? 0) + balanceOf(`shelf ${sku}`)
        return left >= quantity ? null : `Of ${sku} there are ${left}, not ${quantity}.`
      },
    },
  ],
}
