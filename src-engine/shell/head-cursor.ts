/** The place after the newest event: where a subscription “from now on” begins. */

import type { Cursor } from '../model/event.ts'
import type { Store } from '../store/store.ts'

/** Of each partition. */
export const headCursor = ({ info, load }: Pick<Store, 'info' | 'load'>): Promise<Cursor> =>
  Promise.all(info.partitions.map((partition) => load(partition, 'feedEnd', {})))
