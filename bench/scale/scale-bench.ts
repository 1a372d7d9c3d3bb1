/** What a part of the benchmark works on. */

import type { Store } from '../../src-engine/store/store.ts'

export interface Bench {
  /** A directory of this part alone. */
  readonly directory: string
  /** Opens a file of this part, again after it was closed: what was in memory is gone. */
  readonly open: (name?: string) => Promise<Store>
  /** Of the first database, in bytes. */
  readonly size: () => number
  readonly say: (text: string) => void
}
