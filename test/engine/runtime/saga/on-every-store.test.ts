/** Rollbacks on the stores that answer within the process. */

import { rollbackCases } from '../../../conformance/rollbacks.ts'
import { sceneStores } from '../../../simulation/stores.ts'

rollbackCases(
  Object.entries(sceneStores).map(([name, open]) => ({
    name,
    open: async () => {
      const store = await open()
      return { store, connect: null, close: () => store.close() }
    },
  })),
)
