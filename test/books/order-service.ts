/** Orders: what customers have ordered, and which of it was confirmed to them. */

import type { ServiceSpec } from './service.ts'

export const orderService: ServiceSpec = {
  name: 'orders',
  deals: [
    {
      name: 'order',
      doAt: '/orders',
      undoAt: '/cancellations',
      legs: ({ amount }) => [
        ['ordered', amount],
        ['owed to customers', -amount],
      ],
      refusal: ({ amount, quantity }) =>
        amount > 0 && quantity > 0 ? null : 'An order is for something, and costs something.',
    },
    {
      name: 'confirmation',
      doAt: '/confirmations',
      undoAt: '/withdrawals',
      legs: ({ amount }) => [
        ['owed to customers', amount],
        ['delivered', -amount],
      ],
      refusal: ({ card }) => (card === 'no address' ? 'No carrier goes there.' : null),
    },
  ],
}
