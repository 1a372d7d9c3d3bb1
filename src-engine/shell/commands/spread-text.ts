/** How partitions are spread, in words. */

import type { Spread } from '../../store/redis/spread.ts'

/** Numbers of each master, the fullest first: `24, 20, 20 on 3 masters, at most 1.13 times the mean`. */
export function spreadText({ byMaster, ratio }: Spread): string {
  const counts = [...byMaster.values()].sort((a, b) => b - a)
  const masters = counts.length === 1 ? 'one master' : `${counts.length} masters`
  return `partitions: ${counts.join(', ')} on ${masters}, at most ${ratio.toFixed(2)} times the mean`
}
