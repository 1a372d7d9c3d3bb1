/** Whether the file takes sealed values only: written once, and known to each process without asking again. */

import type { Database } from './connection.ts'

export interface SealedFlag {
  readonly isSet: () => boolean
  /** Inside the transaction of the first sealed checkpoint. */
  readonly set: () => void
  /** Looks at the file again. */
  readonly look: () => void
}

export function createSealedFlag(database: Database): SealedFlag {
  const read = database.prepare("select 1 from meta where name = 'sealed'")
  const write = database.prepare(
    "insert into meta (name, value) values ('sealed', '1') on conflict do nothing",
  )
  // Others look again where something changed that no event tells of, as they do after each pruning.
  const tell = database.prepare(
    `insert into meta (name, value) values ('prunes', '1')
     on conflict (name) do update set value = cast(value + 1 as text)`,
  )
  let isSet = read.get() !== undefined
  return {
    isSet: () => isSet,
    set() {
      if (isSet) return
      write.run()
      tell.run()
      isSet = true
    },
    look() {
      isSet = read.get() !== undefined
    },
  }
}
