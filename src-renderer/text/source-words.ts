/** Where an occurrence comes from, in a few words. */

import type { FiringRecord, OccurrenceSource } from '../../src-engine/model/trigger.ts'
import { momentWords } from '../ui/time-words.ts'

const changes = { add: 'came', change: 'changed', remove: 'went' } as const

/** “an event”, “the run r1 FAILED”, “POST /orders”: names what there is to know. */
export function sourceWords(source: OccurrenceSource): string {
  switch (source.kind) {
    case 'slot':
      return `the slot of ${momentWords(source.slot)}`
    case 'hand':
      return source.by === null ? 'fired by hand' : `fired by ${source.by}`
    case 'event':
      return `an event: ${decodeURIComponent(source.eventId.split('/').at(-1) ?? '')}`
    case 'run': {
      const what = source.nodeId === null ? 'a run' : `the step ${source.nodeId}`
      return `${what} ended ${source.status}`
    }
    case 'call':
      return `${source.method} /${source.path} from ${source.remote}`
    case 'file':
      return `${source.path} ${changes[source.change]}`
    case 'entry': {
      const { first, stream, count } = source
      return count === 1 ? `the entry ${first} of ${stream}` : `${count} entries of ${stream}`
    }
    case 'condition':
      return `the condition ${source.triggerId}`
    default:
      return 'something else'
  }
}

/** What was written down about what a trigger did, with its instants as the page tells all others. */
export const firingWords = ({ words: said }: Pick<FiringRecord, 'words'>): string =>
  said.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (text) => momentWords(Date.parse(text)))
