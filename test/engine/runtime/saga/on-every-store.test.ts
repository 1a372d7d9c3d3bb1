/** Rollbacks on the stores that answer within the process. */

import { rollbackSuite } from '../../../conformance/rollbacks.ts'
import { simulationStores } from '../../../simulation/stores.ts'

rollbackSuite(
  Object.entries(simulationStores).map(([name, open]) => ({
    name,
    open: async () => {
      const store = await open()
      return { store, connect: null, close: () => store.close() }
    },
  })),
)
