/** The circuit breakers of steps. */

import type { CircuitsApi } from '../../protocol/circuits.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `circuits.*`. */
export const circuitHandlers = ({
  engine: { circuits },
}: Pick<HandlerDeps, 'engine'>): Handlers<keyof CircuitsApi> => ({
  'circuits.list': async ({ workflowId }) => ({ circuits: await circuits.list(workflowId) }),
  'circuits.reset': async ({ id }) => {
    await circuits.reset(id)
    return {}
  },
})
