/** What publishing means for runs in flight, in words. Pure. */

import type { PushPreview, RunAhead } from '../../../../src-engine/protocol/push.ts'
import { fill } from '../../../text/messages.ts'
import { publishWords as words } from '../../../text/publish-words.ts'

/** One sentence for all of them: `3 in flight: 2 unaffected, 1 still to come to steps that change.` */
export function blastSentence({ ahead, inFlight, moreInFlight }: BlastParts): string {
  const total = inFlight.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return words.none
  const touched = ahead.filter(({ steps }) => steps.length > 0).length
  if (total === 1) return touched === 0 ? words.oneUnaffected : words.oneTouched
  const isCut = moreInFlight || ahead.length < total
  const count = isCut ? fill(words.more, { count: ahead.length }) : total
  return touched === 0
    ? fill(words.allUnaffected, { count })
    : fill(words.some, { count, unaffected: ahead.length - touched, touched })
}

type BlastParts = Pick<PushPreview, 'ahead' | 'inFlight' | 'moreInFlight'>

/** The runs that are still to come to something that changes, and to what. */
export function touchedRuns({ ahead }: Pick<PushPreview, 'ahead'>): readonly {
  readonly runId: RunAhead['runId']
  readonly text: string
}[] {
  return ahead.flatMap(({ runId, steps }) => {
    const parts = steps.map(({ title, change }) => fill(words[change], { title }))
    return parts.length === 0 ? [] : [{ runId, text: parts.join(', ') }]
  })
}
