/** Settings of watched folders. */

import { minute, second } from '../time.ts'
import { span } from './setting.ts'

/** How they are watched. */
export const folderSettings = {
  folderLookIntervalMs: span({
    name: 'folder_look_interval',
    unit: 's',
    default: 5 * second,
    min: 100,
    max: 10 * minute,
    meaning:
      'How often watched folders are looked at where the system tells of no change, as on network drives. What it tells of is looked at at once.',
  }),
} as const
