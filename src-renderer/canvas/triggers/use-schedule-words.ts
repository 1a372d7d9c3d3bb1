/** What a schedule says of itself: from the calculator that starts it. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { SchedulePreview } from '../../../src-engine/model/schedule-preview.ts'
import { useAnswer } from '../../ui/use-answer.ts'

/** Its words and its next start; null while nobody answers, and for one that can't be read. */
export function useScheduleWords(parameters: JsonObject): SchedulePreview | null {
  const answer = useAnswer('triggers.preview', { parameters, from: null, count: 1 })
  return answer?.kind === 'schedule' ? answer : null
}
