/** Where an instant lies in a span of time, for a style. Pure. */

import type { Instant } from '../../../../src-engine/model/time.ts'
import type { LaneSpan } from './lane-rows.ts'

export const shareText = ({ from, to }: LaneSpan, at: Instant): string =>
  `${((at - from) / (to - from)) * 100}%`
