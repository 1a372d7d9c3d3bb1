/** What a version meets on a cluster, line by line. Pure. */

import type { VersionChange } from '../../../../src-engine/model/version-changes.ts'
import type { PushPreview } from '../../../../src-engine/protocol/push.ts'
import { fill } from '../../../text/messages.ts'
import { pushWords as words } from '../../../text/site-words.ts'

export interface CheckLine {
  readonly text: string
  /** `wait`: runs would wait; `plain`: only told. */
  readonly tone: 'good' | 'wait' | 'plain'
}

/** Runners, kinds, trust, secrets, runs in flight: in the order in which they decide. */
export function checkLines(preview: PushPreview): readonly CheckLine[] {
  return [
    ...runnerLines(preview),
    ...(preview.secrets.length === 0
      ? []
      : [{ text: fill(words.secrets, { names: preview.secrets.join(', ') }), tone: 'plain' } as const]),
    { text: flightWords(preview), tone: 'plain' },
  ]
}

function runnerLines({ runners, trusting, missingKinds }: PushPreview): readonly CheckLine[] {
  if (runners === 0) return [{ text: words.noRunner, tone: 'wait' }]
  const count = runners === 1 ? words.oneRunner : fill(words.runners, { count: runners })
  const trust =
    trusting === runners ? (runners === 1 ? '' : ` ${words.allTrust}`) : ` ${someWords(trusting, runners)}`
  const kinds = missingKinds.map(({ kind, nodes }): CheckLine => {
    const pattern = nodes.length === 1 ? words.missingKind : words.missingKinds
    return { text: fill(pattern, { kind, nodes: nodes.join(', ') }), tone: 'wait' }
  })
  const distrust: readonly CheckLine[] =
    trusting > 0 ? [] : [{ text: `${words.distrust} ${words.distrustHint}`, tone: 'wait' }]
  return [{ text: `${count}${trusting === 0 ? '' : trust}`, tone: 'good' }, ...kinds, ...distrust]
}

const someWords = (trusting: number, count: number): string => fill(words.someTrust, { trusting, count })

/** How many edges came, go and are others now. */
export function edgeWords(changes: readonly VersionChange[]): string {
  const parts = (['added', 'removed', 'changed'] as const).flatMap((change) => {
    const count = changes.filter((one) => one.change === change).length
    return count === 0 ? [] : [fill(words.edgeParts[change], { count })]
  })
  return `${words.edges}: ${parts.join(', ')}`
}

/** Runs never change their version: told so that nobody fears for them. */
function flightWords({ inFlight, moreInFlight, newest, hash }: PushPreview): string {
  const total = inFlight.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return words.noFlight
  const all = moreInFlight ? fill(words.more, { count: total }) : String(total)
  const lead = total === 1 && !moreInFlight ? words.oneStays : fill(words.stay, { count: all })
  const parts = inFlight.map((one) => {
    const pattern =
      one.hash === hash ? words.onThis : one.hash === newest?.hash ? words.onNewest : words.onOther
    return fill(pattern, { count: one.count, hash: `${one.hash.slice(0, 11)}…` })
  })
  return `${lead.replace(/\.$/, '')}: ${parts.join(', ')}.`
}
